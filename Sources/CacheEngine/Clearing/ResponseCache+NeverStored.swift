import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Removing responses that were stored before a rule forbade it.
extension ResponseCache {
    /// Removes the stored responses that the rules in force never let be stored, in all partitions. Works in the
    /// background and returns at once; a new call ends the work of an earlier one. Call it once at the start; setting
    /// ``rules`` calls it later. Until it is removed, such a response answers no request.
    ///
    /// A rule sees a GET for the address that a response is stored under, with the fields that selected the response;
    /// the other fields and the destination of the original request are no longer known. A response that is arriving
    /// under earlier rules is not stored. One that can't be removed is found again at the next start, or by the next
    /// request.
    ///
    /// - Parameter whenDone: Called once with what was removed; not called where another call ended this one.
    package func removeNeverStored(whenDone: (@Sendable (RemovedContent) -> Void)? = nil) {
        let number = purges.withLock { number -> Int in
            number += 1
            return number
        }
        let rules = rules
        guard let forbidding = rules.forbidding else {
            whenDone?(RemovedContent())
            return
        }
        background.transfer {
            if let removed = await self.removeNeverStored(by: rules, forbidding, number) { whenDone?(removed) }
        }
    }

    /// Sets ``rules``, and tells what was removed because of the new ones.
    package func putInForce(_ rules: RuleList, whenDone: @escaping @Sendable (RemovedContent) -> Void) {
        policy.rules = rules
        removeNeverStored(whenDone: whenDone)
    }

    /// - Returns: The removed content; `nil` where another call has come first.
    private func removeNeverStored(by rules: RuleList, _ forbidding: RuleList, _ number: Int) async -> RemovedContent? {
        // Responses that the earlier rules let be stored are stored now, or are checked again before they are.
        await commits.waitForCommits()
        let judge = NeverStored(rules: rules, forbidding: forbidding)
        var last: StoredEntry.ID?
        var removed = RemovedContent()
        while purges.withLock({ $0 }) == number {
            let portion = (try? await store.summaries(of: .everything, after: last, limit: Self.portion)) ?? []
            for entry in portion where judge.mayCover(entry) {
                let stored = (try? await store.entries(for: entry.key)) ?? []
                guard stored.contains(where: judge.covers) else { continue }
                // As in an explicit removal, no trace may be left in the files.
                let selection = EntrySelection(of: entry.key)
                if let content = try? await remove(selection) { removed = removed + content }
            }
            guard portion.count == Self.portion else { return removed }
            last = portion.last?.id
            await Task.yield()
        }
        return nil
    }

    private static let portion = 500
}

/// Whether rules forbid a stored response.
private struct NeverStored {
    let rules: RuleList
    let forbidding: RuleList
    /// Whether the rules look at the fields of a response, so that its head has to be read.
    private let needsFields: Bool

    init(rules: RuleList, forbidding: RuleList) {
        (self.rules, self.forbidding) = (rules, forbidding)
        needsFields = forbidding.looksAtResponseFields
    }

    /// Whether the rules may forbid the response, judged by its address and content type.
    func mayCover(_ entry: EntrySummary) -> Bool {
        if needsFields { return true }
        let fields: HTTPFields = entry.contentType.map { [.contentType: $0] } ?? [:]
        return isNeverStored(entry.key, HTTPResponse(status: .ok, headerFields: fields), NominatedFields(), forbidding)
    }

    func covers(_ entry: StoredEntry) -> Bool {
        let response = HTTPResponse(status: entry.response.status, headerFields: entry.response.fields)
        return isNeverStored(entry.key, response, entry.response.nominatedFields, rules)
    }

    private func isNeverStored(
        _ key: CacheKey, _ response: HTTPResponse, _ nominated: NominatedFields, _ rules: RuleList
    ) -> Bool {
        guard let parts = TargetURI.split(key.uri) else { return false }
        var request = HTTPRequest(method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path)
        for (name, value) in nominated.values {
            if let name = HTTPField.Name(name), let value { request.headerFields[name] = value }
        }
        let exchange = Exchange(request: request, destination: .unknown, connectivity: .connected, response: response)
        return rules.decision(for: exchange).verdict == .neverStore
    }
}
