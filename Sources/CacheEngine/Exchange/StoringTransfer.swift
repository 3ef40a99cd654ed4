import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// Puts one response into the store: receives its content, then commits it as it is or joined with stored parts.
///
/// It works in a task of its own, which lasts while the content has readers, and knows nothing of the client.
struct StoringTransfer: Sendable {
    /// The machine that decided about the response.
    let machine: ExchangeMachine
    let key: CacheKey
    /// When the request left, see ``RunningExchange/mark``.
    let mark: StoreMark?
    /// Whether the content paused while it came.
    var contentPauses: AtomicFlag?
    let cache: ResponseCache

    private var head: HTTPRequest { machine.request }

    private var isHashedName: Bool {
        machine.policy.restsOnHashedName || head.path.map { HashedName(path: $0) != nil } == true
    }

    func storeEmpty(_ response: StoredResponse, _ result: StoringResult) async {
        do {
            try await cache.commits.run([key]) {
                await commit(try cache.store.makePendingBody(), response, result)
            }
        } catch { failed(error, result) }
        result.end()
    }

    /// Receives and commits in a task of its own.
    func receive(
        _ source: any BodySource, into spool: SpooledBody, _ pending: any PendingBody, _ plan: StoragePlan,
        flight: InFlight?, _ result: StoringResult?
    ) {
        pending.keepWhenKilled(key, since: mark) { length in
            plan.extent(received: length, isWhole: false).map { extent in
                var response = plan.response
                response.extent = extent
                return response
            }
        }
        let arrival = cache.arrivals.begin(key, spool)
        cache.background.transfer {
            _ = try? await spool.pump(source)
            // A response that can't be stored was still delivered; the next request asks the origin.
            if let stored = spool.stored,
                let extent = plan.extent(received: stored.length, isWhole: stored.isWhole)
            {
                await keep(pending, plan, extent, length: stored.length, result)
            } else if let failure = spool.storingFailure {
                failed(failure, result)
            }
            result?.end()
            // In this order: a request that waited for the commit must not join the flight if the store refused the
            // response.
            if let flight { cache.flights.land(key, flight) }
            cache.arrivals.end(key, arrival)
            cache.performMaintenanceWhereDue()
        }
    }

    /// Commits the content that arrived: as it is, or joined with stored parts (RFC 9111 §3.4).
    private func keep(
        _ pending: any PendingBody, _ plan: StoragePlan, _ extent: ContentExtent, length: Int64,
        _ result: StoringResult?
    ) async {
        var response = plan.response
        response.extent = extent
        if extent == .complete, response.status == .partialContent { response.status = .ok }
        if contentPauses?.value == true, HeldPart.mayPause(response.fields.mediaType ?? "") {
            response.tags.append(HeldPart.pausingTag)
        }
        if isForbiddenSince(response) { return }
        // The whole waits as well: a part that is being joined meanwhile would replace it.
        try? await cache.commits.run([key]) { [response] in
            if extent == .complete {
                await commit(pending, response, result, noting: notedVariant(of: response, length: length))
            } else {
                await keepPart(pending, plan, response, length: length, result)
            }
        }
    }

    /// Whether rules that have come into force since this began forbid storing the response.
    private func isForbiddenSince(_ response: StoredResponse) -> Bool {
        guard machine.prepared.policy.generation != cache.policy.generation else { return false }
        let known = HTTPResponse(status: response.status, headerFields: response.fields)
        let exchange = machine.exchange(machine.context.connectivity, response: known)
        return cache.policy.rules.decision(for: exchange).verdict == .neverStore
    }

    /// Notes the content behind a name with a content hash.
    func noteContent(_ stored: StoredEntry) async {
        guard let variant = notedVariant(of: stored.response, length: stored.bodyLength.bytes) else { return }
        let seen = try? await cache.store.noteContent(stored.bodyDigest, under: stored.key, variant: variant)
        await compare(stored, with: seen, nil)
    }

    /// Identifies the variant of the content behind a name with a content hash; `nil` for other names, and for a
    /// response that is not what the name promises: a page in place of a script says nothing about the script.
    private func notedVariant(of response: StoredResponse, length: Int64) -> String? {
        // Staged content has proved nothing yet.
        guard head.authority != nil, isHashedName, machine.context.preload?.isStaged != true,
            machine.breach(response.status, response.fields, length: length) == nil
        else { return nil }
        // The bytes are compared as sent: a server that compresses the same file differently may lose the privilege.
        let nominated = response.nominatedFields.values.sorted { $0.key < $1.key }
        let lines = nominated.map { "\($0.key): \($0.value ?? "")" }
        return ([response.fields[.contentEncoding] ?? ""] + lines).joined(separator: "\n")
    }

    private func compare(_ stored: StoredEntry, with seen: BodyDigest?, _ result: StoringResult?) async {
        guard let seen, seen != stored.bodyDigest, let host = head.authority else { return }
        result?.note { $0.breaksHashedName = true }
        let now = cache.now
        cache.policy.distrust(host, since: now, at: now)
        // If the store can't write it down, the next comparison finds it again.
        try? await cache.store.distrust(host, at: now)
    }

    /// Stores a response, unless its key was invalidated since the request left: then it may show the old state.
    ///
    /// - Parameter variant: Of the content behind a name with a content hash; if its bytes have changed, the host's
    ///   names become distrusted.
    func commit(
        _ pending: any PendingBody, _ response: StoredResponse, _ result: StoringResult?, noting variant: String? = nil
    ) async {
        await keepOlder(than: response)
        do {
            let stored = try await cache.store.commit(
                pending, key: key, response: response, since: mark, noting: variant)
            cache.unwritten.note(key, isWritten: true)
            guard let (entry, seen) = stored else { return }
            result?.note { $0.isStored = true }
            await discardOutdated(by: entry)
            cache.noteFile(entry, for: machine.prepared.request)
            await compare(entry, with: seen, result)
        } catch {
            failed(error, result)
        }
    }

    /// Notes a failure: the older response that this one should have replaced may be there still.
    private func failed(_ error: any Error, _ result: StoringResult?) {
        cache.unwritten.note(key, isWritten: false)
        result?.noteFailure(error)
    }

    /// Stores a response after the commits under way for its key, and removes what it has replaced.
    ///
    /// - Returns: `nil` if nothing was stored.
    func replacing(by store: @escaping @Sendable () async throws -> StoredEntry?) async throws -> StoredEntry? {
        try await cache.commits.run([key]) {
            let entry = try await store()
            if let entry { await discardOutdated(by: entry) }
            return entry
        }
    }

    /// Removes what a whole response has replaced: the older ones that its own request selects, though other fields
    /// nominate them.
    ///
    /// A full response "indicates that none of the stored responses nominated in the conditional request are suitable"
    /// (§4.3.3). Without this, one with `Vary` would be preferred for good to those after it without (§4.1).
    func discardOutdated(by entry: StoredEntry) async {
        guard entry.response.extent == .complete,
            let stored = try? await cache.store.entries(for: entry.key), stored.count > 1
        else { return }
        let outdated = stored.filter { other in
            other.id != entry.id && other.response.responseTime <= entry.response.requestTime
                && (machine.isReplaced(other.response)
                    || PageSets.isAside(other.response) && PageFile(other) == PageFile(entry))
        }
        if !outdated.isEmpty { try? await cache.store.discard(outdated) }
    }
}

/// How a response that is arriving is to be stored.
struct StoragePlan: Sendable {
    /// The response as it will be stored, except for its extent.
    var response: StoredResponse
    /// Where the content that arrives lies in the representation; `nil` for all of it.
    var part: Range<Int64>?
    /// The length of the whole representation in bytes, if the origin stated it.
    var completeLength: Int64?
    /// Whether an incomplete response may be stored: "If the request method is GET, the response status code is 200
    /// (OK)", or 206 as if it were (§3.3).
    var mayBeIncomplete = true

    /// How many bytes should arrive; `nil` if unknown.
    var expectedLength: Int64? { part.map { $0.upperBound - $0.lowerBound } ?? completeLength }

    /// The extent of the content once the transfer has ended; `nil` when it is not worth keeping.
    ///
    /// "A cache MUST NOT store incomplete or partial-content responses if it does not support the Range and
    /// Content-Range header fields" (RFC 9111 §3.3): this cache does, and keeps the beginning of a response that broke
    /// off if a strong validator lets it ask for the rest.
    func extent(received: Int64, isWhole: Bool) -> ContentExtent? {
        if isWhole, expectedLength.map({ $0 == received }) ?? true {
            return part.map { ContentExtent($0, completeLength: completeLength) } ?? .complete
        }
        guard mayBeIncomplete, received > 0, received < expectedLength ?? .max, let place = place(of: received),
            Combination.isAllowed(response.fields, with: response.fields)
        else { return nil }
        return ContentExtent(place, completeLength: completeLength)
    }

    /// Where the received bytes lie in the representation; `nil` if their end overflows.
    func place(of received: Int64) -> Range<Int64>? {
        let start = part?.lowerBound ?? 0
        let (end, overflow) = start.addingReportingOverflow(received)
        return overflow || received < 0 ? nil : start..<end
    }
}

/// The outcome of storing a response. Known once the store has committed or refused it, which may be
/// before or after its reader has received the last byte.
final class StoringResult: Sendable {
    struct Value: Sendable {
        /// Whether the store has it now.
        var isStored = false
        /// Why the store could not keep it; `nil` where something else than the store decided against it.
        var failure: StoreError?
        /// Whether the bytes behind a name with a content hash have changed.
        var breaksHashedName = false
    }

    private struct State {
        var value = Value()
        var isOver = false
        var waiting: (@Sendable (Value) -> Void)?
    }

    private let state = LockedBox(State())

    var value: Value { state.withLock { $0.value } }

    func note(_ change: @Sendable (inout Value) -> Void) { state.withLock { change(&$0.value) } }

    /// Only the first one counts: it is the cause of those that follow.
    func noteFailure(_ error: any Error) {
        let failure =
            error as? StoreError
            ?? StoreError(code: .writeFailed, message: "The response could not be stored.", cause: error)
        note { if $0.failure == nil { $0.failure = failure } }
    }

    /// Nothing is noted any more.
    func end() {
        let (report, value) = state.withLock { state -> ((@Sendable (Value) -> Void)?, Value) in
            state.isOver = true
            defer { state.waiting = nil }
            return (state.waiting, state.value)
        }
        report?(value)
    }

    /// Calls back once the result is known, at once if it is known already. Use it once.
    func whenOver(_ report: @escaping @Sendable (Value) -> Void) {
        let known = state.withLock { state -> Value? in
            if !state.isOver { state.waiting = report }
            return state.isOver ? state.value : nil
        }
        if let known { report(known) }
    }
}
