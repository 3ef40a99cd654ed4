/// One request that the origin saw.
public struct OriginRecord: Hashable, Sendable {
    /// Method, as sent.
    public var method: String
    /// Host asked for, lower case, without port.
    public var host: String
    /// Path with query.
    public var path: String
    /// Status of the answer; zero when the client left before there was one.
    public var status: Int
    /// Bytes of the response body that were handed to the connection; no fields, no TLS.
    public var bodyBytesSent: Int
    /// Bytes of the request body.
    public var bodyBytesReceived: Int
    /// Whether it carried `If-None-Match` or `If-Modified-Since`.
    public var isConditional: Bool
    /// Whether the whole answer was handed to the connection.
    public var isComplete: Bool
}
