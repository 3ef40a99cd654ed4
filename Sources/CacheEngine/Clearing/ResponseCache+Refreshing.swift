import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension ResponseCache {
    /// Fetches a response from the origin past every cache, this one and those on the way (RFC 9111 §5.2.1.4), and
    /// stores it. Each stored response that the request may mean is fetched again, with the fields that selected it if
    /// the request lacks them (§4.1), so that the one that a web view would get is among them. If none is stored, the
    /// request is sent once as it is. Stored responses stay when a fetch fails; when all have been fetched and stored,
    /// older ones are removed.
    ///
    /// - Returns: The result of each fetch; that of the most recently stored response comes first. Never empty.
    package func refresh(_ request: EngineRequest) async -> [RefreshedResponse] {
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
        // A variant that the origin no longer tells apart would go on answering. If it can't be removed, it still does.
        var older = EntrySelection(of: key)
        older.storedBefore = started
        _ = try? await remove(older)
        return refreshed
    }

    private func refreshOne(_ request: EngineRequest) async -> RefreshedResponse {
        var request = request
        (request.context.mode, request.context.isRefresh) = (.reload, true)
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

/// The result of one refresh, see ``ResponseCache/refresh(_:)``.
package struct RefreshedResponse: Sendable {
    /// The request that was sent, with the fields that were taken from a stored response.
    package var request: HTTPRequest
    /// The origin's answer, or an error answer of the cache's own.
    package var head: HTTPResponse
    package var cacheStatus: CacheStatus
    /// Why there is no answer, or only a part of one.
    package var failure: EngineError?
}
