import HTTPTypes

/// A response as it came from the next hop.
public struct TransportResponse: Sendable {
    /// The final head, fields as received.
    public var head: HTTPResponse
    /// The content without transfer coding. Ends with ``TransportError/Code/closedEarly`` when it was cut off.
    public var body: any BodySource
    /// The content's length where the framing states it.
    public var bodyLength: Int64?

    public init(head: HTTPResponse, body: any BodySource, bodyLength: Int64?) {
        self.head = head
        self.body = body
        self.bodyLength = bodyLength
    }
}
