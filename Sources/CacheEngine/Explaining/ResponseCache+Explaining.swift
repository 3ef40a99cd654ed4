import HTTPCacheSemantics

extension ResponseCache {
    /// Says how a request would be answered now, and why. Reads the store; sends, stores and counts nothing.
    ///
    /// Who asks may not know what fields a web view sends. Where the request has none of a name by which a stored response
    /// was selected (RFC 9111 §4.1), and would otherwise be answered by none, the response's own value is taken.
    public func explain(_ request: EngineRequest) async -> Explanation {
        let asked = await variants(of: request).first?.request ?? request
        var exchange = RunningExchange(asked, cache: self)
        if let key = exchange.key { exchange.willLookUp(key) }
        var explainer = Explainer(exchange.machine, at: now)
        let (key, action) = explainer.begin()
        let taken = asked.head.headerFields.filter { !request.head.headerFields.contains($0.name) }
        explainer.noteTaken(Set(taken.map(\.name.canonicalName)).sorted())
        guard let key else { return explainer.finish(action) }
        return explainer.explain(await exchange.lookUp(key))
    }
}
