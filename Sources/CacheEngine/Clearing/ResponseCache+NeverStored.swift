import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// What is stored from before a rule said that nothing may be.
extension ResponseCache {
    /// Removes in the background what the rules in force say is never to be stored, whoever's it is; returns at once. To be
    /// called once at the start; rules that are set later do it themselves. Another call ends what an earlier one has not
    /// done yet. Until it is removed, such a response answers nobody.
    ///
    /// A rule is asked about a GET of the address that a response is stored under, with the fields that selected the response;
    /// what else the request had, and what it was for, nobody knows any more. What is arriving by earlier rules finds that it
    /// is not wanted. What can't be removed is met again by the next start, or by the next request.
    ///
    /// - Parameter whenDone: Called once with what was removed; not where another call came first. `nil` unless given.
    public func removeNeverStored(whenDone: (@Sendable (RemovedContent) -> Void)? = nil) {
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
    ///
    /// - Parameter whenDone: As of ``removeNeverStored(whenDone:)``.
    public func putInForce(_ rules: RuleList, whenDone: @escaping @Sendable (RemovedContent) -> Void) {
        policy.rules = rules
        removeNeverStored(whenDone: whenDone)
    }

    /// - Returns: What was removed; `nil` where another call has come first.
    private func removeNeverStored(by rules: RuleList, _ forbidding: RuleList, _ number: Int) async -> RemovedContent? {
        // What was about to be stored by the rules from before is there now, or will be looked at again.
        await commits.waitForCommits()
        let judge = NeverStored(rules: rules, forbidding: forbidding)
        var last: StoredEntry.ID?
        var removed = RemovedContent()
        while purges.withLock({ $0 }) == number {
            let portion = (try? await store.summaries(of: .everything, after: last, limit: Self.portion)) ?? []
            for entry in portion where judge.mayCover(entry) {
                let stored = (try? await store.entries(for: entry.key)) ?? []
                guard stored.contains(where: judge.covers) else { continue }
                // As when somebody removes it: no trace is to be left in the files either.
                let selection = EntrySelection(uri: entry.key.uri, partition: entry.key.partition)
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

/// Whether rules say of a stored response that it is never to be.
private struct NeverStored {
    let rules: RuleList
    let forbidding: RuleList
    /// Whether a response's head has to be read to tell.
    private let needsFields: Bool

    init(rules: RuleList, forbidding: RuleList) {
        (self.rules, self.forbidding) = (rules, forbidding)
        needsFields = forbidding.looksAtFields
    }

    /// As far as the address and the type of the content tell.
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
        var request = HTTPRequest(
            method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path)
        for (name, value) in nominated.values {
            if let name = HTTPField.Name(name), let value { request.headerFields[name] = value }
        }
        let exchange = Exchange(request: request, destination: .unknown, connectivity: .connected, response: response)
        return rules.decision(for: exchange).verdict == .neverStore
    }
}
