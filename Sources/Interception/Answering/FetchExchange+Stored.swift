import CacheEngine
import Fetching
import HTTPCacheSemantics
import HTTPTypes

/// Answers that are the same whatever the cookies are.
extension FetchExchange {
    /// Answers from the store without waiting, so without cookies: only where they and a preflight make no difference,
    /// and the response is for the page itself.
    ///
    /// - Returns: `nil` if ``respond()`` has to answer; nothing has happened then.
    func answerAtOnce() -> Outcome? {
        guard let following = cookielessFetch else { return nil }
        return responder.cache.answerWithoutCookies(to: request(following), where: Self.isForPage)
            .flatMap { outcome(of: $0, following) }
    }

    /// Answers as ``answerAtOnce()`` does, where the store has to be read first: that takes less than asking the web view
    /// for its cookies, which is a message to another process and back.
    func answerFromStore() async -> Outcome? {
        guard configuration.cookies != nil, purpose != .download, let following = cookielessFetch else {
            return nil
        }
        return await responder.cache.readAnswerWithoutCookies(to: request(following), where: Self.isForPage)
            .flatMap { outcome(of: $0, following) }
    }

    private var cookielessFetch: RedirectFollowing? {
        guard first.head.method == .get, body == nil, !responder.movedDocuments.withLock({ $0.mayHave(first) }),
            let following = try? RedirectFollowing(first, registrableDomain: configuration.registrableDomain),
            following.preflight == nil
        else { return nil }
        return following
    }

    private func request(_ following: RedirectFollowing) -> EngineRequest {
        var head = head(of: following.request)
        let context = context(following.request)
        if let credentials = authentication(of: following, context).credentials {
            head.headerFields[.authorization] = credentials.fieldValue
        }
        return EngineRequest(head: head, context: context)
    }

    private static func isForPage(_ stored: StoredResponse) -> Bool {
        !stored.status.isRedirect && stored.status != .unauthorized
            && DecodedHead(HTTPResponse(status: stored.status, headerFields: stored.fields)) != nil
    }

    private func outcome(of response: EngineResponse, _ following: RedirectFollowing) -> Outcome? {
        var following = following
        guard let decoded = DecodedHead(response.head) else { return nil }
        switch following.receive(decoded.head, isBodyReplayable: true) {
        case .deliver(let delivery) where isFramingRefused(delivery.response, following.request):
            return .success(Self.emptyDocument)
        case .deliver(let delivery):
            let content = decoded.decode(response.body)
            guard isUntypedDocument(delivery.response) || mayBeForeignCaptions else {
                return .success(self.response(delivery.response, content))
            }
            // What has to be read for its type is not ready.
            guard case .bytes(let bytes) = content else {
                content.discard()
                return nil
            }
            if mayBeForeignCaptions, CaptionCheck.areCaptions(bytes) {
                return .failure(SchemeTaskError(CaptionCheck.refusal))
            }
            guard isUntypedDocument(delivery.response) else {
                return .success(self.response(delivery.response, content))
            }
            return .success(self.response(Self.typed(delivery.response, by: bytes), content))
        case .refuse(let error): return .failure(SchemeTaskError(error))
        case .follow, .navigate, .handToApp: return nil
        }
    }
}
