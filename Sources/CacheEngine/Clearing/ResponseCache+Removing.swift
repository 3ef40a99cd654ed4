import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Removing and maintenance, safe while exchanges run.
extension ResponseCache {
    /// Removes what a selection names, pinned or not.
    ///
    /// When this returns, nothing of it is found any more, in memory or on the disk. A response that is arriving is
    /// still delivered to its client; if a key, a type or a tag is named, it is not stored, because the selection may
    /// mean it. An answer that has begun goes on to its end.
    ///
    /// - Throws: `StoreError` when the store can't be written; then a part of it may be left.
    @discardableResult
    package func remove(_ selection: EntrySelection) async throws -> RemovedContent {
        if selection.meansNothing { return RemovedContent() }
        if selection.meansArriving {
            if let uri = selection.uri, let partition = selection.partition {
                flights.detachAll(of: CacheKey(partition: partition, uri: uri))
            } else {
                flights.detachAll()
            }
        }
        // No validation is sent in the name of an account that is removed.
        revalidationBacklog.forget { selection.contains($0) }
        snapshotVisits.withLock { $0 = $0.filter { !selection.contains($0.key) } }
        background.dropWaiting { selection.contains($0) }
        let removed = try await store.remove(selection)
        revalidationBacklog.forget { selection.contains($0) }
        if selection == .everything || selection.host != nil { policy.setDistrustedHosts(store.distrustedHosts) }
        noteRemoval(of: selection)
        return removed
    }

    /// Maintains the store: writes down which responses were used, and marks those that a rule has let expire. These go
    /// first when space is needed; until then they stay for use without a network. Cheap when there is nothing to do.
    /// Call it at the start, from time to time, and on demand.
    ///
    /// - Returns: How many responses have expired since the last call.
    @discardableResult
    package func performMaintenance() async throws -> Int {
        lastMaintenance.withLock { $0 = configuration.clock.uptime() }
        return try await store.performMaintenance(at: now)
    }

    /// Performs maintenance in the background if the last one was an hour ago. Called after storing.
    func performMaintenanceWhereDue() {
        let uptime = configuration.clock.uptime()
        let isDue = lastMaintenance.withLock { last in
            guard let known = last else {
                last = uptime
                return false
            }
            guard uptime - known >= .seconds(3_600) else { return false }
            last = uptime
            return true
        }
        // If it fails, the next one does the work.
        if isDue { background.transfer { _ = try? await self.performMaintenance() } }
    }
}

extension ResponseCache {
    /// Removes stored responses and, in the same call, a web view's own data: all, or what is newer than a date.
    ///
    /// The web view's data goes first: otherwise pages that still know the user could fill the store again meanwhile.
    /// The responses are removed as by ``remove(_:)``.
    ///
    /// - Parameters:
    ///   - selection: The responses to remove. A selection without conditions means none of them, also with a date.
    ///   - kinds: The kinds of the web view's data to remove, of the site of the selection's host where it has one;
    ///     none of it where this is empty.
    ///   - since: Removes only what was stored or modified then or later; `nil` for all.
    /// - Returns: How many responses were removed, and their bytes; web views do not tell the size of their data.
    /// - Throws: The error of the web view's store, before any response is removed; or `StoreError`.
    @discardableResult
    package func clear<Store: WebsiteDataStore>(
        _ selection: EntrySelection, and kinds: Set<Store.Kind>, in websiteData: Store,
        since: WallInstant? = nil
    ) async throws -> RemovedContent {
        var selection = selection
        if let since, !selection.meansNothing { selection.storedSince = max(since, selection.storedSince ?? since) }
        // No adapter shall take none for all.
        if !kinds.isEmpty {
            // All subdomains, `*.shop.test`, belong to one site.
            let host = selection.host.map {
                TrustworthyOrigin.host(of: $0.hasPrefix("*.") ? String($0.dropFirst(2)) : $0)
            }
            try await websiteData.removeData(of: kinds, host: host, since: since)
        }
        return try await remove(selection)
    }
}

/// A web view's own data for pages, such as cookies and `localStorage`. Each adapter has one.
public protocol WebsiteDataStore<Kind>: Sendable {
    /// The kinds of data that this web view tells apart.
    associatedtype Kind: Hashable & Sendable

    /// Removes the data of some kinds; returns when it is gone.
    ///
    /// - Parameters:
    ///   - host: Removes only what the site of this host has; `nil` for all. A site is a registrable domain, such as
    ///     `example.co.uk`, with all hosts below it.
    ///   - since: Removes only what was modified then or later; `nil` for all. A store that keeps no times for one of
    ///     the kinds throws, and removes nothing. The data of one site has no times.
    func removeData(of kinds: Set<Kind>, host: String?, since: WallInstant?) async throws
}

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
            case let older = stored.filter({ $0.response.responseTime + .milliseconds(1) <= started }),
            older.count < stored.count
        else { return refreshed }
        // A variant that the origin no longer tells apart would go on answering. If it can't be removed, it still does.
        // A page keeps the versions that it was last shown with. Stored times are exact to a millisecond.
        let gone = older.filter { !StoredNotes.isSetAside($0.response) }
        if !gone.isEmpty { try? await store.discard(gone) }
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
