import CacheRules
import HTTPTypes

/// The machine's last decision in one sentence.
extension Explainer {
    static func answer(
        _ action: ExchangeMachine.Action, of machine: ExchangeMachine
    ) -> (Explanation.Answer, summary: String, conditions: [String]) {
        switch action {
        case .serve(_, .fresh): return (.stored, "answered from the store; the origin is not asked", [])
        case .serve(_, .staleWhileRevalidating):
            return (.staleWhileRevalidating, "answered from the store at once, and validated in the background", [])
        case .serve: return (.stale, "answered from the store, though stale", [])
        case .forward(let head, _): return question(head, of: machine)
        case .fail(let error): return (.failed, error.message, [])
        case .lookUp, .freshen, .relay: return (.forwarded, "forwarded to the origin", [])
        }
    }

    private static func question(
        _ head: HTTPRequest, of machine: ExchangeMachine
    ) -> (Explanation.Answer, summary: String, conditions: [String]) {
        let sent = conditions.compactMap { name in head.headerFields[name].map { "\(name.rawName): \($0)" } }
        let fields = sent.isEmpty ? "" : " with " + sent.joined(separator: " and ")
        let fallback = fallback(of: machine)
        switch machine.question {
        case .rest?: return (.completed, "the origin is asked for the rest\(fields)", sent)
        case .headProbe?:
            return (
                .validated,
                "validated: the origin is asked by HEAD\(fields); a 304, or a 200 with the same validators, lets the "
                    + "stored response be used, anything else is followed by a GET\(fallback)", sent
            )
        case .validation(_, .some)?:
            return (
                .validated,
                "validated: the origin is asked\(fields); a 304 lets the stored response be used\(fallback)", sent
            )
        case .validation(_, nil)?, .whole?, nil:
            let reason = machine.status.forward?.rawValue ?? "miss"
            return (.forwarded, "forwarded to the origin\(fields) (\(reason))\(fallback)", sent)
        }
    }

    /// When the stored response answers although the origin is asked.
    private static func fallback(of machine: ExchangeMachine) -> String {
        guard machine.question?.fallback != nil, machine.mode != .revalidate,
            case .networkFirst = machine.policy.verdict
        else { return "" }
        guard let timeout = machine.timeout else { return "; the stored response answers when the origin fails" }
        return "; the stored response answers when the origin fails, or sends nothing within "
            + ReadableDuration.text(timeout)
    }

    private static let conditions: [HTTPField.Name] = [
        .ifNoneMatch, .ifModifiedSince, .ifRange, .range, .ifMatch, .ifUnmodifiedSince,
    ]
}
