/// What a transport knows about how a response came, for reports.
public struct TransportMetrics: Hashable, Sendable {
    /// The protocol as ALPN names it, such as `h2`; `nil` if unknown.
    public var networkProtocol: String?
    /// Whether the connection had carried another request before; `nil` if unknown.
    public var isReusedConnection: Bool?
    /// Looking up the name; `nil` where that was not needed, as for the next two.
    public var nameLookup: Duration?
    /// Connecting, TLS included.
    public var connecting: Duration?
    /// The TLS handshake alone.
    public var securing: Duration?
    /// From the request's last byte to the response's first one; `nil` if unknown.
    public var waiting: Duration?
    /// Bytes of content as the connection carried them, with their content codings; `nil` if unknown.
    public var transferredBytes: Int64?

    public init() {}
}
