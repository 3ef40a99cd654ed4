import CacheRules
import HTTPCacheSemantics
import Locking

/// The rules, and the hosts whose hashed names are distrusted. Both can change while exchanges run; each exchange keeps
/// those it began with.
final class PolicyInForce: Sendable {
    /// How long a host is distrusted after it changed the bytes behind a hashed name. A build that does so does it
    /// again, and the next comparison finds it again; a page that made an origin do so on purpose takes the host's
    /// privilege for no longer than this.
    static let distrustTime = Duration.seconds(86_400)

    struct State: Sendable {
        var rules: RuleList
        /// Each with the time at which it changed the bytes behind a name.
        var distrustedHosts: [String: WallInstant] = [:]
        /// How often the policy has changed.
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

    /// The hosts that are distrusted at a time.
    func distrustedHosts(at now: WallInstant) -> Set<String> {
        state.withLock { state in
            Set(state.distrustedHosts.filter { Self.isDistrusted($0.value, at: now) }.map(\.key))
        }
    }

    /// Replaces all distrusted hosts.
    func setDistrustedHosts(_ hosts: [String: WallInstant]) { change { $0.distrustedHosts = hosts } }

    /// Whether a host is still distrusted. A clock that was set back must not prolong it.
    private static func isDistrusted(_ caught: WallInstant, at now: WallInstant) -> Bool {
        now < caught + distrustTime && caught < now + distrustTime
    }

    /// The policy as an exchange keeps it from its beginning to its end.
    struct Snapshot: Sendable {
        var rules: RuleList
        /// Whether the host's hashed names are distrusted.
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

    /// Distrusts a host. Forgets hosts that are trusted again and, beyond the limit, the one that was noted longest
    /// ago.
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
