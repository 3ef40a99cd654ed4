import HTTPTypes

/// A response as it came from the next hop.
public struct TransportResponse: Sendable {
    /// The final head, fields as received, octet by octet. `Content-Length` is one valid number, or absent.
    public var head: HTTPResponse
    /// The content without transfer coding. Ends with ``TransportError/Code/closedEarly`` when it was cut off, and with
    /// ``TransportError/Code/endUnverified`` when it may have been. A ``TrailerSource`` where the transport knows trailers.
    public var body: any BodySource
    /// The content's length where the framing states it.
    public var bodyLength: Int64?

    public init(head: HTTPResponse, body: any BodySource, bodyLength: Int64?) {
        self.head = head
        self.body = body
        self.bodyLength = bodyLength
    }
}
