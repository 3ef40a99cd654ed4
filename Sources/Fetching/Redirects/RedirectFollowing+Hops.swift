import HTTPCacheSemantics
import HTTPTypes

/// Fetch §4.4, "HTTP-redirect fetch".
extension RedirectFollowing {
    mutating func follow(
        _ next: URLReference.Resolution, _ response: HTTPResponse, isBodyReplayable: Bool
    ) throws(FetchError) -> RedirectAction {
        let target: WebURL
        switch next {
        case .web(let web): target = upgraded(web)
        case .other(let scheme, let url) where request.isTopLevelNavigation && URLReference.isForApp(scheme: scheme):
            return .handToApp(url: url)
        case .other, .unusable: throw RedirectChain.wrongScheme
        }
        let previous = request.targetOrigin
        try chain.add(target)
        try checkCredentials(target)
        try checkMixedContent(target)
        var head = request.head
        let keepsBody = RedirectChain.turn(&head, by: response.status, to: target)
        if keepsBody, !isBodyReplayable {
            throw FetchError(
                code: .bodyNotReplayable,
                message: "A redirect wants the request's body once more, and it was a stream that has been read.")
        }
        request.head = head
        // A relative URL has those of its base (URL standard §4.4, "relative state").
        request.urlCredentials = target.credentials ?? (target.origin == previous ? request.urlCredentials : nil)
        request.fragment = target.fragment
        if let policy = ReferrerPolicy(response.headerFields) { request.referrerPolicy = policy }
        cross(from: previous, to: target.origin)
        if !mustBeReadable { tainting = try Self.tainting(of: request, tainting) }
        setFields(target)
        return request.mode == .navigate ? .navigate(keepsBody: keepsBody) : .follow(keepsBody: keepsBody)
    }

    /// Steps 7 and 8. Elsewhere a user name and password are sent once they are asked for; see
    /// ``RequestAuthentication``.
    private func checkCredentials(_ target: WebURL) throws(FetchError) {
        guard target.hasCredentials, request.mode == .cors || mustBeReadable else { return }
        let isOwn = request.origin?.isSameOrigin(as: target.origin) ?? false
        guard tainting == .cors || !isOwn else { return }
        throw FetchError(
            code: .credentialsInURL,
            message: "A CORS request may not be redirected to a URL with a user name or password.")
    }

    /// Mixed Content §4.4: the web view would block or upgrade what a secure page asks for, but sees only the first
    /// URL. `http` at loopback is no exception: WebKit makes one for images and media of the page itself, and none for
    /// where a redirect leads (2.50, measured).
    private func checkMixedContent(_ target: WebURL) throws(FetchError) {
        guard request.mode != .navigate || !request.isTopLevelNavigation, !target.origin.isHTTPS, isOfSecurePage else {
            return
        }
        throw FetchError(
            code: .mixedContent, message: "A secure page's resource is redirected to http; the origin should use https."
        )
    }

    /// A page is secure if it or its main document is at https, and if neither is known, if the first URL is.
    private var isOfSecurePage: Bool {
        let origins = [request.origin, request.topLevelOrigin].compactMap { $0 }
        let pages = origins.filter { !$0.isOpaque }
        return pages.isEmpty ? firstOrigin.isHTTPS : pages.contains { $0.isHTTPS }
    }

    /// Mixed Content §4.1, "upgrade a mixed content request", where the engine says that this is an image, a film or
    /// sound.
    private func upgraded(_ target: WebURL) -> WebURL {
        guard target.scheme == "http", [.image, .audio, .video].contains(request.destination), isOfSecurePage,
            !CookieDomain.isAddress(target.authority.host), !target.origin.isPotentiallyTrustworthy
        else { return target }
        return WebURL("https" + target.urlWithFragment.dropFirst("http".count)) ?? target
    }

    private mutating func cross(from previous: WebOrigin, to target: WebOrigin) {
        guard !target.isSameOrigin(as: previous) else { return }
        if request.mode == .noCORS, !request.isSurelyCrossOrigin, !mustBeReadable {
            mustBeReadable = true
            request.credentials = .omit
            tainting = .cors
        }
        // "Redirect-tainted origin", §2.2.5.
        if !(askingOrigin?.isSameOrigin(as: previous) ?? false) { isOriginTainted = true }
        leftFirstOrigin = leftFirstOrigin || !target.isSameOrigin(as: firstOrigin)
        // A page that the app or its user opens is as far from where it leads as the site that led there.
        let isTyped = request.head.headerFields[FetchField.secFetchSite] == "none"
        let isOfApp = isTyped || request.origin == nil && request.initiator == .app
        relation = max(
            relation,
            isOfApp
                ? SiteRelation(
                    target.isHTTPS ? previous.upgraded : previous, to: target, registrableDomain: registrableDomain)
                : Self.relation(of: request, to: target, registrableDomain))
    }

    /// The origin whose page would read the response.
    var askingOrigin: WebOrigin? { mustBeReadable ? firstOrigin : request.origin }

    private mutating func setFields(_ target: WebURL) {
        var fields = request.head.headerFields
        fields[.cookie] = nil
        fields[.referer] = request.referrerPolicy.referer(from: request.referrer, to: target)
        // "Append a request `Origin` header", §3.2.
        let isWrite = request.head.method != .get && request.head.method != .head
        if tainting == .cors {
            fields[.origin] = isOriginTainted ? "null" : (askingOrigin ?? .opaque).description
        } else if fields[.origin] != nil {
            fields[.origin] = isWrite ? (isOriginTainted ? "null" : first.head.headerFields[.origin]) : nil
        }
        // Fetch Metadata §2: only for trustworthy URLs, and "none" only for what the user typed or chose.
        if !target.origin.isPotentiallyTrustworthy {
            for name in [
                HTTPField.Name.secFetchDest, FetchField.secFetchMode, FetchField.secFetchSite, FetchField.secFetchUser,
            ] { fields[name] = nil }
        } else if let site = fields[FetchField.secFetchSite], site != "none" {
            fields[FetchField.secFetchSite] = max(relation, SiteRelation(rawValue: site) ?? .crossSite).rawValue
        }
        request.head.headerFields = fields
    }
}
