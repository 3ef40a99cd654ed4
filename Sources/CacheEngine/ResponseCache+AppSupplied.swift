import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Storing responses that the app supplies.
extension ResponseCache {
    /// Stores a response that did not come through the network, such as one shipped with the app. It counts as received
    /// now, and is found, validated and removed like any other.
    ///
    /// - Parameters:
    ///   - request: The GET that the response answers. Its fields count if the response has `Vary`.
    ///   - head: A final status and fields. A response whose own directives forbid storing (RFC 9111 §3) is refused.
    ///     One that states no freshness is stored, and validated before its first use with a network.
    ///   - content: The whole content, in the coding that the fields name.
    /// - Throws: ``EngineError/Code/notStorable``, ``EngineError/Code/invalidRequest``, or `StoreError`.
    package func store(_ head: HTTPResponse, content: [UInt8], for request: EngineRequest) async throws {
        let exchange = RunningExchange(request, cache: self)
        guard let key = exchange.key, request.head.method == .get, ["http", "https"].contains(request.head.scheme)
        else {
            throw EngineError(
                code: .invalidRequest, message: "Only responses to a GET of an http or https URL can be stored.")
        }
        var head = head
        HopByHopFields.remove(from: &head.headerFields)
        head.headerFields[.contentLength] = String(content.count)
        if !head.headerFields.contains(.date) { head.headerFields[.date] = HTTPDate.print(now) }
        let stored = try exchange.machine.storable(head, received: now)
        let pending = try store.makePendingBody()
        try pending.append(content)
        // After the commits under way for the same key: they would count as older than this one, and both would be
        // removed.
        let transfer = StoringTransfer(machine: exchange.machine, key: key, mark: nil, cache: self)
        let entry = try await transfer.replacing { [store, flights] in
            // A request in flight for the same key left before this; its response is older.
            flights.detach(key)
            return try await store.commit(pending, key: key, response: stored)
        }
        if let entry { await transfer.noteContent(entry) }
    }
}

/// Storing responses that were made before the app shipped, without standing in the way of what came since.
extension ResponseCache {
    /// The responses stored under a key, parts included.
    ///
    /// - Throws: `StoreError` when the store can't be read: it may hold something newer.
    package func entries(under key: CacheKey) async throws -> [StoredEntry] {
        await arrivals.waitForCommits(key)
        return try await store.entries(for: key)
    }

    /// Stores a response with content that is verified, unless something newer is stored, or the key was invalidated
    /// meanwhile. Requests in flight for the same are not disturbed: what they bring is newer.
    ///
    /// - Parameters:
    ///   - time: When it counts as received.
    ///   - tags: Are added to those of the rules.
    ///   - mayReplace: Says of each response under the key whether this one may take its place.
    ///   - mark: From before the first look at what is stored.
    /// - Returns: `nil` if nothing was stored.
    /// - Throws: ``EngineError/Code/notStorable`` where RFC 9111 §3 or a rule forbids it, or `StoreError` when the
    ///   store can't be written.
    package func store(
        _ head: HTTPResponse, _ content: any PendingBody, for request: EngineRequest, received time: WallInstant,
        tags: [String], since mark: StoreMark?, replacing mayReplace: @escaping @Sendable (StoredResponse) -> Bool
    ) async throws -> StoredEntry? {
        let exchange = RunningExchange(request, cache: self)
        guard case .lookUp(let key) = exchange.next else {
            throw EngineError(
                code: .notStorable,
                message: "This response may not be stored: its URL has no key, or a rule leaves it out of the cache.")
        }
        let response = try exchange.machine.storable(head, received: time, tags: tags)
        // No note of the content is made behind a name with a hash: the origin may code it differently, and a
        // difference from a note costs the origin's names their privilege.
        let transfer = StoringTransfer(machine: exchange.machine, key: key, mark: mark, cache: self)
        let entry = try await transfer.replacing { [store] in
            guard try await store.entries(for: key).allSatisfy({ mayReplace($0.response) }) else { return nil }
            _ = try await store.move(transfer.asides(besides: [key]))
            return try await store.commit(content, key: key, response: response, since: mark)
        }
        performMaintenanceWhereDue()
        return entry
    }
}

extension ExchangeMachine {
    /// RFC 9111 §3 for a response that no exchange has brought.
    ///
    /// - Parameters:
    ///   - time: When it counts as received.
    ///   - tags: Those of verified content, added to the rules'; `nil` for what the app supplies, which is also stored
    ///     where no field allows it.
    fileprivate func storable(
        _ head: HTTPResponse, received time: WallInstant, tags: [String]? = nil
    ) throws -> StoredResponse {
        var machine = self
        machine.applyRules(to: head.status, length: head.headerFields[.contentLength].flatMap { Int64($0) }, head)
        var needsValidation = false
        var decision = machine.decideStoring(request, head.status, head.headerFields)
        if tags == nil, decision == .doNotStore(.notCacheable) {
            // Nothing forbids storing it and no field allows it, but the app asks for it.
            var fields = head.headerFields
            fields[.cacheControl] = [fields[.cacheControl], "max-age=0"].compactMap { $0 }.joined(separator: ", ")
            needsValidation = true
            decision = machine.decideStoring(request, head.status, fields)
        }
        guard decision == .store, machine.policy.verdict != .neverStore, head.status != .partialContent else {
            throw EngineError(
                code: .notStorable,
                message: "This response may not be stored: its status, its fields or a rule forbid it.")
        }
        var response = StoredResponse(
            nominatedFields: machine.nominatedFields(head.headerFields), status: head.status,
            fields: StorableFields.select(from: head.headerFields, in: kind), requestTime: time, responseTime: time,
            needsValidation: needsValidation)
        // Heuristic freshness (§4.2.2) does not count for a response that no origin has sent.
        if tags == nil, FreshnessLifetime(of: response, in: kind).source == .heuristic {
            response.needsValidation = true
        }
        machine.retain(&response)
        if let tags {
            response.tags += tags + (machine.isPage(head.headerFields) ? [PageNews.tag(time)] : [])
            VerifiedContent.answerAll(&response)
        }
        return response
    }
}
