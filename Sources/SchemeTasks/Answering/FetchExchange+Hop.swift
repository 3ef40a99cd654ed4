import CacheEngine
import Decoding
import Fetching
import HTTPCacheSemantics
import HTTPTypes

/// Sends the requests of one hop: Fetch §4.5 to §4.8.
extension FetchExchange {
    // MARK: Preflight

    func askForPermission(_ following: RedirectFollowing) async throws(SchemeTaskError) {
        guard let preflight = following.preflight else { return }
        let (site, now) = (following.request.topLevelSite(configuration.registrableDomain), responder.clock.wallTime())
        guard !responder.preflights.withLock({ $0.allows(preflight, site: site, at: now) }) else { return }
        var asked = preflight.request
        nameAgent(&asked)
        let answer = await responder.cache.respond(
            to: EngineRequest(head: asked, context: context(following.request)))
        answer.body.discard()
        if let failure = answer.failure { throw SchemeTaskError(failure) }
        if let reason = preflight.refusal(in: answer.head) {
            throw SchemeTaskError(RedirectFollowing.refusal(reason))
        }
        responder.preflights.withLock { $0.store(answer.head, to: preflight, site: site, at: now) }
    }

    /// "Clear cache entries", Fetch §4.1: a request that a grant covered has met a network error.
    func forgetGrant(_ following: RedirectFollowing) {
        guard let preflight = following.preflight else { return }
        let site = following.request.topLevelSite(configuration.registrableDomain)
        responder.preflights.withLock { $0.remove(preflight, site: site) }
    }

    // MARK: One hop

    /// The request head to send, except for cookies.
    func head(of request: FetchRequest) -> HTTPRequest {
        var head = request.head
        for field in configuration.defaultFields where !head.headerFields.contains(field.name) {
            head.headerFields.append(field)
        }
        nameAgent(&head)
        // WebKit sends it with documents of all schemes but https.
        if head.scheme == "https" { head.headerFields[FetchField.upgradeInsecureRequests] = nil }
        // Fetch §4.1: what every request has that names no types; the web view leaves it to its network.
        if !head.headerFields.contains(.accept) { head.headerFields[.accept] = "*/*" }
        head.headerFields[.acceptEncoding] = ContentCodings.acceptEncoding(
            for: head.headerFields, isSecure: head.scheme != "http")
        return head
    }

    private func nameAgent(_ head: inout HTTPRequest) {
        if !head.headerFields.contains(.userAgent) { head.headerFields[.userAgent] = configuration.userAgent() }
    }

    /// - Parameter request: Without cookies and content.
    func send(
        _ following: RedirectFollowing, _ request: EngineRequest
    ) async throws(SchemeTaskError) -> EngineResponse {
        var asked = request
        let hop = following.cookieHop
        asked.head.headerFields[.cookie] = await configuration.cookies?.cookieString(
            for: hop, at: responder.clock.wallTime())
        asked.body = body?.body
        if let content = asked.body { asked.head.headerFields[.contentLength] = content.length.map { String($0) } }
        func respond(to request: EngineRequest) async -> EngineResponse {
            let response = await responder.cache.respond(to: request)
            // A stored response comes without `Set-Cookie` and `Clear-Site-Data`, so what is here came from the origin
            // for this very request.
            await configuration.cookies?.store(response.head.headerFields, for: hop, at: responder.clock.wallTime())
            return response
        }
        var response = await respond(to: asked)
        if let plain = asked.withoutCodings(after: response) { response = await respond(to: plain) }
        // Documents show the answer of the cache; a resource fails, as it does without a network.
        if let failure = response.failure, following.request.mode != .navigate {
            response.body.discard()
            forgetGrant(following)
            throw SchemeTaskError(failure)
        }
        return response
    }

    func context(_ request: FetchRequest) -> ExchangeContext {
        var context = configuration.context()
        context.view = configuration.view
        context.document = request.topLevelDocument
        context.site = request.cacheSite(registrableDomain: configuration.registrableDomain)
        context.destination = request.destination
        context.fieldsOmittedFromHits.formUnion([.setCookie, .clearSiteData])
        context.checksAllowedOrigin = true
        // WebKit asks no second time for a file of a scheme that is not HTTP's while its process lives.
        context.upperCache = .asks
        if let mode = first.cacheMode, context.mode == .protocolDefault { context.mode = mode }
        return context
    }

    /// A request whose cookies are not known.
    func request(_ following: RedirectFollowing) -> EngineRequest {
        var head = head(of: following.request)
        let context = context(following.request)
        if let credentials = authentication(of: following, context).credentials {
            head.headerFields[.authorization] = credentials.fieldValue
        }
        return EngineRequest(head: head, context: context)
    }

    // MARK: User names and passwords; see ``RequestAuthentication``

    /// - Parameter context: The context of the same hop: the account is read once.
    func authentication(of following: RedirectFollowing, _ context: ExchangeContext) -> RequestAuthentication {
        let owner = ProtectionSpace.Owner(account: context.partition, site: context.site)
        return RequestAuthentication(
            following, memory: configuration.credentials, owner: owner,
            hasAsker: mayAsk && configuration.askForCredentials != nil)
    }

    /// Sends a request as often as challenges can be answered.
    func sendAuthenticated(
        _ following: RedirectFollowing, _ request: EngineRequest
    ) async throws(SchemeTaskError) -> EngineResponse {
        var request = request
        var authentication = authentication(of: following, request.context)
        if let known = authentication.credentials { request.head.headerFields[.authorization] = known.fieldValue }
        var response = try await send(following, request)
        while response.failure == nil {
            var step = authentication.received(response.head, isRepeatable: body?.isReplayable ?? true)
            if case .ask(let question, let space) = step, let asker = configuration.askForCredentials {
                let answer = await responder.questions.ask(question, space, of: authentication.asking(asker, space))
                guard let next = authentication.answered(answer, space) else {
                    response.body.discard()
                    throw SchemeTaskError(
                        code: .authenticationCancelled, message: "The server's question for a password was cancelled.")
                }
                step = next
            }
            guard case .send(let credentials) = step else { break }
            responder.unreadContent.finish(response.body)
            // A stored 401 is no answer to this one.
            if [.protocolDefault, .preferStored].contains(request.context.mode) { request.context.mode = .revalidate }
            request.head.headerFields[.authorization] = credentials.fieldValue
            response = try await send(following, request)
        }
        return response
    }
}
