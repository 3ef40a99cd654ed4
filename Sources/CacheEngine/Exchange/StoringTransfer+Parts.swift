import HTTPCacheSemantics
import ResponseStore

/// Joins a part that arrived with the stored parts of the same representation, RFC 9111 §3.4.
extension StoringTransfer {
    /// Commits a part, joined with the stored parts of the same representation.
    func keepPart(
        _ pending: any PendingBody, _ plan: StoragePlan, _ response: StoredResponse, length: Int64,
        _ result: StoringResult?
    ) async {
        let entries = (try? await cache.store.entries(for: key)) ?? []
        let known = entries.first { $0.response.nominatedFields == response.nominatedFields }
        guard let known else { return await commit(pending, response, result) }
        let isSame = Combination.isAllowed(known.response.fields, with: response.fields)
        guard known.response.extent != .complete else {
            // A part does not replace a stored whole. If it belongs to another representation, the whole is outdated.
            guard !isSame else { return }
            var outdated = known.response
            outdated.needsValidation = true
            try? await cache.store.update(known.id, key: key, response: outdated, since: mark)
            return
        }
        guard isSame, let place = plan.place(of: length),
            let combination = Combination(known.response.extent, with: place, completeLength: plan.completeLength),
            await areEqual(combination, known, pending)
        else { return await commit(pending, response, result) }
        var combined = Freshening.freshen(
            known.response, with: response.fields, requestTime: response.requestTime,
            responseTime: response.responseTime, in: machine.kind)
        combined.nominatedFields = response.nominatedFields
        combined.extent = combination.extent
        if combination.extent == .complete, combined.status == .partialContent { combined.status = .ok }
        await extend(known, with: pending, combination, combined, or: response, result)
    }

    /// Whether the bytes that both parts have are equal. If not, their validator is wrong, and they are parts of
    /// different representations.
    private func areEqual(_ combination: Combination, _ known: StoredEntry, _ received: any PendingBody) async -> Bool {
        let shared = combination.shared
        guard !shared.isEmpty else { return true }
        guard let content = try? await cache.store.open(known) else { return false }
        for (stored, arrived) in shared {
            var offset: Int64 = 0
            let length = stored.upperBound - stored.lowerBound
            while offset < length {
                let count = Int(min(65_536, length - offset))
                guard let one = try? content.read(from: stored.lowerBound + offset, upTo: count),
                    let other = try? received.read(from: arrived.lowerBound + offset, upTo: count),
                    one == other, one.count == count
                else { return false }
                offset += Int64(count)
            }
        }
        return true
    }

    /// Adds a part to the stored ones, unless the key was invalidated since the request left.
    ///
    /// - Parameter alone: The part as a response of its own, for when the stored ones turn out to be gone.
    private func extend(
        _ known: StoredEntry, with received: any PendingBody, _ combination: Combination, _ combined: StoredResponse,
        or alone: StoredResponse, _ result: StoringResult?
    ) async {
        do {
            if combination.added?.isEmpty == true, combination.extent != .complete {
                try await cache.store.update(known.id, key: known.key, response: combined, since: mark)
            } else {
                let entry = try await cache.store.extend(
                    known, with: received, by: combination, response: combined, since: mark)
                if let entry { await discardOutdated(by: entry) }
            }
            result?.note { $0.isStored = true }
        } catch let error as StoreError where error.code == .corruptEntry {
            await commit(received, alone, result)
        } catch {
            // The stored parts are worth more than this one, so they stay.
            result?.noteFailure(error)
        }
    }
}
