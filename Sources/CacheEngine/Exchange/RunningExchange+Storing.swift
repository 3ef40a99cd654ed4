import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Receiving, committing and combining bodies, and RFC 9111 §4.4.
extension RunningExchange {
    func storeEmpty(_ stored: StoredResponse) async -> Bool {
        guard let key, let pending = try? cache.store.makePendingBody() else { return false }
        return await cache.commits.run(key) { [self] in await commit(pending, key: key, stored) != nil }
    }

    /// Receives and commits in a task of its own, which the readers keep going.
    func receive(
        _ source: any BodySource, into spool: SpooledBody, _ pending: any PendingBody, key: CacheKey,
        _ plan: StoragePlan
    ) {
        var exchange = self
        exchange.response = nil
        let receiver = exchange
        let arrival = cache.arrivals.begin(key, spool)
        cache.background.transfer {
            _ = try? await spool.pump(source)
            // What can't be stored was still delivered; the next request asks the origin again.
            if let stored = spool.stored,
                let extent = plan.extent(received: stored.length, isWhole: stored.isWhole)
            {
                await receiver.keep(pending, plan, extent, length: stored.length, key: key)
            }
            receiver.comparison?.end()
            // In this order: who waited for this to be stored must not share it when it was refused.
            if let flight = receiver.flight { receiver.cache.flights.land(key, flight) }
            receiver.cache.arrivals.end(key, arrival)
            receiver.cache.performMaintenanceWhereDue()
        }
    }

    /// Commits what arrived: as it is, or joined with the parts that are stored already (RFC 9111 §3.4).
    private func keep(
        _ pending: any PendingBody, _ plan: StoragePlan, _ extent: ContentExtent, length: Int64, key: CacheKey
    ) async {
        var response = plan.response
        response.extent = extent
        if extent == .complete, response.status == .partialContent { response.status = .ok }
        if isForbiddenSince(response) { return }
        // The whole waits as well: a part that is being joined meanwhile would take its place.
        await cache.commits.run(key) { [response] in
            if extent == .complete {
                await keepWhole(pending, response, length: length, key: key)
            } else {
                await keepPart(pending, plan, response, length: length, key: key)
            }
        }
    }

    /// Whether rules that have come into force since this began say that nothing of it is kept.
    private func isForbiddenSince(_ response: StoredResponse) -> Bool {
        guard policyGeneration != cache.policy.generation else { return false }
        let known = HTTPResponse(status: response.status, headerFields: response.fields)
        let exchange = machine.exchange(request.context.connectivity, response: known)
        return cache.policy.rules.decision(for: exchange).verdict == .neverStore
    }

    /// Commits the whole. Where the name of the file has a content hash, other bytes than before mean that the host's
    /// names can't be relied upon.
    private func keepWhole(
        _ pending: any PendingBody, _ response: StoredResponse, length: Int64, key: CacheKey
    ) async {
        guard let variant = notedVariant(of: response, length: length) else {
            _ = await commit(pending, key: key, response)
            return
        }
        let stored = try? await cache.store.commit(
            pending, key: key, response: response, since: mark, noting: variant)
        if let (entry, seen) = stored { await compare(entry, with: seen) }
    }

    /// Notes what a name with a content hash stands for.
    func noteContent(_ stored: StoredEntry) async {
        guard let variant = notedVariant(of: stored.response, length: stored.bodyLength.bytes) else { return }
        let seen = try? await cache.store.noteContent(stored.bodyDigest, under: stored.key, variant: variant)
        await compare(stored, with: seen)
    }

    /// What tells apart the contents that a name with a content hash may stand for; `nil` for other names, and for what is
    /// not what the name promises: a page in the place of a script breaks no promise of the script's.
    private func notedVariant(of response: StoredResponse, length: Int64) -> String? {
        guard request.head.authority != nil, isHashedName,
            machine.breach(response.status, response.fields, length: length) == nil
        else { return nil }
        // Compared as it was sent: a server that compresses anew may lose the privilege although the file is the same.
        let nominated = response.nominatedFields.values.sorted { $0.key < $1.key }
        let lines = nominated.map { "\($0.key): \($0.value ?? "")" }
        return ([response.fields[.contentEncoding] ?? ""] + lines).joined(separator: "\n")
    }

    private func compare(_ stored: StoredEntry, with seen: BodyDigest?) async {
        guard let seen, seen != stored.bodyDigest, let host = request.head.authority else { return }
        comparison?.noteBroken()
        let now = cache.now
        cache.policy.distrust(host, at: now)
        // A store that can't write it down learns it again.
        try? await cache.store.distrust(host, at: now)
    }

    var isHashedName: Bool {
        machine.policy.restsOnHashedName || request.head.path.map { HashedName(path: $0) != nil } == true
    }

    /// Commits a part, joined with what is stored of the same representation.
    private func keepPart(
        _ pending: any PendingBody, _ plan: StoragePlan, _ response: StoredResponse, length: Int64, key: CacheKey
    ) async {
        let entries = (try? await cache.store.entries(for: key)) ?? []
        let known = entries.first { $0.response.nominatedFields == response.nominatedFields }
        guard let known else {
            _ = await commit(pending, key: key, response)
            return
        }
        let isSame = Combination.isAllowed(known.response.fields, with: response.fields)
        guard known.response.extent != .complete else {
            // The whole is not given up for a part. Where the part is another representation's, the whole is outdated.
            guard !isSame else { return }
            var outdated = known.response
            outdated.needsValidation = true
            try? await cache.store.update(known.id, key: key, response: outdated)
            return
        }
        guard isSame, let place = plan.place(of: length),
            let combination = Combination(known.response.extent, with: place, completeLength: plan.completeLength),
            await areEqual(combination, known, pending)
        else {
            _ = await commit(pending, key: key, response)
            return
        }
        var combined = Freshening.freshen(
            known.response, with: response.fields, requestTime: response.requestTime,
            responseTime: response.responseTime, in: machine.kind)
        combined.nominatedFields = response.nominatedFields
        combined.extent = combination.extent
        if combination.extent == .complete, combined.status == .partialContent { combined.status = .ok }
        await extend(known, with: pending, combination, combined, or: response)
    }

    /// Stores a response, unless its key was invalidated since the request left: then it may show the old state.
    func commit(
        _ pending: any PendingBody, key: CacheKey, _ stored: StoredResponse
    ) async -> StoredEntry? {
        (try? await cache.store.commit(pending, key: key, response: stored, since: mark)) ?? nil
    }

    /// RFC 9111 §4.4, and Clear Site Data §4.3, which goes by host: both schemes, and the origin's own port.
    mutating func invalidate(after head: HTTPResponse, clearingOrigin: Bool) async {
        guard let key else { return }
        let isCurrent = mark.map { !cache.store.isInvalidated(key, since: $0) } ?? false
        let targets = Invalidation.targets(
            method: request.head.method, uri: key.uri, status: head.status, fields: head.headerFields)
        for uri in targets {
            let target = CacheKey(partition: key.partition, uri: uri)
            cache.flights.detach(target)
            _ = try? await cache.store.removeEntries(for: target)
        }
        if clearingOrigin {
            cache.flights.detachAll()
            for origin in key.originsOfHost {
                _ = try? await cache.store.removeEntries(origin: origin, partition: key.partition)
            }
        }
        // What this response itself brings is newer than what it made invalid.
        if isCurrent, !targets.isEmpty || clearingOrigin { mark = cache.store.mark() }
    }
}
