import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Storing responses that were made before the app shipped, without standing in the way of what came since.
extension ResponseCache {
    /// The responses stored under a key, parts included.
    ///
    /// - Throws: `StoreError` when the store can't be read: it may hold something newer.
    package func entries(under key: CacheKey) async throws -> [StoredEntry] {
        await arrivals.waitForCommits(key)
        return try await store.entries(for: key)
    }

    /// A body for ``store(_:_:for:received:tags:since:replacing:)``, not visible before.
    ///
    /// - Throws: `StoreError` when the store can't be written.
    package func makePendingBody() throws -> any PendingBody { try store.makePendingBody() }

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
            return try await store.commit(content, key: key, response: response, since: mark)
        }
        performMaintenanceWhereDue()
        return entry
    }

    /// Returns once no page uses the network, or the exchange ahead of need is wanted by a page.
    ///
    /// - Throws: `CancellationError`.
    package func giveWay(_ terms: PreloadTerms) async throws {
        try await traffic.waitForQuiet { terms.isPromoted }
    }
}

extension ExchangeMachine {
    /// RFC 9111 §3 for a 200 that was received at a time in the past.
    fileprivate func storable(
        _ head: HTTPResponse, received time: WallInstant, tags: [String]
    ) throws -> StoredResponse {
        var machine = self
        let length = head.headerFields[.contentLength].flatMap { Int64($0) }
        machine.applyRules(to: head.status, length: length, head)
        let decision = machine.decideStoring(request, head.status, head.headerFields)
        guard decision == .store, machine.policy.verdict != .neverStore else {
            throw EngineError(
                code: .notStorable, message: "This response may not be stored: its fields or a rule forbid it.")
        }
        var response = StoredResponse(
            nominatedFields: machine.nominatedFields(head.headerFields), status: head.status,
            fields: StorableFields.select(from: head.headerFields, in: kind), requestTime: time, responseTime: time)
        machine.retain(&response)
        response.tags += tags
        VerifiedContent.answerAll(&response)
        return response
    }
}
