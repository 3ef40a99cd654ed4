import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// Why a response that came was not stored.
package struct NotStored: Hashable, Sendable {
    private enum Cause: Hashable {
        case rule(String, Verdict)
        case decision(StoreDecision.Reason)
        case unwritable(String?)
    }

    private let cause: Cause

    /// - Parameters:
    ///   - report: The report of the exchange; `nil` where there is none.
    ///   - rules: The rules in force.
    init(_ report: ExchangeReport?, _ request: HTTPRequest, _ response: HTTPResponse, rules: RuleList) {
        if let failure = report?.storeFailure {
            cause = .unwritable(failure.description)
            return
        }
        let verdict = report?.rule.flatMap { rules[$0] as? Rule }?.verdict
        switch verdict {
        case .bypass?, .neverStore?: cause = .rule(report?.rule ?? "", verdict ?? .bypass)
        case .storeOnlyIfExplicit? where Self.isStorable(request, response):
            cause = .rule(report?.rule ?? "", .storeOnlyIfExplicit)
        default: cause = report?.notStored.map { .decision($0) } ?? .unwritable(nil)
        }
    }

    /// Whether the protocol alone would have it stored, so that the rule is what kept it out.
    private static func isStorable(_ request: HTTPRequest, _ response: HTTPResponse) -> Bool {
        let decision = StoreDecision.decide(
            request: request, status: response.status, fields: response.headerFields, in: .private)
        return decision == .store
    }

    /// Whether the store would have it and could not be written.
    package var isStoreFailure: Bool {
        if case .unwritable(_?) = cause { true } else { false }
    }

    /// One word for programs: `rule`, `store`, or what `Cache-Status` calls it, such as `no-store` (RFC 9211 §2.8).
    package var reason: String {
        switch cause {
        case .rule: "rule"
        case .decision(let reason): reason.rawValue
        case .unwritable: "store"
        }
    }

    /// The cause and the cure, in one sentence.
    package var words: String {
        switch cause {
        case .rule(Rule.turnedOffName, _): Rule.turnedOffWords
        case .rule(let name, .storeOnlyIfExplicit): StoreDecision.Reason.notCacheable.words(by: name)
        case .rule(let name, let verdict): "The rule '\(name)' says \(verdict)."
        case .decision(let reason): reason.words
        case .unwritable(let failure): failure ?? "Something else was stored or removed meanwhile."
        }
    }
}
