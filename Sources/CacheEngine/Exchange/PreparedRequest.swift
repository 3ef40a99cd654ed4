import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// The meaning of a request under the policy in force, before the store is asked: its key, its directives and the
/// rules' first decision.
///
/// A request with equal fields in an equal context means the same until the policy changes. So a caller that often gets
/// equal requests, such as the proxy, may keep this and pass it to ``ResponseCache/begin(_:in:)`` again. It holds the
/// request's fields and nothing of any response.
package final class PreparedRequest: Sendable {
    /// Without content and without a listener for interim responses: both belong to one exchange.
    let request: EngineRequest
    /// Whether the request carries content.
    let hasContent: Bool
    /// The key under which responses to the request are stored; `nil` for a request without an address.
    package let key: CacheKey?
    let directives: RequestDirectives
    /// Whether the request asks for the whole of the resource unconditionally: no range and no condition.
    let isPlain: Bool
    /// Whether a rule has it share its key with other addresses.
    let sharesKey: Bool
    /// The rules' decision before a response is known.
    let decision: PolicyDecision
    let policy: RulesInForce.Snapshot
    let settings: Settings

    /// The settings that all requests of a cache share.
    struct Settings: Sendable {
        var kind: CacheKind
        /// Whether origins are waited for with patience alone, see ``OriginLimits/beforeFallback``.
        var hasPatience = true
        /// Whether the transport takes codings off, so that no part of coded content can be had, see
        /// ``DecodingTransport``.
        var transportDecodes = false
    }

    init(_ request: EngineRequest, policy: RulesInForce.Snapshot, settings: Settings) {
        let head = request.head
        self.request = EngineRequest(head: head, context: request.context)
        hasContent = request.body != nil
        self.policy = policy
        self.settings = settings
        directives = RequestDirectives(head.headerFields)
        isPlain = !head.headerFields.contains(.range) && !ConditionalRequest.isConditional(head.headerFields)
        let exchange = Exchange(
            request: head, destination: request.context.destination, connectivity: request.context.connectivity,
            distrustsHashedNames: policy.distrustsHashedNames)
        var keyed = head
        if let keying = policy.rules.keying(for: exchange) { keyed.path = keying.target }
        sharesKey = keyed.path != head.path
        let site = request.context.site
        key = CacheKey(
            keyed, partition: request.context.partition,
            site: request.context.preload.map { $0.isStaged ? $0.stagedSite(site) : site } ?? site)
        decision = policy.rules.decision(for: exchange)
    }

    /// Whether a selection may mean responses to the request, judged by its key.
    package func isMeant(by selection: EntrySelection) -> Bool { key.map { selection.contains($0) } ?? false }

    /// Whether a redirect names another address that has the same key.
    func leadsToOwnKey(_ redirect: HTTPResponse) -> Bool {
        guard let location = redirect.headerFields[.location],
            let uri = TargetURI.resolve(location, against: request.head.targetURL),
            uri != request.head.targetURL || sharesKey
        else { return false }
        return keyOfRequest(to: uri) == key
    }

    /// The key of the same request to another address.
    func keyOfRequest(to uri: String) -> CacheKey? {
        guard let target = TargetURI.split(uri) else { return nil }
        var next = request
        (next.head.scheme, next.head.authority, next.head.path) = (target.scheme, target.authority, target.path)
        return PreparedRequest(next, policy: policy, settings: settings).key
    }

    /// Whether the request still means this in a context. The label of the view decides nothing.
    ///
    /// A host is distrusted for a limited time, so a decision that rests on distrust is made again each time.
    func holds(in context: ExchangeContext, generation: UInt64) -> Bool {
        let own = request.context
        return generation == policy.generation && !policy.distrustsHashedNames
            && context.partition == own.partition && context.site == own.site
            && context.preload === own.preload && context.connectivity == own.connectivity && context.mode == own.mode
            && context.timeout == own.timeout && context.document == own.document
            && context.fieldsOmittedFromHits == own.fieldsOmittedFromHits && context.upperCache == own.upperCache
            && context.checksAllowedOrigin == own.checksAllowedOrigin && context.isBackground == own.isBackground
    }
}

/// The rules, and the hosts whose hashed names are distrusted. Both can change while exchanges run; each exchange keeps
/// those it began with.
final class RulesInForce: Sendable {
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

    func distrustedHosts(at now: WallInstant) -> Set<String> {
        state.withLock { state in
            Set(state.distrustedHosts.filter { Self.isDistrusted($0.value, at: now) }.map(\.key))
        }
    }

    func setDistrustedHosts(_ hosts: [String: WallInstant]) {
        guard state.withLock({ $0.distrustedHosts != hosts }) else { return }
        change { $0.distrustedHosts = hosts }
    }

    /// Whether a host is still distrusted. A clock that was set back must not prolong it.
    private static func isDistrusted(_ caught: WallInstant, at now: WallInstant) -> Bool {
        now < caught + distrustTime && caught < now + distrustTime
    }

    /// The policy as an exchange keeps it from its beginning to its end.
    struct Snapshot: Sendable {
        var rules: RuleList
        var distrustsHashedNames = false
        /// See ``RulesInForce/generation``.
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

    /// Distrusts a host. Forgets hosts that are trusted again and, beyond the limit, the one that was caught longest
    /// ago.
    ///
    /// - Parameter caught: Now, or as another process has noted.
    func distrust(_ host: String, since caught: WallInstant, at now: WallInstant) {
        change { state in
            state.distrustedHosts = state.distrustedHosts.filter { Self.isDistrusted($0.value, at: now) }
            state.distrustedHosts.note(host, at: caught)
        }
    }

    /// - Parameter caught: As another process has noted; what is long past says nothing.
    /// - Returns: Whether it was not known.
    func learnDistrust(of host: String, since caught: WallInstant, at now: WallInstant) -> Bool {
        let isKnown = state.withLock { $0.distrustedHosts[host].map { $0 >= caught } ?? false }
        guard !isKnown, Self.isDistrusted(caught, at: now) else { return false }
        distrust(host, since: caught, at: now)
        return true
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.generation += 1
        }
    }
}
