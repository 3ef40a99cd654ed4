/// A request body as it is sent.
public struct FlattenedBody: Hashable, Sendable {
    /// In pieces, as they came from the page.
    public var pieces: [[UInt8]]
    /// For `Content-Type`, where the request does not state its own; `nil` if the body has no type.
    public var contentType: String?

    /// In bytes.
    public var length: Int64 { pieces.reduce(0) { $0 + Int64($1.count) } }
}
