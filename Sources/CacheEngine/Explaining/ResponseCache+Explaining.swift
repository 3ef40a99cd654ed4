import HTTPCacheSemantics

extension ResponseCache {
    /// Says how a request would be answered now, and why. Reads the store; sends, stores and counts nothing.
    ///
    /// The caller may not know which fields a web view sends. If the request lacks a field that selected a stored
    /// response (RFC 9111 §4.1), and no stored response would answer it otherwise, the stored value of that field is
    /// used.
    package func explain(_ request: EngineRequest) async -> Explanation {
        let asked = await variants(of: request).first?.request ?? request
        let taken = asked.head.headerFields.filter { !request.head.headerFields.contains($0.name) }
        var exchange = RunningExchange(asked, cache: self)
        exchange.machine.trace = []
        var action = exchange.machine.start()
        if case .lookUp(let key) = action {
            exchange.willLookUp(key)
            action = exchange.machine.lookedUp(await lookUp(key), at: now)
        }
        return Explainer(exchange.machine, taken: Set(taken.map(\.name.canonicalName)).sorted()).explanation(of: action)
    }
}
