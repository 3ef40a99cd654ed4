import CacheEngine
import CacheRules
import HTTPCacheSemantics
import ResponseStore

extension ExchangeReport {
    /// False for the news alone that a newer page is in its place: its server was asked in exchanges of their own.
    package var isExchange: Bool { !bringsNewerPage || cacheStatus.forward != nil }

    /// The rule, where the status alone would not keep a response out of the store.
    fileprivate var rulePastProtocol: String? {
        HeuristicFreshness.isHeuristicallyCacheable(status) ? rule : nil
    }
}

extension ExchangeLine {
    package init(_ report: ExchangeReport) {
        self.init(
            method: report.method.rawValue, url: report.uri, destination: report.destination.rawValue,
            outcome: (report.failure == nil ? report.outcome : .failed).rawValue, status: report.status,
            cacheStatus: report.cacheStatus.description,
            detail: report.cacheStatus.detail, rule: report.rule, bytes: report.bodyBytes,
            originBytes: report.originBytes, millisecondsToHead: report.timeToHead / .milliseconds(1),
            milliseconds: report.duration / .milliseconds(1),
            breaksHashedName: report.breaksHashedName, background: report.isBackground || report.isPreload,
            start: report.start / .milliseconds(1), storeFailure: report.storeFailure?.description,
            // A client that gets a 304 has a response of its own.
            notStored: report.notStored == .notModified ? nil : report.notStored?.words(by: report.rulePastProtocol),
            failure: (report.failure ?? report.originFailure)?.description)
        past = report.failure?.past?.words
        if report.isPreload { ahead = true }
        if report.repeats > 0 { repeats = report.repeats }
        if report.outcome == .forwarded, !report.isComplete, report.notStored == nil, report.storeFailure == nil,
            report.method == .get, report.status < 400
        {
            notStored = PastEvent.brokeOffWords
        }
        if report.outcome == .forwarded, report.cacheStatus.forward == .bypass, let rule {
            notStored = "The rule '\(rule)' leaves it alone."
        }
        if report.rule == Rule.turnedOffName { notStored = Rule.turnedOffWords }
        referrer = report.requestFields[.referer]
        mistakes = report.mistakes.isEmpty ? nil : report.mistakes
        heads = Heads(
            request: report.requestFields, response: report.responseFields,
            ended: report.ended.sinceEpoch / .milliseconds(1))
    }
}
