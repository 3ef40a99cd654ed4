import CacheEngine
import CacheRules
import Locking
import ViewCare

/// The rules that the app sets, behind what publishers have turned off.
final class PolicyInForce: Sendable {
    private let state: LockedBox<(rules: RuleList, turnedOff: TurnedOff)>
    private let cache: ResponseCache

    /// - Parameter cache: Has the policy already.
    init(_ rules: RuleList, _ turnedOff: TurnedOff, of cache: ResponseCache) {
        (state, self.cache) = (LockedBox((rules, turnedOff)), cache)
    }

    /// As the app has set them.
    var rules: RuleList {
        get { state.withLock { $0.rules } }
        set { change { $0.rules = newValue } }
    }

    var turnedOff: TurnedOff {
        get { state.withLock { $0.turnedOff } }
        set { if newValue != turnedOff { change { $0.turnedOff = newValue } } }
    }

    private func change(_ change: (inout (rules: RuleList, turnedOff: TurnedOff)) -> Void) {
        state.withLock { state in
            change(&state)
            cache.rules = state.turnedOff.before(state.rules)
        }
    }
}
