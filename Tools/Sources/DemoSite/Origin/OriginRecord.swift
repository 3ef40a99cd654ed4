/// One request that the origin saw.
package struct OriginRecord: Hashable, Sendable {
    /// Method, as sent.
    package var method: String
    /// Host asked for, lower case, without port.
    package var host: String
    /// Path with query.
    package var path: String
    /// Status of the answer; zero when the client left before there was one.
    package var status: Int
    /// Bytes of the response body that were handed to the connection; no fields, no TLS.
    package var bodyBytesSent: Int
    /// Bytes of the request body.
    package var bodyBytesReceived: Int
    /// Whether it carried `If-None-Match` or `If-Modified-Since`.
    package var isConditional: Bool
    /// Whether the whole answer was handed to the connection.
    package var isComplete: Bool
}
