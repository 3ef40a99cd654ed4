import HTTPTypes

/// One request presented to the engine.
public struct EngineRequest: Sendable {
    /// With scheme, authority and path; hop-by-hop fields already removed.
    public var head: HTTPRequest
    public var body: RequestBody?
    public var context: ExchangeContext
    /// Called for the origin's interim responses, see ``TransportRequest/onInterim``.
    public var onInterim: (@Sendable (HTTPResponse) -> Void)?

    public init(
        head: HTTPRequest, body: RequestBody? = nil, context: ExchangeContext = .init(),
        onInterim: (@Sendable (HTTPResponse) -> Void)? = nil
    ) {
        self.head = head
        self.body = body
        self.context = context
        self.onInterim = onInterim
    }
}
