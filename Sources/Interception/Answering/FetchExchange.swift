import CacheEngine
import Decoding
import Fetching
import HTTPCacheSemantics
import HTTPTypes

/// One request of a web view on its way through all its hops, Fetch §4.3 to §4.6.
struct FetchExchange {
    typealias Outcome = Result<SchemeResponse, SchemeTaskError>

    /// Who gets the response.
    enum Purpose: Hashable {
        /// A page, at the app-cache scheme or at the network's own.
        case page(usesAppScheme: Bool)
        /// A file.
        case download
    }

    let responder: WebViewResponder
    let first: FetchRequest
    let purpose: Purpose
    /// See ``RequestEvidence/redirectMark``.
    let redirectMark: String?
    private(set) var body: RequestContent? {
        didSet { if case .upload(let upload) = body { self.upload = upload } }
    }
    /// What ``body`` is or was, to be told how the request ends.
    private var upload: PageUpload?
    /// Whether the origin has been asked for content without codings, because ours could not be taken off.
    private var asksForIdentity = false
    /// Whether the app may be asked for a password: somebody waits for the answer.
    let mayAsk: Bool

    var configuration: WebViewResponder.Configuration { responder.configuration }

    init(
        _ responder: WebViewResponder, _ request: FetchRequest, body: RequestContent? = nil, purpose: Purpose,
        redirectMark: String? = nil, mayAsk: Bool = true
    ) {
        self.mayAsk = mayAsk
        self.redirectMark = redirectMark
        self.responder = responder
        first = request
        self.body = body
        if case .upload(let upload) = body { self.upload = upload }
        self.purpose = purpose
    }

    mutating func respond() async -> Outcome {
        let outcome = await run()
        switch outcome {
        case .success: upload?.settle(hasFailed: false)
        case .failure(let error) where error.code == .moved:
            // The next document's request goes on with it.
            if body == nil { upload?.settle(hasFailed: false) }
        case .failure: upload?.settle(hasFailed: true)
        }
        return outcome
    }

    private mutating func run() async -> Outcome {
        if let outcome = await answerFromStore() { return outcome }
        do throws(SchemeTaskError) {
            var following = try begin()
            while true {
                try await askForPermission(following)
                let response = try await sendAuthenticated(following)
                let decoded = DecodedHead(response.head)
                // The content of a redirect is not read.
                guard decoded != nil || response.head.status.isRedirect else {
                    response.body.discard()
                    try askForIdentity(following.request.head.method)
                    continue
                }
                let isOpaqueRedirect = following.isOpaqueRedirect(response.head)
                switch following.receive(decoded?.head ?? response.head, isBodyReplayable: body?.isReplayable ?? true) {
                case .deliver(let delivery) where isFramingRefused(delivery.response, following.request):
                    response.body.discard()
                    return .success(Self.emptyDocument)
                case .deliver(let delivery):
                    try checkSuccess(delivery.response, response.body)
                    guard let decoded, !isOpaqueRedirect else {
                        // Fetch §2.2.6: the body of an opaque-redirect filtered response is null.
                        response.body.discard()
                        return .success(SchemeResponse(head: delivery.response, body: .empty))
                    }
                    let (head, content) = try await judged(delivery.response, decoded.decode(response.body))
                    return .success(self.response(showingRedirect(head, delivery), content))
                case .follow(let next):
                    responder.unreadContent.finish(response.body)
                    asksForIdentity = false
                    if !next.keepsBody { body = nil }
                case .navigate(let next):
                    responder.unreadContent.finish(response.body)
                    guard case .page(let usesAppScheme) = purpose else {
                        try checkStaysSecure(next.request)
                        asksForIdentity = false
                        continue
                    }
                    return try move(to: next, following, usesAppScheme)
                case .handToApp(let url):
                    responder.unreadContent.finish(response.body)
                    configuration.move(.handToApp(url: url))
                    throw Self.moved
                case .refuse(let error):
                    response.body.discard()
                    forgetGrant(following)
                    if let closed = Self.closedStream(following.request, error) { return .success(closed) }
                    throw SchemeTaskError(error)
                }
            }
        } catch {
            return .failure(error)
        }
    }

    /// A document that was redirected here goes on with what its chain of redirects means.
    private mutating func begin() throws(SchemeTaskError) -> RedirectFollowing {
        let now = responder.clock.uptime()
        if purpose != .download, let moved = responder.movedDocuments.withLock({ $0.take(first, at: now) }) {
            body = moved.body
            return moved.following
        }
        do throws(FetchError) {
            return try RedirectFollowing(first, registrableDomain: configuration.registrableDomain)
        } catch {
            throw SchemeTaskError(error)
        }
    }

    // MARK: Preflight

    private func askForPermission(_ following: RedirectFollowing) async throws(SchemeTaskError) {
        guard let preflight = following.preflight else { return }
        let (site, now) = (following.request.topLevelSite(configuration.registrableDomain), responder.clock.wallTime())
        guard !responder.preflights.withLock({ $0.allows(preflight, site: site, at: now) }) else { return }
        var asked = preflight.request
        nameAgent(&asked)
        let answer = await responder.cache.respond(
            to: EngineRequest(head: asked, context: context(following.request)))
        answer.body.discard()
        if let failure = answer.failure { throw SchemeTaskError(failure) }
        if case .refuse(let reason) = preflight.decide(answer.head) {
            throw SchemeTaskError(RedirectFollowing.refusal(reason))
        }
        responder.preflights.withLock { $0.store(answer.head, to: preflight, site: site, at: now) }
    }

    /// "Clear cache entries", Fetch §4.1: a request that a grant covered has met a network error.
    private func forgetGrant(_ following: RedirectFollowing) {
        guard let preflight = following.preflight else { return }
        let site = following.request.topLevelSite(configuration.registrableDomain)
        responder.preflights.withLock { $0.remove(preflight, site: site) }
    }

    // MARK: One hop

    /// What is sent, except for cookies and content.
    func head(of request: FetchRequest) -> HTTPRequest {
        var head = request.head
        for field in configuration.defaultFields where !head.headerFields.contains(field.name) {
            head.headerFields.append(field)
        }
        nameAgent(&head)
        // Fetch §4.1: what every request has that names no types; the web view leaves it to its network.
        if !head.headerFields.contains(.accept) { head.headerFields[.accept] = "*/*" }
        head.headerFields[.acceptEncoding] =
            asksForIdentity
            ? "identity" : ContentCodings.acceptEncoding(for: head.headerFields, isSecure: head.scheme != "http")
        return head
    }

    private func nameAgent(_ head: inout HTTPRequest) {
        if !head.headerFields.contains(.userAgent) { head.headerFields[.userAgent] = configuration.userAgent() }
    }

    /// - Parameters:
    ///   - credentials: To be sent with it; `nil` for none of ours.
    ///   - context: As it was when the hop began.
    func send(
        _ following: RedirectFollowing, _ credentials: BasicCredentials?, _ context: ExchangeContext
    ) async throws(SchemeTaskError) -> EngineResponse {
        let request = following.request
        var head = head(of: request)
        if let credentials { head.headerFields[.authorization] = credentials.fieldValue }
        let hop = cookieHop(following)
        head.headerFields[.cookie] = await configuration.cookies?.cookieString(for: hop, at: responder.clock.wallTime())
        let content = body?.body
        if let content { head.headerFields[.contentLength] = content.length.map { String($0) } }
        let response = await responder.cache.respond(
            to: EngineRequest(head: head, body: content, context: context))
        // A stored response comes without `Set-Cookie`, so what is here came from the origin for this very request.
        await configuration.cookies?.store(response.head.headerFields, for: hop, at: responder.clock.wallTime())
        // Documents show the answer of the cache; a resource fails, as it does without a network.
        if let failure = response.failure, request.mode != .navigate || purpose == .download {
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
        context.fieldsNotReused.insert(.setCookie)
        context.checksAllowedOrigin = true
        if let mode = first.cacheMode, context.mode == .protocolDefault { context.mode = mode }
        // Past the cache: a stored coding that the origin confirmed would come back.
        if asksForIdentity, context.mode != .onlyIfStored { context.mode = .reload }
        return context
    }

    private func cookieHop(_ following: RedirectFollowing) -> CookieHop {
        let request = following.request
        return CookieHop(
            url: request.url, method: request.head.method, isSameSite: isSameSite(following),
            isTopLevelNavigation: request.isTopLevelNavigation,
            credentials: CookieHop.CredentialsMode(rawValue: request.credentials.rawValue) ?? .omit,
            isSameOrigin: following.tainting == .basic,
            topLevelSite: request.topLevelSite(configuration.registrableDomain).flatMap { site in
                site.host == nil ? nil : site.description
            })
    }

    /// RFC 6265bis §5.2.1: of the document in the address bar too, since a frame of another site acts for nobody else.
    private func isSameSite(_ following: RedirectFollowing) -> Bool {
        guard following.relation != .crossSite else { return false }
        guard let top = following.request.topLevelSite(configuration.registrableDomain), top.host != nil else {
            return true
        }
        return top.isSchemelesslySameSite(
            as: Site(following.request.targetOrigin, registrableDomain: configuration.registrableDomain))
    }

    /// A stored response without `Vary: Accept-Encoding` may have a coding that nobody here can take off. What changes
    /// something at the origin is not sent twice.
    private mutating func askForIdentity(_ method: HTTPRequest.Method) throws(SchemeTaskError) {
        guard !asksForIdentity, method == .get || method == .head else {
            throw SchemeTaskError(
                code: .refused,
                message:
                    "The server sends a content coding that was not asked for; only gzip and deflate can be decoded."
            )
        }
        asksForIdentity = true
    }

    /// Mixed Content §4.4 for what is no document: whoever is on the way could put another file in its place.
    private func checkStaysSecure(_ next: FetchRequest) throws(SchemeTaskError) {
        guard first.targetOrigin.isPotentiallyTrustworthy, !next.targetOrigin.isPotentiallyTrustworthy else { return }
        throw SchemeTaskError(
            FetchError(
                code: .mixedContent,
                message: "A download from a secure server is redirected to http; the origin should use https."))
    }

    /// A page shows an error's content; saved as a file, it would be taken for what was wanted.
    private func checkSuccess(_ response: HTTPResponse, _ body: ResponseBody) throws(SchemeTaskError) {
        guard purpose == .download, response.status.kind != .successful else { return }
        body.discard()
        throw SchemeTaskError(
            code: .refused, message: "The server answered the download with status \(response.status.code).")
    }

    // MARK: Redirected documents

    private mutating func move(
        to next: RedirectAction.NextRequest, _ following: RedirectFollowing, _ usesAppScheme: Bool
    ) throws(SchemeTaskError) -> Outcome {
        let now = responder.clock.uptime()
        body = next.keepsBody ? body?.forNextDocument : nil
        let body = body
        responder.movedDocuments.withLock {
            $0.add(MovedDocuments.Moved(following: following, body: body, time: now))
        }
        let url = usesAppScheme ? AppCacheScheme.pageURL(of: next.url) ?? next.url : next.url
        guard next.request.isTopLevelNavigation else { return .success(Self.refresh(to: url)) }
        configuration.move(.load(url: url))
        throw Self.moved
    }

    /// A document that sends its frame on: only the main frame can be navigated from outside.
    private static func refresh(to url: String) -> SchemeResponse {
        let escaped = url.reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "\"": text += "&quot;"
            case "<": text += "&lt;"
            default: text.append(character)
            }
        }
        let page = Array("<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=\(escaped)\">".utf8)
        return SchemeResponse(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: "text/html; charset=utf-8"]),
            body: .bytes(page))
    }

    private static var moved: SchemeTaskError {
        SchemeTaskError(code: .moved, message: "The document is redirected; the web view loads its new address.")
    }
}
