import CacheRules
import HTTPCacheSemantics
import Locking

/// The rules, and the hosts whose hashed names are not believed. Both can change while exchanges run; each exchange keeps
/// what it began with.
final class PolicyInForce: Sendable {
    /// How long a host is not believed after it was seen to send other bytes under a name. A build that does so does it
    /// again, and is caught again by the next comparison; a page that had an origin do so on purpose takes the host's
    /// privilege for no longer than this.
    static let distrustTime = Duration.seconds(86_400)

    struct State: Sendable {
        var rules: RuleList
        /// With the time at which each was caught.
        var distrustedHosts: [String: WallInstant] = [:]
        /// Counts changes.
        var generation: UInt64 = 0
    }

    private let state: LockedBox<State>

    init(_ rules: RuleList, distrustedHosts: [String: WallInstant]) {
        state = LockedBox(State(rules: rules, distrustedHosts: distrustedHosts))
    }

    var rules: RuleList {
        get { state.withLock { $0.rules } }
        set { change { $0.rules = newValue } }
    }

    /// Those that are not believed at a time.
    func distrustedHosts(at now: WallInstant) -> Set<String> {
        state.withLock { state in
            Set(state.distrustedHosts.filter { Self.isDistrusted($0.value, at: now) }.map(\.key))
        }
    }

    /// Replaces all of them.
    func setDistrustedHosts(_ hosts: [String: WallInstant]) { change { $0.distrustedHosts = hosts } }

    /// A clock that was set back must not make it longer.
    private static func isDistrusted(_ caught: WallInstant, at now: WallInstant) -> Bool {
        now < caught + distrustTime && caught < now + distrustTime
    }

    /// What an exchange keeps of the policy from its beginning to its end.
    struct Snapshot: Sendable {
        var rules: RuleList
        /// Whether the host's hashed names are not believed.
        var distrustsHashedNames = false
        /// See ``PolicyInForce/generation``.
        var generation: UInt64 = 0
    }

    /// The policy for a request to a host.
    func snapshot(for host: String?, at now: @autoclosure () -> WallInstant) -> Snapshot {
        let (rules, caught, generation) = state.withLock { state in
            let caught = state.distrustedHosts.isEmpty ? nil : host.flatMap { state.distrustedHosts[$0] }
            return (state.rules, caught, state.generation)
        }
        let isDistrusted = caught.map { Self.isDistrusted($0, at: now()) } ?? false
        return Snapshot(rules: rules, distrustsHashedNames: isDistrusted, generation: generation)
    }

    /// A number that grows with every change of the policy.
    var generation: UInt64 { state.withLock { $0.generation } }

    /// Forgets those that are believed again, and the first ones where there are too many.
    func distrust(_ host: String, at now: WallInstant) {
        change { state in
            state.distrustedHosts = state.distrustedHosts.filter { Self.isDistrusted($0.value, at: now) }
            state.distrustedHosts[host] = now
            guard state.distrustedHosts.count > Self.mostHosts else { return }
            if let first = state.distrustedHosts.min(by: { $0.value < $1.value })?.key {
                state.distrustedHosts[first] = nil
            }
        }
    }

    private static let mostHosts = 1_000

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.generation += 1
        }
    }
}
