/// A slow cache that keeps every exchange it ever saw and knows every state that RFC 9111 lets a cache be in after
/// them.
///
/// If the standard, with our choices, says what must happen, there is one state; if it says MAY, there are several, and
/// the next exchange may rule some of them out. If an exchange fits none, the cache is wrong.
struct ModelCache {
    /// Everything that may be stored under one key.
    struct Shelf: Hashable {
        var partition: String
        var target: String
        /// The possible states, each as a list of the stored responses.
        var alternatives: [[ModelRecord]] = [[]]
        /// Whether a response may have answered stale because there was no network, and the origin has not answered
        /// since.
        var mayBeOwed = false
    }

    let kind: ModelKind
    private(set) var history: [ModelExchange] = []
    private(set) var shelves: [Shelf] = []

    init(_ kind: ModelKind) {
        self.kind = kind
    }

    /// Adds an exchange to the history.
    ///
    /// - Returns: What is wrong with the exchange; `nil` when it was allowed.
    mutating func observe(_ exchange: ModelExchange) -> String? {
        let request = exchange.request
        let shelf = index(request.partition, request.target)
        var next: [[ModelRecord]] = []
        var seen: Set<Set<ModelRecord>> = []
        var allowed: [String] = []
        for records in shelves[shelf].alternatives {
            let reuse = ModelReuse(
                cache: kind, request: request, now: exchange.presentedAt, mayBeOwed: shelves[shelf].mayBeOwed)
            for action in reuse.actions(records) {
                var outcome = ModelOutcome(cache: kind, exchange: exchange, records: records)
                outcome.take(action)
                for state in outcome.next.map({ Self.settled($0) }) where seen.insert(Set(state)).inserted {
                    next.append(state)
                }
                var text = action.description
                if !outcome.complaints.isEmpty { text += " (\(outcome.complaints.joined(separator: "; ")))" }
                if !allowed.contains(text) { allowed.append(text) }
            }
        }
        history.append(exchange)
        guard !next.isEmpty else { return "allowed was: " + allowed.joined(separator: ", or ") }
        shelves[shelf].alternatives = next
        if exchange.contacts.contains(where: { $0.response != nil }) {
            shelves[shelf].mayBeOwed = false
        } else if exchange.answer.failure == nil, request.isDisconnected || !exchange.contacts.isEmpty {
            shelves[shelf].mayBeOwed = true
        }
        invalidateOthers(after: exchange)
        return nil
    }

    /// A state without data that can no longer matter, so that states that no exchange can tell apart are equal.
    private static func settled(_ records: [ModelRecord]) -> [ModelRecord] {
        var settled: [ModelRecord] = []
        for record in records.map(\.settled) where !settled.contains(record) { settled.append(record) }
        return settled
    }

    private mutating func index(_ partition: String, _ target: String) -> Int {
        if let index = shelves.firstIndex(where: { $0.partition == partition && $0.target == target }) { return index }
        shelves.append(Shelf(partition: partition, target: target))
        return shelves.count - 1
    }

    /// §4.4: `Location` and `Content-Location` of the same origin. ``observe(_:)`` invalidates the target itself.
    private mutating func invalidateOthers(after exchange: ModelExchange) {
        let request = exchange.request
        guard let response = exchange.contacts.last?.response, Self.invalidates(request, response) else { return }
        for name in ["location", "content-location"] {
            guard let reference = response.fields.first(name) else { continue }
            let target = ModelTarget.resolved(reference, against: request.target)
            guard target != request.target, ModelTarget.origin(target) == ModelTarget.origin(request.target) else {
                continue
            }
            let shelf = index(request.partition, target)
            var seen: Set<Set<ModelRecord>> = []
            shelves[shelf].alternatives = shelves[shelf].alternatives.flatMap { Self.invalidated($0) }
                .filter { seen.insert(Set($0)).inserted }
        }
    }

    /// "a non-error status code in response to an unsafe request method (including methods whose safety is unknown)".
    static func invalidates(_ request: ModelRequest, _ response: ModelResponse) -> Bool {
        !["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.method) && (200...399).contains(response.status)
    }

    /// "the cache will either remove all stored responses whose target URI matches the given URI or mark them as
    /// 'invalid'".
    static func invalidated(_ records: [ModelRecord]) -> [[ModelRecord]] {
        let marked = records.map { record in
            var record = record
            record.isInvalid = true
            return record
        }
        return records.isEmpty ? [[]] : [[], marked]
    }
}
