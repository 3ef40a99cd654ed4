/// The content of a request on its way to the origin; it is streamed, never held whole.
public struct RequestBody: Sendable {
    public var source: any BodySource
    /// The length that the client stated; `nil` for chunked content.
    public var length: Int64?

    public init(_ source: any BodySource, length: Int64?) {
        self.source = source
        self.length = length
    }

    /// What is wrong with the content, where whoever receives it has found that out: then the request fails with this.
    var fault: EngineError? { (source as? BodyPipe)?.failure as? EngineError }
}
