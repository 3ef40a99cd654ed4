import HTTPTypes

/// One request presented to the engine.
package struct EngineRequest: Sendable {
    /// With scheme, authority and path; hop-by-hop fields already removed.
    package var head: HTTPRequest
    package var body: RequestBody?
    package var context: ExchangeContext
    /// Called for the origin's interim responses, see ``TransportRequest/onInterim``.
    package var onInterim: (@Sendable (HTTPResponse) -> Void)?

    package init(
        head: HTTPRequest, body: RequestBody? = nil, context: ExchangeContext = .init(),
        onInterim: (@Sendable (HTTPResponse) -> Void)? = nil
    ) {
        self.head = head
        self.body = body
        self.context = context
        self.onInterim = onInterim
    }
}
