import CacheEngine
import Decoding
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// One request of a web view on its way through all its hops, Fetch §4.3 to §4.6.
///
/// There is one path: the first response may come from the store, before the web view is asked for its cookies, and
/// every response, wherever it comes from, goes through ``take(_:_:)``.
struct FetchExchange {
    let responder: WebViewResponder
    let first: FetchRequest
    private let observed: RequestEvidence
    /// The first request as it is asked before the cookies are known; `nil` where they or a preflight may make a
    /// difference to what the store answers. ``answerAtOnce()`` makes it, ``answerFromStore()`` asks it, and
    /// ``run()`` gives it up with the first response.
    private var cookieless: (following: RedirectFollowing, request: EngineRequest)?
    private(set) var body: RequestContent? {
        didSet { if case .upload(let upload) = body { self.upload = upload } }
    }
    /// The upload in ``body``, now or earlier, to be told how the request ends.
    private var upload: PageUpload?

    var configuration: WebViewResponder.Configuration { responder.configuration }

    /// Whether the page that gets the response is at the app-cache scheme, and not at the network's own.
    var usesAppScheme: Bool { observed.url.hasPrefix(AppCacheScheme.name + ":") }
    /// See ``RequestEvidence/redirectMark``.
    var redirectMark: String? { observed.redirectMark }
    /// Whether the app may be asked for a password: somebody waits for the answer.
    var mayAsk: Bool { !observed.options.isKeepalive }

    /// - Returns: `nil` for an address that can't be read as that of one host.
    init?(_ responder: WebViewResponder, _ observed: RequestEvidence, body: RequestContent?) {
        guard let request = FetchRequest(observed) else { return nil }
        (self.responder, self.observed, first, self.body) = (responder, observed, request, body)
        if case .upload(let upload) = body { self.upload = upload }
    }

    /// Answers from the store without waiting, so without cookies: only where they and a preflight make no difference,
    /// and the response is for the page itself.
    ///
    /// - Returns: `nil` if ``respond()`` has to answer; nothing has happened then.
    mutating func answerAtOnce() -> LoadAnswer? {
        cookieless = makeCookieless()
        guard let cookieless,
            let response = responder.cache.answerWithoutCookies(to: cookieless.request, where: Self.isForPage)
        else { return nil }
        var (exchange, following) = (self, cookieless.following)
        do throws(SchemeTaskError) {
            switch try exchange.take(response, &following) {
            case .answer(let answer): return answer
            case .sniff(let delivery, let content):
                return .pending { [exchange] in await exchange.sniff(delivery, content) }
            case .ask: return nil
            }
        } catch {
            return .failed(error)
        }
    }

    func respond() async -> LoadAnswer {
        var exchange = self
        let answer = await exchange.run()
        if case .failed(let error) = answer {
            guard (error as? SchemeTaskError)?.code == .moved else {
                exchange.upload?.settle(hasFailed: true)
                return answer
            }
            // The next document's request goes on with it.
            guard exchange.body == nil else { return answer }
        }
        exchange.upload?.settle(hasFailed: false)
        return answer
    }

    private mutating func run() async -> LoadAnswer {
        do throws(SchemeTaskError) {
            var stored = await answerFromStore()
            var following = if let cookieless { cookieless.following } else { try begin() }
            while true {
                let response: EngineResponse
                if let hit = stored {
                    (response, stored) = (hit, nil)
                } else {
                    try await askForPermission(following)
                    response = try await sendAuthenticated(following, cookieless?.request ?? request(following))
                }
                cookieless = nil
                switch try take(response, &following) {
                case .answer(let answer): return answer
                case .sniff(let delivery, let content): return await sniff(delivery, content)
                case .ask: continue
                }
            }
        } catch {
            return .failed(error)
        }
    }

    // MARK: The store

    /// Answers as ``answerAtOnce()`` does, where the store has to be read first: that takes less than asking the web
    /// view for its cookies, which is a message to another process and back.
    private mutating func answerFromStore() async -> EngineResponse? {
        guard configuration.cookies != nil, var asked = cookieless else { return nil }
        defer { cookieless = asked }
        return await responder.cache.readAnswerWithoutCookies(to: &asked.request, where: Self.isForPage)
    }

    private func makeCookieless() -> (following: RedirectFollowing, request: EngineRequest)? {
        guard first.head.method == .get, body == nil, !responder.movedDocuments.withLock({ $0.mayHave(first) }),
            let following = try? RedirectFollowing(first, registrableDomain: configuration.registrableDomain),
            following.preflight == nil
        else { return nil }
        return (following, request(following))
    }

    private static func isForPage(_ stored: StoredResponse) -> Bool {
        !stored.status.isRedirect && stored.status != .unauthorized
            && DecodedHead(HTTPResponse(status: stored.status, headerFields: stored.fields)) != nil
    }

    // MARK: One response

    /// The step after a response.
    private enum Next {
        case answer(LoadAnswer)
        /// The page gets it, once its first bytes are read and allow that.
        case sniff(RedirectAction.Delivery, ResponseBody)
        /// The next request.
        case ask
    }

    private mutating func take(
        _ response: EngineResponse, _ following: inout RedirectFollowing
    ) throws(SchemeTaskError) -> Next {
        let decoded = DecodedHead(response.head)
        // The content of a redirect is not read.
        guard decoded != nil || response.head.status.isRedirect else {
            response.body.discard()
            throw SchemeTaskError(
                code: .refused,
                message:
                    "The server sends a content coding that was not asked for and can't be decoded, though gzip and "
                    + "deflate can\(ContentCodings.decodesBrotli ? ", and br" : "")."
            )
        }
        let isOpaqueRedirect = following.isOpaqueRedirect(response.head)
        switch following.receive(decoded?.head ?? response.head, isBodyReplayable: body?.isReplayable ?? true) {
        case .deliver(let delivery) where isFramingRefused(delivery.response, following.request):
            response.body.discard()
            return .answer(.ready(Self.emptyDocument))
        case .deliver(let delivery):
            guard let decoded, !isOpaqueRedirect else {
                // Fetch §2.2.6: the body of an opaque-redirect filtered response is null.
                response.body.discard()
                return .answer(.ready(LoadResponse(head: delivery.response, body: .empty)))
            }
            return try deliver(delivery, decoded.decode(response.body, isForgiving: true))
        case .follow(let keepsBody):
            responder.unreadContent.finish(response.body)
            if !keepsBody { body = nil }
        case .navigate(let keepsBody):
            responder.unreadContent.finish(response.body)
            return .answer(try move(on: following, keepsBody: keepsBody))
        case .handToApp(let url):
            responder.unreadContent.finish(response.body)
            if !Task.isCancelled { configuration.move(.handToApp(url: url)) }
            throw Self.moved
        case .refuse(let error):
            response.body.discard()
            forgetGrant(following)
            // HTML §9.2.3: an event stream that CORS refuses is closed for good, as with any status but 200, and one
            // that fails otherwise is asked for again.
            guard error.code == .corsFailed, following.request.isEventSource else { throw SchemeTaskError(error) }
            return .answer(.ready(LoadResponse(head: HTTPResponse(status: .forbidden), body: .empty)))
        }
        return .ask
    }

    private func deliver(
        _ delivery: RedirectAction.Delivery, _ content: ResponseBody
    ) throws(SchemeTaskError) -> Next {
        var delivery = delivery
        if first.mode == .navigate {
            let (policy, url) = (ReferrerPolicy(delivery.response.headerFields), first.url)
            responder.referrerPolicies.withLock { policies in
                if let policy { policies.set(policy, for: url) } else { policies.remove(url) }
            }
            delivery.response.headerFields[.contentType] = DocumentType.named(by: delivery.response.headerFields)
        }
        guard isUntypedDocument(delivery.response) || mayBeForeignCaptions else {
            return .answer(.ready(response(showingRedirect(delivery.response, delivery), content)))
        }
        guard case .bytes(let bytes) = content else { return .sniff(delivery, content) }
        return .answer(.ready(response(try head(of: delivery, by: bytes), content)))
    }

    /// Reads the first bytes of a response, which decide what the page gets of it.
    private func sniff(_ delivery: RedirectAction.Delivery, _ content: ResponseBody) async -> LoadAnswer {
        let source = content.makeSource()
        var bytes: [UInt8] = []
        var failure: (any Error)?
        let wanted = isUntypedDocument(delivery.response) ? DocumentType.headerLength : CaptionCheck.headerLength
        do {
            while bytes.count < wanted, let piece = try await source.next() { bytes += piece }
        } catch {
            failure = error
        }
        do throws(SchemeTaskError) {
            let body = ResumedBody(bytes, source, failure: failure)
            return .ready(response(try head(of: delivery, by: bytes), .stream(body, length: content.length)))
        } catch {
            source.cancel()
            return .failed(error)
        }
    }

    // MARK: Redirected documents

    /// A document that was redirected here goes on with what its chain of redirects means.
    private mutating func begin() throws(SchemeTaskError) -> RedirectFollowing {
        let now = responder.clock.uptime()
        if let moved = responder.movedDocuments.withLock({ $0.take(first, at: now) }) {
            body = moved.body
            return moved.following
        }
        do throws(FetchError) {
            return try RedirectFollowing(first, registrableDomain: configuration.registrableDomain)
        } catch {
            throw SchemeTaskError(error)
        }
    }

    private mutating func move(on following: RedirectFollowing, keepsBody: Bool) throws(SchemeTaskError) -> LoadAnswer {
        // A load that was stopped meanwhile leads nowhere.
        guard !Task.isCancelled else { throw Self.moved }
        let now = responder.clock.uptime()
        body = keepsBody ? body?.forNextDocument : nil
        let body = body
        responder.movedDocuments.withLock {
            $0.add(MovedDocuments.Moved(following: following, body: body, time: now))
        }
        let next = following.request
        let target = next.fragment.map { "\(next.url)#\($0)" } ?? next.url
        let url = usesAppScheme ? AppCacheScheme.pageURL(of: target) ?? target : target
        guard next.isTopLevelNavigation else { return .ready(refresh(to: url)) }
        configuration.move(.load(url: url, referrer: next.head.headerFields[.referer]))
        throw Self.moved
    }

    private static var moved: SchemeTaskError {
        SchemeTaskError(code: .moved, message: "The document is redirected; the web view loads its new address.")
    }
}
