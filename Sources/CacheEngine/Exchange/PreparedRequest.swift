import CacheRules
import HTTPCacheSemantics
import ResponseStore

/// What a request means under the policy in force, before the store is asked: its key, its directives and the rules'
/// first decision.
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
    /// The rules' decision before a response is known.
    let decision: PolicyDecision
    let policy: PolicyInForce.Snapshot
    let settings: Settings

    /// The settings that all requests of a cache share.
    struct Settings: Sendable {
        var kind: CacheKind
        var cacheName: String
        var servesStaleWhenUnreachable = true
        /// Whether the transport takes codings off, so that no part of coded content can be had, see
        /// ``DecodingTransport``.
        var transportDecodes = false
    }

    init(_ request: EngineRequest, policy: PolicyInForce.Snapshot, settings: Settings) {
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
        let site = request.context.site
        key = CacheKey(
            keyed, partition: request.context.partition,
            site: request.context.preload?.isStaged == true ? PreloadTerms.stagedSite(site) : site)
        decision = policy.rules.decision(for: exchange)
    }

    /// Whether a selection may mean responses to the request, judged by its key.
    package func isMeant(by selection: EntrySelection) -> Bool { key.map { selection.contains($0) } ?? false }

    /// The same request in another context. The destination follows from the request's own fields and stays.
    func request(in context: ExchangeContext) -> EngineRequest {
        var request = request
        request.context = context
        request.context.destination = self.request.context.destination
        return request
    }

    /// Whether the request still means this in a context. The labels of view and document decide nothing.
    ///
    /// A host is distrusted for a limited time, so a decision that rests on distrust is made again each time.
    func holds(in context: ExchangeContext, generation: UInt64) -> Bool {
        let own = request.context
        return generation == policy.generation && !policy.distrustsHashedNames
            && context.partition == own.partition && context.site == own.site
            && context.preload === own.preload && context.connectivity == own.connectivity && context.mode == own.mode
            && context.timeout == own.timeout
            && context.fieldsNotReused == own.fieldsNotReused
            && context.checksAllowedOrigin == own.checksAllowedOrigin && context.isBackground == own.isBackground
    }
}
