import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// How the policy's decision changes the protocol's; `Verdict` says what each verdict means.
extension ExchangeMachine {
    /// Longer than any response is stored.
    private static let always = Duration.seconds(100 * 365 * 86_400)

    /// Why a rule's verdict does not hold for a response.
    enum RuleRejection: Hashable {
        /// The response is an error in place of the file.
        case error
        /// The response is not what its name with a content hash promises; the text says why, see `NamePromise`.
        case notAsNamed(String, rule: String?)
    }

    /// Asks the rules again, now that a response is known. A head is made only if one of them looks at it, if the
    /// verdict was rejected for the previous response, or if it rests on a hashed name, which the head may belie.
    ///
    /// - Parameter length: The length of its content in bytes, if known.
    mutating func applyRules(
        to known: HTTPResponse.Status, length: Int64?, _ response: @autoclosure () -> HTTPResponse
    ) {
        let asksAgain = rules.looksAtResponse || rejection != nil
        if asksAgain {
            policy = rules.decision(for: exchange(context.connectivity, response: response()))
            status.detail = policy.rule
        }
        // Whatever answered before it is validated would go into the new worker, and stay there; and a page that is
        // newer than its release needs files that are.
        switch policy.verdict {
        case .staleWhileRevalidate where isWorkerImport || pageVersion == .newer, .followProtocol where isWorkerImport,
            .staleIfError where isWorkerImport:
            policy.verdict = .networkFirst(timeout: nil)
        default: break
        }
        rejection = nil
        defer { if asksAgain || rejection != nil { trace?.append(.policy(policy, rejection)) } }
        guard overridesOwnTerms else { return }
        // A rule about a file does not apply to an error in its place, such as the 404 of a server that does not have
        // the new file yet: the error would be kept as long as the file.
        if known.code >= 400 {
            rejection = .error
            (policy.verdict, policy.restsOnHashedName) = (.followProtocol, false)
        } else if policy.restsOnHashedName {
            let received = response()
            if let breach = breach(known, received.headerFields, length: length) { reject(received, breach) }
        }
    }

    /// Why a response is not what the request's name promises; `nil` if it is.
    func breach(_ known: HTTPResponse.Status, _ received: HTTPFields, length: Int64?) -> String? {
        NamePromise.breach(
            path: request.path ?? "", status: known, fields: received, length: length, in: kind,
            ignoring: policy.ignoring)
    }

    /// Lets the rules decide as if no name had a content hash. If another rule then lets the store answer, the protocol
    /// decides instead: that rule is about files as well, and the response is none.
    private mutating func reject(_ response: HTTPResponse, _ breach: String) {
        let rejected = policy.rule
        rejection = .notAsNamed(breach, rule: rejected)
        var exchange = exchange(context.connectivity, response: response)
        exchange.distrustsHashedNames = true
        policy = rules.decision(for: exchange)
        if policy.rule != rejected, overridesOwnTerms { policy = PolicyDecision(verdict: .followProtocol, rule: nil) }
        status.detail = policy.rule
    }

    /// Whether the verdict may let the store answer when the response's own terms do not.
    private var overridesOwnTerms: Bool {
        switch policy.verdict {
        case .fresh, .permanent, .cacheFirst, .staleWhileRevalidate: true
        case .neverStore, .reload, .revalidate, .networkFirst, .snapshot, .staleIfError, .onlyIfStored, .bypass,
            .storeOnlyIfExplicit, .followProtocol:
            false
        }
    }

    /// The exchange as the rules see it.
    func exchange(_ connectivity: Connectivity, response: HTTPResponse? = nil) -> Exchange {
        var exchange = Exchange(
            request: request, destination: context.destination, connectivity: connectivity, response: response,
            distrustsHashedNames: prepared.policy.distrustsHashedNames)
        if response != nil { (exchange.isOlderThanPage, exchange.isOfOtherQuery) = (isOlderThanPage, isOfOtherQuery) }
        return exchange
    }

    /// Whether a rule lets only the store answer.
    var isCacheOnly: Bool { policy.verdict == .onlyIfStored }

    /// Whether a rule keeps the exchange out of the store.
    var isBypassed: Bool { policy.verdict == .bypass || policy.verdict == .neverStore }

    /// The request's own mode, or the one that the verdict puts in its place. No rule allows what the client forbids.
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

    /// Whether its nominated fields let a stored response answer (RFC 9111 §4.1).
    func isNominated(_ response: StoredResponse) -> Bool {
        response.nominatedFields.match(fields)
            || ignoresVary && !StoredNotes.isSetAside(response)
    }

    /// A stored response's freshness under the policy.
    func freshness(of entry: StoredEntry, at now: WallInstant) -> FreshnessInfo {
        applyingPolicy(to: derivedData(of: entry).freshness, at: now)
    }

    /// The freshness that the response states, changed by the verdict and its expiry.
    func applyingPolicy(to stated: FreshnessInfo, at now: WallInstant) -> FreshnessInfo {
        applyingExpiry(to: applyingVerdict(to: stated, at: now), at: now)
    }

    func applyingExpiry(to freshness: FreshnessInfo, at now: WallInstant) -> FreshnessInfo {
        guard isExpired(freshness, at: now) else { return freshness }
        var freshness = freshness
        freshness.mustValidate = true
        return freshness
    }

    func applyingVerdict(to stated: FreshnessInfo, at now: WallInstant) -> FreshnessInfo {
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
        case .snapshot where isSnapshot:
            freshness.staleWhileRevalidate = Self.always
            (freshness.mustValidate, freshness.forbidsStale) = (false, false)
            freshness.lifetime = FreshnessLifetime(.zero, source: .rule)
        case .networkFirst, .snapshot:
            (freshness.mustValidate, freshness.forbidsStale, freshness.staleIfError) = (true, false, Self.always)
        case .staleWhileRevalidate(let window):
            // No guess speaks for it (§4.2.2): the origin is asked behind it each time.
            if freshness.mustValidate || freshness.lifetime.source == .heuristic {
                freshness.lifetime = FreshnessLifetime(.zero, source: .rule)
            }
            freshness.mustValidate = false
            if freshness.staleness(at: now) <= window ?? Self.always { freshness.forbidsStale = false }
            // A reload of the page asks for its files too, and the stored page stands in for an error then.
            freshness.staleWhileRevalidate = max(freshness.staleWhileRevalidate ?? .zero, window ?? Self.always)
            freshness.staleIfError = max(freshness.staleIfError ?? .zero, window ?? Self.always)
        case .staleIfError(let window):
            if freshness.staleness(at: now) <= window { freshness.forbidsStale = false }
            freshness.staleIfError = max(freshness.staleIfError ?? .zero, window)
        case .neverStore, .reload, .cacheFirst, .onlyIfStored, .bypass, .storeOnlyIfExplicit, .followProtocol: break
        }
        // The origin has said something else since, which may not be stored: no rule lets it answer for that.
        if stated.isDoubtful, policy.verdict != .permanent { freshness.mustValidate = true }
        return freshness
    }

    /// Whether the response is past the rule's expiry, so that it must be validated.
    func isExpired(_ freshness: FreshnessInfo, at now: WallInstant) -> Bool {
        policy.expiry.map { freshness.currentAge(at: now) > $0 } ?? false
    }

    /// Whether a stored response may answer in the origin's place, to a client that does not wait for the origin's.
    var hasFallback: Bool {
        question?.fallback != nil && !context.isBackground && context.preload == nil && !wantsConfirmation
    }

    /// Whether a stored response is of no use that the origin has not confirmed. A page that an app wants confirmed is
    /// shown where the origin fails, as one that a web view reloads is.
    var wantsConfirmation: Bool {
        mode == .revalidate
            && (context.destination != .document || context.isBackground || context.preload != nil || context.isRefresh)
    }

    /// The exchange if the origin were not waited for any longer, and its answer from the store; `nil` unless a rule
    /// lets the store answer without a network.
    func withoutWaiting(at now: WallInstant) -> (ExchangeMachine, Action)? {
        guard hasFallback, prepared.settings.hasPatience else { return nil }
        var machine = self
        let late = TransportError(code: .timedOut, message: "'\(request.authority ?? "")' does not answer in time.")
        let action = machine.failed(late, at: now)
        return machine.isCacheOnly ? (machine, action) : nil
    }

    /// How long the origin may take before a stored response answers in its place; `nil` if none would.
    var timeout: Duration? {
        // A client that wants the stored response confirmed waits for that.
        guard case .networkFirst(let timeout) = policy.verdict, hasFallback else { return nil }
        return timeout
    }

    // MARK: Storing

    /// Sets a response's tags and expiry as the policy's decision says.
    func retain(_ response: inout StoredResponse) {
        func isOurs(_ tag: String) -> Bool {
            VerifiedContent.isTag(tag) || PageNews.isTag(tag) || PageFile.isTag(tag) || tag == HeldPart.pausingTag
                || Preflights.isTag(tag)
        }
        response.tags = policy.tags.filter { !isOurs($0) } + response.tags.filter(isOurs)
        VerifiedContent.answerAll(&response)
        if isWorkerImport, !response.tags.contains(WorkerScripts.tag) { response.tags.append(WorkerScripts.tag) }
        if WorkerScripts.isScript(prepared.request), !response.tags.contains(WorkerScripts.scriptTag) {
            response.tags.append(WorkerScripts.scriptTag)
        }
        if let preflightTag, !response.tags.contains(preflightTag) {
            response.tags = response.tags.filter { !Preflights.isTag($0) } + [preflightTag]
        }
        response.expires = policy.expiry.map { response.responseTime + $0 }
    }

    /// RFC 9111 §3, without the directives that the policy's decision ignores.
    func decideStoring(_ request: HTTPRequest, _ status: HTTPResponse.Status, _ fields: HTTPFields) -> StoreDecision {
        StoreDecision.decide(request: effective(request), status: status, fields: effective(fields, status), in: kind)
    }

    private func effective(_ request: HTTPRequest) -> HTTPRequest {
        guard policy.ignoring.contains(.credentials) else { return request }
        var request = request
        request.headerFields[.authorization] = nil
        return request
    }

    /// The fields without the directives that the policy's decision ignores, and with a lifetime if the verdict gives
    /// one.
    private func effective(_ fields: HTTPFields, _ status: HTTPResponse.Status) -> HTTPFields {
        let ignoring = policy.ignoring
        // An error that states no freshness gets no lifetime, so that it does not hide the response that comes after
        // it.
        let getsLifetime = givesLifetime && (200..<400).contains(status.code)
        guard getsLifetime || !ignoring.isEmpty else { return fields }
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
        if getsLifetime {
            var control = CacheControl(lines: effective[values: .cacheControl])
            if !control.has("max-age") { control.directives.append(.init(name: "max-age", argument: "0")) }
            effective[.cacheControl] = control.description
        }
        return effective
    }

    /// Whether the verdict lets responses be reused that state no freshness.
    var givesLifetime: Bool {
        switch policy.verdict {
        case .fresh, .permanent, .cacheFirst, .networkFirst, .staleWhileRevalidate, .snapshot: true
        case .neverStore, .reload, .revalidate, .staleIfError, .onlyIfStored, .bypass, .storeOnlyIfExplicit,
            .followProtocol:
            false
        }
    }

    /// The request fields that the stored response is kept for (RFC 9111 §4.1).
    func nominatedFields(_ received: HTTPFields) -> NominatedFields {
        NominatedFields(fields, vary: ignoresVary ? Vary([:]) : Vary(received))
    }

    /// The fields of a response as it is stored, with the `Vary` that it should have.
    func storedFields(_ received: HTTPFields) -> HTTPFields {
        isBesidePage ? HTTPFields(Array(received) + [HTTPField(name: .vary, value: Self.partFields)]) : received
    }

    /// §4.3.4, by an answer that need not know what was stored beside a page.
    func freshen(_ stored: StoredResponse, with answer: OriginAnswer) -> StoredResponse {
        var updating = keepingPlace(of: stored, answer.fields)
        if context.checksAllowedOrigin { updating = updating.filter { !Freshening.isKeptInWebViews($0.name) } }
        var freshened = Freshening.freshen(
            stored, with: updating, answering: fields, requestTime: answer.requestTime,
            responseTime: answer.responseTime, in: kind)
        if isSharedRedirect(freshened.status) { freshened.needsValidation = true }
        return freshened
    }

    /// Whether a redirect answers other addresses as well, which have the same key: it is asked about each time.
    func isSharedRedirect(_ status: HTTPResponse.Status) -> Bool { prepared.sharesKey && status.kind == .redirection }

    /// Whether it is an error that may pass at any time, whatever lifetime it states, as servers do that state one for
    /// all that they send: a web view asks each time, as WebKit does but for these two.
    func isPassing(_ status: HTTPResponse.Status) -> Bool {
        context.checksAllowedOrigin && status.code >= 400 && ![404, 410].contains(status.code)
    }

    /// The fields of an answer that updates a stored response, with the `Vary` that this was stored with.
    func keepingPlace(of stored: StoredResponse, _ answer: HTTPFields) -> HTTPFields {
        guard Self.isPart(stored), answer.contains(.vary) else { return answer }
        return HTTPFields(Array(answer) + [HTTPField(name: .vary, value: Self.partFields)])
    }

    /// Whether a response was stored beside a page, see ``storedFields(_:)``.
    static func isPart(_ response: StoredResponse) -> Bool { response.fields[values: .vary].contains(partFields) }

    /// The fields by which scripts ask for data, or for a part of the page, at the address of a page.
    private static let partFields = "Accept, " + partMarks.map(\.rawName).joined(separator: ", ")
    private static let partMarks = ["HX-Request", "Turbo-Frame", "X-Inertia", "X-PJAX", "X-Requested-With"]
        .compactMap { HTTPField.Name($0) }

    /// Whether a script asks at the address of a page, or for a part of one. Many servers answer with data, or a part
    /// of the page, and state no `Vary`. In the page's place that would open without a network, so it is stored beside
    /// the page.
    private var isBesidePage: Bool {
        let isScripts =
            context.destination == .fetch
            || context.destination == .unknown && fields[.accept]?.contains("text/html") != true
        return isScripts && context.checksAllowedOrigin
            && (Self.partMarks.contains { fields.contains($0) }
                || fields[.referer].map(TargetURI.comparable) == request.url
                || candidates.entries.contains { $0.response.tags.contains(where: PageNews.isTag) })
    }

    /// Whether a full answer takes the place of a stored response (§4.3.3).
    func isReplaced(_ older: StoredResponse) -> Bool {
        isNominated(older) && !(isBesidePage && older.tags.contains(where: PageNews.isTag))
    }

    // MARK: Sharing

    /// Whether a response that is still arriving for another request answers this one as well.
    func mayShare(_ arriving: StoredResponse, at now: WallInstant) -> Bool {
        guard mayAnswer(arriving), ContentCoding.isAcceptable(arriving.fields, to: fields),
            // It may have led here.
            !(prepared.sharesKey && arriving.status.kind == .redirection)
        else { return false }
        // So far the rules have seen the request alone. The response may be a page in place of the file with the hashed
        // name.
        var judged = self
        let length = arriving.fields[.contentLength].flatMap { Int64($0) }
        judged.applyRules(
            to: arriving.status, length: length, HTTPResponse(status: arriving.status, headerFields: arriving.fields))
        return !judged.isBypassed && judged.isReusable(arriving, by: directives, at: now)
    }

    /// Whether a response that has just come may be reused by a request with these directives.
    func isReusable(_ response: StoredResponse, by request: RequestDirectives, at now: WallInstant) -> Bool {
        let freshness = applyingPolicy(to: FreshnessInfo(of: response, in: kind), at: now)
        return ReuseDecision.decide(freshness, request: request, at: now).decision == .reuse
    }

    // MARK: Origins

    /// Whether the nominated fields and the request's origin let a stored response answer.
    func mayAnswer(_ response: StoredResponse) -> Bool {
        isNominated(response) && answersOrigin(response)
    }

    /// Whether the origin that a request names may read the response (Fetch §3.3.5, CORS check). A GET without `Origin`
    /// comes from no fetch that is checked; nor does one that names the response's own origin, as some clients do.
    func answersOrigin(_ response: StoredResponse) -> Bool {
        guard context.checksAllowedOrigin, let origin = fields[.origin] else { return true }
        let allowed = response.fields[.accessControlAllowOrigin]
        if allowed == "*" || allowed == origin { return true }
        guard let own = key.flatMap({ TargetURI.split($0.uri) }) else { return allowed == nil }
        return origin == "\(own.scheme)://\(own.authority)"
    }
}
