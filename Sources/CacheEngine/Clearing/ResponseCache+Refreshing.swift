import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension ResponseCache {
    /// Asks the origin for a response past every cache, this one and those on the way (RFC 9111 §5.2.1.4), and stores
    /// what comes: once for each stored response that the request may mean, with the fields that it was asked for with where
    /// the request has none (§4.1), so that the one that a web view would get is among them. Where nothing is stored, once as
    /// the request is. What is stored stays when nothing comes; when all came and was stored, no older one stays.
    ///
    /// - Returns: What became of each; the most recently stored response's comes first. Never empty.
    public func refresh(_ request: EngineRequest) async -> [RefreshedResponse] {
        let started = now
        let variants = await variants(of: request).map(\.request)
        var refreshed: [RefreshedResponse] = []
        for variant in variants.isEmpty ? [request] : variants { refreshed.append(await refreshOne(variant)) }
        guard let key = key(for: request) else { return refreshed }
        await waitForCommits(key)
        guard refreshed.allSatisfy({ $0.cacheStatus.isStored && $0.failure == nil }),
            let stored = try? await store.entries(for: key),
            stored.contains(where: { $0.response.responseTime >= started }),
            stored.contains(where: { $0.response.responseTime < started })
        else { return refreshed }
        // Of a variant that the origin no longer tells apart; it would go on answering. What can't be removed stays stuck.
        _ = try? await remove(
            EntrySelection(uri: key.uri, partition: key.partition, storedBefore: started))
        return refreshed
    }

    private func refreshOne(_ request: EngineRequest) async -> RefreshedResponse {
        var request = request
        request.context.mode = .reload
        let answer = await respond(to: request)
        var refreshed = RefreshedResponse(
            request: request.head, head: answer.head, cacheStatus: answer.cacheStatus, failure: answer.failure)
        let source = answer.body.makeSource()
        do {
            while try await source.next() != nil {}
        } catch {
            refreshed.failure = EngineError(whileReading: error)
        }
        return refreshed
    }
}
