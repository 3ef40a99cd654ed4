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
    private let status: Int

    /// - Parameters:
    ///   - report: The report of the exchange; `nil` where there is none.
    ///   - rules: The rules in force.
    init(_ report: ExchangeReport?, _ request: HTTPRequest, _ response: HTTPResponse, rules: RuleList) {
        status = response.status.code
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

    /// The clause for a sentence that says that something is not stored.
    ///
    /// - Parameter policy: The owner of the rules, as in "the default rules".
    package func words(policy: String) -> String {
        switch cause {
        case .rule(let name, .storeOnlyIfExplicit):
            "the rule '\(name)' of \(policy) keeps only what states its own freshness, and the response does not"
        case .rule(let name, let verdict): "the rule '\(name)' of \(policy) says \(verdict)"
        case .decision(let reason): words(reason)
        case .unwritable(let failure): failure ?? "something else was stored or removed meanwhile"
        }
    }

    private func words(_ reason: StoreDecision.Reason) -> String {
        switch reason {
        case .methodNotStored: "answers to this method are not stored (RFC 9111 §3)"
        case .statusNotFinal: "status \(status) is not final (RFC 9111 §3)"
        case .statusNotUnderstood:
            "the response says must-understand, and status \(status) is not understood here (RFC 9111 §5.2.2.3)"
        case .partialContent: "the response does not say which part of the whole it is (RFC 9110 §14.4)"
        case .notModified, .conditionalRequest: "status \(status) answers a condition or range of this request alone"
        case .noStoreInRequest: "the request says no-store (RFC 9111 §5.2.1.5)"
        case .noStoreInResponse: "the response says no-store (RFC 9111 §5.2.2.5)"
        case .privateInSharedCache: "the response is private, and the cache is shared (RFC 9111 §5.2.2.7)"
        case .authenticatedInSharedCache: "the request carries credentials, and the cache is shared (RFC 9111 §3.5)"
        case .notCacheable:
            "status \(status) is not cacheable by itself, and the response states no freshness (RFC 9111 §3)"
        case .variesOnEverything: "the response says Vary: *, so that it fits no other request (RFC 9111 §4.1)"
        }
    }
}
