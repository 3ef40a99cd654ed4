import Foundation

/// A page of the list.
public struct DemoPage: Codable, Hashable, Identifiable, Sendable {
    public var id: UUID
    /// As the user has typed it.
    public var address: String
    public var mode: PageMode

    public init(_ address: String, mode: PageMode = .automatic, id: UUID = UUID()) {
        (self.id, self.address, self.mode) = (id, address, mode)
    }

    /// `nil` for what is no address of a page.
    public var url: URL? { PageAddress.url(typed: address) }
}
