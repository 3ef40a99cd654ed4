import Foundation

/// The pages as they are kept between launches.
public struct PageList: Hashable, Sendable {
    public var pages: [DemoPage]

    /// - Parameter data: What ``encoded`` gave; the pages of a first launch for `nil`, and for what can't be read.
    public init(_ data: Data?) {
        let kept = data.flatMap { try? JSONDecoder().decode([DemoPage].self, from: $0) }
        pages = kept ?? [DemoPage("https://example.com/")]
    }

    public var encoded: Data? { try? JSONEncoder().encode(pages) }
}
