import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// What the policy's decision makes of the protocol; what each verdict means is said at `Verdict`.
extension ExchangeMachine {
    /// Longer than anything is stored.
    private static let always = Duration.seconds(100 * 365 * 86_400)

    /// Why a rule's verdict does not hold for a response.
    enum Disbelief: Hashable {
        /// It is an error in the place of a file.
        case error
        /// It is not what a name with a content hash promises; in words, see `NamePromise`.
        case notAsNamed(String, rule: String?)
    }

    /// Asks the rules once more, now that a response is known. A head is made only where one of them looks at it, or
    /// where the response before it was not believed.
    ///
    /// - Parameter length: Of its content, in bytes, where that is known.
    mutating func applyRules(
        to known: HTTPResponse.Status, length: Int64?, _ response: @autoclosure () -> HTTPResponse
    ) {
        if rules.looksAtResponse || disbelief != nil {
            policy = rules.decision(for: exchange(context.connectivity, response: response()))
            status.detail = policy.rule
        }
        disbelief = nil
        defer { trace?.append(.policy(policy, disbelief)) }
        guard answersUnasked else { return }
        // What a rule knows of a file holds for no error in its place, such as the 404 of a server that does not have
        // the new file yet: it would stand there as long as the file.
        if known.code >= 400 {
            disbelief = .error
            (policy.verdict, policy.restsOnHashedName) = (.followProtocol, false)
        } else if policy.restsOnHashedName {
            let received = response()
            if let breach = breach(known, received.headerFields, length: length) { disbelieve(received, breach) }
        }
    }

    /// What keeps a response from being what the request's name promises.
    func breach(_ known: HTTPResponse.Status, _ received: HTTPFields, length: Int64?) -> String? {
        NamePromise.breach(
            path: request.path ?? "", status: known, fields: received, length: length, in: kind,
            ignoring: policy.ignoring)
    }

    /// Lets the rules decide as if no name had a content hash. What another one of them knows of files with such an address
    /// is no truer of a response that is none.
    private mutating func disbelieve(_ response: HTTPResponse, _ breach: String) {
        let believing = policy.rule
        disbelief = .notAsNamed(breach, rule: believing)
        var exchange = exchange(context.connectivity, response: response)
        exchange.distrustsHashedNames = true
        policy = rules.decision(for: exchange)
        if policy.rule != believing, answersUnasked { policy = PolicyDecision(verdict: .followProtocol, rule: nil) }
        status.detail = policy.rule
    }

    /// Whether the verdict lets the store answer where the response's own terms do not.
    private var answersUnasked: Bool {
        switch policy.verdict {
        case .fresh, .permanent, .cacheFirst, .staleWhileRevalidate: true
        case .neverStore, .reload, .revalidate, .networkFirst, .staleIfError, .onlyIfStored, .bypass,
            .storeOnlyIfExplicit, .followProtocol:
            false
        }
    }

    /// What the rules may look at.
    func exchange(_ connectivity: Connectivity, response: HTTPResponse? = nil) -> Exchange {
        Exchange(
            request: request, destination: context.destination, connectivity: connectivity, response: response,
            distrustsHashedNames: prepared.policy.distrustsHashedNames)
    }

    /// Whether a rule wants the store to answer, or nobody.
    var isCacheOnly: Bool { policy.verdict == .onlyIfStored }

    /// Whether a rule keeps the exchange out of the store.
    var isBypassed: Bool { policy.verdict == .bypass || policy.verdict == .neverStore }

    /// The request's own mode, or what the verdict makes of the usual ones. What the client forbids, no rule allows.
    var mode: CacheMode {
        if context.isBackground || context.mode == .noStore || context.mode == .onlyIfStored { return context.mode }
        // Without a network a reload is left to the protocol.
        if case .reload = policy.verdict, !context.connectivity.hasNetwork { return context.mode }
        return switch policy.verdict {
        case .reload(.local) where context.mode != .reload: .reloadIgnoringLocal
        case .reload(.everyCache): .reload
        case .cacheFirst where context.mode == .protocolDefault: .preferStored
        default: context.mode
        }
    }

    var ignoresVary: Bool { policy.ignoring.contains(.vary) }

    /// Whether a stored response may answer as far as its nominated fields go (RFC 9111 §4.1).
    func isNominated(_ response: StoredResponse) -> Bool {
        response.nominatedFields.match(fields) || ignoresVary
    }

    /// A stored response's freshness, as the policy has it.
    func freshness(of entry: StoredEntry, at now: WallInstant) -> FreshnessInfo {
        applyingPolicy(to: derivedData(of: entry).freshness, at: now)
    }

    /// What the response states, changed by the verdict.
    func applyingPolicy(to stated: FreshnessInfo, at now: WallInstant) -> FreshnessInfo {
        var freshness = stated
        switch policy.verdict {
        case .fresh(let duration):
            freshness.lifetime = FreshnessLifetime(duration, source: .rule)
            freshness.mustValidate = false
        case .permanent:
            freshness.lifetime = FreshnessLifetime(Self.always, source: .rule)
            (freshness.mustValidate, freshness.isImmutable) = (false, true)
        case .revalidate:
            (freshness.mustValidate, freshness.forbidsStale) = (true, true)
        case .networkFirst:
            (freshness.mustValidate, freshness.forbidsStale, freshness.staleIfError) = (true, false, Self.always)
        case .staleWhileRevalidate(let window):
            if freshness.mustValidate { freshness.lifetime = FreshnessLifetime(.zero, source: .rule) }
            freshness.mustValidate = false
            if freshness.staleness(at: now) <= window ?? Self.always { freshness.forbidsStale = false }
            freshness.staleWhileRevalidate = max(freshness.staleWhileRevalidate ?? .zero, window ?? Self.always)
        case .staleIfError(let window):
            if freshness.staleness(at: now) <= window { freshness.forbidsStale = false }
            freshness.staleIfError = max(freshness.staleIfError ?? .zero, window)
        case .neverStore, .reload, .cacheFirst, .onlyIfStored, .bypass, .storeOnlyIfExplicit, .followProtocol: break
        }
        if isExpired(freshness, at: now) { freshness.mustValidate = true }
        return freshness
    }

    /// Whether the response is older than the rule lets it become without a validation.
    func isExpired(_ freshness: FreshnessInfo, at now: WallInstant) -> Bool {
        policy.expiry.map { freshness.currentAge(at: now) > $0 } ?? false
    }

    /// How long the origin may take before a stored response answers in its place; `nil` where nothing is held ready.
    var timeout: Duration? {
        // Who wants what is stored confirmed waits for that.
        guard case .networkFirst(let timeout) = policy.verdict, question?.fallback != nil, !context.isBackground,
            mode != .revalidate
        else { return nil }
        return timeout
    }

    // MARK: Storing

    /// Notes what the policy's decision says about keeping a response.
    func retain(_ response: inout StoredResponse) {
        response.tags = policy.tags
        response.expires = policy.expiry.map { response.responseTime + $0 }
    }

    /// §3, with what the policy's decision passes over.
    func decideStoring(_ request: HTTPRequest, _ status: HTTPResponse.Status, _ fields: HTTPFields) -> StoreDecision {
        StoreDecision.decide(request: effective(request), status: status, fields: effective(fields, status), in: kind)
    }

    private func effective(_ request: HTTPRequest) -> HTTPRequest {
        guard policy.ignoring.contains(.credentials) else { return request }
        var request = request
        request.headerFields[.authorization] = nil
        return request
    }

    /// The fields without the directives that the policy's decision names, and with a lifetime where the verdict gives one.
    private func effective(_ fields: HTTPFields, _ status: HTTPResponse.Status) -> HTTPFields {
        let ignoring = policy.ignoring
        // Errors that nobody declared fresh are not kept in place of what comes after them.
        let isGivenLife = givesLife && (200..<400).contains(status.code)
        guard isGivenLife || !ignoring.isEmpty else { return fields }
        var effective = fields
        let targeted = kind == .shared ? TargetedCacheControl.sharedCacheTargets : []
        for name in [.cacheControl] + targeted where fields.contains(name) {
            var control = CacheControl(lines: fields[values: name])
            control.directives.removeAll {
                ignoring.contains(.noStore) && $0.name == "no-store"
                    || ignoring.contains(.private) && $0.name == "private"
            }
            effective[name] = control.description
        }
        if ignoring.contains(.vary) { effective[.vary] = nil }
        if isGivenLife {
            var control = CacheControl(lines: effective[values: .cacheControl])
            if !control.has("max-age") { control.directives.append(.init(name: "max-age", argument: "0")) }
            effective[.cacheControl] = control.description
        }
        return effective
    }

    /// Whether the verdict makes use of responses that state no freshness.
    private var givesLife: Bool {
        switch policy.verdict {
        case .fresh, .permanent, .cacheFirst, .networkFirst, .staleWhileRevalidate: true
        case .neverStore, .reload, .revalidate, .staleIfError, .onlyIfStored, .bypass, .storeOnlyIfExplicit,
            .followProtocol:
            false
        }
    }

    /// What of the request the stored response is kept for (RFC 9111 §4.1).
    func nominatedFields(_ received: HTTPFields) -> NominatedFields {
        NominatedFields(fields, vary: ignoresVary ? Vary([:]) : Vary(received))
    }
}
