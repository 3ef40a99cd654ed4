import CacheRules
import Locking

/// The rules, and the hosts whose hashed names are no longer believed. Both can change while exchanges run; each
/// exchange keeps what it began with.
final class PolicyInForce: Sendable {
    struct State: Sendable {
        var rules: RuleList
        var distrustedHosts: Set<String> = []
        /// Counts changes.
        var generation: UInt64 = 0
    }

    private let state: LockedBox<State>

    init(_ rules: RuleList, distrustedHosts: Set<String>) {
        state = LockedBox(State(rules: rules, distrustedHosts: distrustedHosts))
    }

    var rules: RuleList {
        get { state.withLock { $0.rules } }
        set { change { $0.rules = newValue } }
    }

    var distrustedHosts: Set<String> {
        get { state.withLock { $0.distrustedHosts } }
        set { change { $0.distrustedHosts = newValue } }
    }

    /// For a request to a host: the rules, whether its hashed names are not believed, and the generation of both.
    func forHost(_ host: String?) -> (rules: RuleList, distrustsHashedNames: Bool, generation: UInt64) {
        state.withLock { state in
            // Hardly ever is there any.
            let isDistrusted = !state.distrustedHosts.isEmpty && host.map { state.distrustedHosts.contains($0) } == true
            return (state.rules, isDistrusted, state.generation)
        }
    }

    /// Differs from what it was when the policy has changed since.
    var generation: UInt64 { state.withLock { $0.generation } }

    func distrust(_ host: String) {
        change { _ = $0.distrustedHosts.insert(host) }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.generation += 1
        }
    }
}
