import HTTPTypes

/// A request as it goes to the next hop.
public struct TransportRequest: Sendable {
    /// Scheme, authority and path say where it goes; hop-by-hop fields are removed.
    public var head: HTTPRequest
    public var body: RequestBody?
    /// Called for every interim (1xx) response but 101, in order, before the final one (RFC 9110 §15.2).
    public var onInterim: (@Sendable (HTTPResponse) -> Void)?
    /// The longest wait for the final response head, connecting and sending included; after it the request fails with
    /// ``TransportError/Code/timedOut``. `nil` for the transport's own limits. Does not limit the body.
    public var timeout: Duration?
    /// Called once with how the response came, before its content has ended; by transports that know.
    public var onMetrics: (@Sendable (TransportMetrics) -> Void)?
    /// Whether it is sent ahead of need, so that a page's request goes first where both wait for a connection; off unless
    /// set.
    public var yields = false

    public init(
        head: HTTPRequest, body: RequestBody? = nil, onInterim: (@Sendable (HTTPResponse) -> Void)? = nil,
        timeout: Duration? = nil
    ) {
        self.head = head
        self.body = body
        self.onInterim = onInterim
        self.timeout = timeout
    }
}
