import Locking
import ResponseStore

/// Bodies one after the other.
final class JoinedBody: BodySource {
    private let rest: LockedBox<[any BodySource]>

    init(_ sources: [any BodySource]) {
        rest = LockedBox(sources)
    }

    /// Regions of stored content.
    init(_ content: StoredContent, _ regions: [Range<Int64>]) {
        rest = LockedBox(regions.map { StoredBodySource(content, region: $0) })
    }

    func next() async throws -> [UInt8]? {
        while let source = rest.withLock({ $0.first }) {
            if let bytes = try await source.next() { return bytes }
            rest.withLock { if !$0.isEmpty { $0.removeFirst() } }
        }
        return nil
    }

    func cancel() {
        let sources = rest.withLock { sources in
            defer { sources = [] }
            return sources
        }
        for source in sources { source.cancel() }
    }
}

extension [Range<Int64>] {
    /// The total length in bytes. The regions lie in one content, so it can't overflow.
    var total: Int64 { reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }
}
