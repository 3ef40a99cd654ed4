import HTTPCacheSemantics

extension ResponseCache {
    /// Says how a request would be answered now, and why. Reads the store; sends, stores and counts nothing.
    public func explain(_ request: EngineRequest) async -> Explanation {
        var exchange = RunningExchange(request, cache: self)
        if let key = exchange.key { exchange.willLookUp(key) }
        var explainer = Explainer(exchange.machine, at: now)
        let (key, action) = explainer.begin()
        guard let key else { return explainer.finish(action) }
        return explainer.explain(await exchange.lookUp(key))
    }
}
