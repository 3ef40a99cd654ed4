import HTTPCacheSemantics
import ResponseStore

/// A part that arrived and what is stored of the same representation, RFC 9111 §3.4.
extension RunningExchange {
    /// Whether what both have is the same. Where it is not, their validator says what is not so, and they are parts of
    /// different representations.
    func areEqual(_ combination: Combination, _ known: StoredEntry, _ received: any PendingBody) async -> Bool {
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

    /// Adds a part to what is stored, unless the key was invalidated since the request left.
    ///
    /// - Parameter alone: The part as a response of its own, where what is stored turns out to be gone.
    func extend(
        _ known: StoredEntry, with received: any PendingBody, _ combination: Combination, _ combined: StoredResponse,
        or alone: StoredResponse
    ) async {
        let key = known.key
        do {
            if combination.added?.isEmpty == true, combination.extent != .complete {
                try await cache.store.update(known.id, key: key, response: combined)
            } else {
                _ = try await cache.store.extend(
                    known, with: received, by: combination, response: combined, since: mark)
            }
        } catch let error as StoreError where error.code == .corruptEntry {
            _ = await commit(received, key: key, alone)
        } catch {
            // What was stored before is worth more than this part.
        }
    }
}
