import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// A web view's request as the Fetch standard §2.2.5 describes requests, as far as a scheme task shows it.
package struct FetchRequest: Hashable, Sendable {
    /// Fetch §2.2.5, "mode".
    package enum Mode: String, Sendable, CaseIterable {
        case navigate, cors, sameOrigin = "same-origin", noCORS = "no-cors"
    }

    /// Fetch §2.2.5, "credentials mode".
    package enum Credentials: String, Sendable, CaseIterable {
        case omit, sameOrigin = "same-origin", include
    }

    /// Fetch §2.2.5, "redirect mode".
    package enum Redirect: String, Sendable, CaseIterable {
        case follow, error, manual
    }

    /// Method, URL and fields. An app-cache URL has become the https URL that it stands for.
    package var head: HTTPRequest
    /// The URL's fragment, without `#`; `nil` without one. Never sent.
    package var fragment: String?
    /// The origin that asks, as servers see it; `nil` if nothing told it. An unknown origin is the same as no other.
    package var origin: WebOrigin?
    package var mode: Mode
    package var credentials = Credentials.sameOrigin
    package var redirect = Redirect.follow
    package var destination = Destination.unknown
    /// Whether this is, or may be, a synchronous `XMLHttpRequest`, whose response no web view checks.
    package var isSynchronous = false
    /// Whether the response replaces the view's main document.
    package var isTopLevelNavigation = false
    /// Whether the web view itself surely holds the asking origin and the URL's for different ones, so that it keeps an
    /// opaque response opaque. `false` if that is only likely.
    package var isSurelyCrossOrigin = false
    /// The URL that `Referer` is made from, without fragment; `nil` if none is to be sent.
    package var referrer: String?
    package var referrerPolicy = ReferrerPolicy.strictOriginWhenCrossOrigin
    /// The origin as the web view has it, in which alone its own CORS check would believe: at the app-cache scheme that
    /// is not ``origin``. `nil` if nothing showed it.
    package var shownOrigin: WebOrigin?
    /// The URL of the view's main document, which need not be http or https; `nil` if unknown.
    package var topLevelURL: String?
    /// Fetch §2.2.5, "cache mode"; `nil` if unknown.
    package var cacheMode: CacheMode?
    /// Whether an `EventSource` asks (HTML §9.2), as far as that can be told. A worker's `fetch` can look like one.
    package var isEventSource = false
    /// The user name and password of the URL, which is without them everywhere else; `nil` without any.
    package var urlCredentials: BasicCredentials?

    /// The initiator of a navigation; `nil` if nothing proves it.
    package var initiator: RequestEvidence.Initiator?

    /// Absolute and normalised, without fragment.
    package var url: String { head.targetURL }

    /// The origin of ``url``.
    package var targetOrigin: WebOrigin { WebOrigin(url: url) }

    /// Whether the asking origin is the URL's own. An unknown origin is not.
    package var isSameOrigin: Bool { origin?.isSameOrigin(as: targetOrigin) ?? false }
}

extension FetchRequest {
    /// The URL of the top-level document that the request is for: its own if it is that document. `nil` if unknown.
    package var topLevelDocument: String? { isTopLevelNavigation ? url : topLevelURL }

    /// The origin of the page in the address bar. At the app-cache scheme nothing tells who asks for a style, a script,
    /// an image or captions: this page gets its own.
    package var topLevelOrigin: WebOrigin? { topLevelURL.map { WebOrigin(url: $0) } }

    /// The site of ``topLevelDocument``.
    package func topLevelSite(_ registrableDomain: Site.RegistrableDomain?) -> Site? {
        topLevelDocument.map { Site(WebOrigin(url: $0), registrableDomain: registrableDomain) }
    }

    /// The site under which a cache keeps the response apart (Fetch, "determine the HTTP cache partition").
    ///
    /// The top-level document counts, not the frame that asks: a frame of `ads.test` in a page of
    /// `shop.test` finds what other resources of `shop.test` pages stored, and nothing of any other
    /// site. Documents without an origin, such as `data:` and `about:blank`, have one site for all
    /// of them, `null`.
    ///
    /// - Returns: The site of the top-level document for a URL of another site; empty for its own site, for the
    ///   document itself, and where it is unknown.
    package func cacheSite(registrableDomain: Site.RegistrableDomain? = nil) -> String {
        guard !isTopLevelNavigation, let site = topLevelSite(registrableDomain),
            !site.isSameSite(as: Site(targetOrigin, registrableDomain: registrableDomain))
        else { return "" }
        return site.description
    }
}

extension FetchRequest {
    /// Reads a request from what its scheme task shows. Where nothing tells, the guess is the one that lets a page read
    /// less:
    ///
    /// - origin: `Origin`; else the URL's own if `Sec-Fetch-Site` is `same-origin`, or where only CORS could have sent
    ///   the request to another origin and the engine would have shown that (``isProvenOwn(_:_:)``); else, at http
    ///   and https, the origin of `Referer`, unless it is the URL's own beside that field; else unknown. At the
    ///   app-cache scheme a sandboxed document has the `Referer` of its host, so there it proves nothing. A `null` in a
    ///   request that is not CORS says nothing: a referrer policy hides the origin of a form or beacon in the same way
    ///   (Fetch §3.2). Nor does one beside `Sec-Fetch-Site` `same-origin`: an `XMLHttpRequest` of a blank frame has it
    ///   in WebKit.
    /// - mode: `same-origin` for captions without CORS; else `Sec-Fetch-Mode`; else `navigate` if the navigation
    ///   delegate announced it; else what the destination always has; else `same-origin` where the injected script
    ///   says so of its own origin; else `cors` with `Origin`, with a proven own origin or with a method that no
    ///   other mode has; else `no-cors`. A page chooses `Accept`, so it is no evidence of a navigation.
    /// - destination: `Sec-Fetch-Dest`; else, of a navigation, what its delegate announced; else `fetch` where the
    ///   injected script has seen that a script asks.
    /// - credentials: none for what nobody is known to ask for at the app-cache scheme, or an opaque origin, unless a
    ///   navigation was announced; else what the injected script says; else `include` for navigations and `no-cors`, as
    ///   always there; else `same-origin`, so that a response that `*` opens never holds what cookies opened.
    /// - redirect: what the injected script says; else `manual` for navigations and `follow` for the rest.
    /// - synchronous: every request with CORS that may be a script's.
    /// - `Referer`: of pages at the app-cache scheme cut as the default policy says (Referrer Policy §8.3), since
    ///   WebKit does that for http and https only.
    /// - `Origin`: of what pages at the app-cache scheme send, other than GET and HEAD; `null` where the origin is not
    ///   known.
    /// - surely cross-origin: `Sec-Fetch-Site` `cross-site` or `same-site`, or another `Origin` in a CORS request.
    ///   `Referer` does not count: a style sheet's requests name the sheet there, not the page.
    ///
    /// - Returns: `nil` if the URL is no http, https or app-cache-https URL, or its host can't be read in one way only.
    package init?(_ observed: RequestEvidence) {
        guard let target = WebURL(observed.url) else { return nil }
        let evidence = Evidence(observed.fields)
        let mode = Self.mode(observed, evidence, target.origin)
        let isNavigation = mode == .navigate
        let isHidden = mode != .cors || evidence.hidesOwnOrigin
        let field = evidence.origin.flatMap { $0.isOpaque && isHidden ? nil : $0 }
        let referrer = observed.fields[.referer].flatMap { WebURL($0) }
        let isAppScheme = observed.url.hasPrefix(AppCacheScheme.name + ":")
        let isOwn = evidence.site == "same-origin" || Self.isProvenOwn(observed, evidence)
        let provesNothing = isAppScheme || evidence.site != nil && referrer?.origin == target.origin
        let origin = field?.onNetwork ?? (isOwn ? target.origin : provesNothing ? nil : referrer?.origin)
        var fields = observed.fields
        // Media players of WebKit set `Connection`, which is about a connection that there is not.
        HopByHopFields.remove(from: &fields)
        let stated = CacheMode.take(from: &fields)
        // Pages at the app-cache scheme are at https for servers.
        if let shown = evidence.origin, shown.onNetwork != shown { fields[.origin] = shown.onNetwork.description }
        if let referrer {
            let isAppPage = observed.fields[.referer]?.hasPrefix(AppCacheScheme.name + ":") == true
            fields[.referer] =
                isAppPage
                ? (observed.options.referrerPolicy ?? .strictOriginWhenCrossOrigin)
                    .referer(from: referrer.url, to: target) : referrer.url
        }
        // Referrer Policy §8.4: no part of a `data:` or `blob:` document goes out.
        if referrer == nil { fields[.referer] = nil }
        // Fetch §3.2, which WebKit keeps to for http and https only: servers tell a foreign page's writes by it.
        if isAppScheme, Self.isWrite(observed.method), evidence.origin == nil, evidence.site == nil, !isNavigation {
            fields[.origin] = (origin ?? .opaque).description
        }
        // The engine asks whether its own copy of a font or a script is valid still; no server need allow that field.
        if isAppScheme, mode == .cors, !observed.isFetch, observed.method == .get,
            origin?.isSameOrigin(as: target.origin) != true
        {
            (fields[.ifNoneMatch], fields[.ifModifiedSince]) = (nil, nil)
        }
        let isAskedByNobody =
            isAppScheme && origin?.isOpaque != false && evidence.site == nil
            && (!isNavigation || observed.navigation == .unannouncedFrame)
        // The web view asks other origins too.
        let asker = evidence.destination == .track && mode == .sameOrigin ? origin ?? .opaque : origin
        let isCrossSite = evidence.site == "cross-site" || evidence.site == "same-site"
        let isOtherOrigin = mode == .cors && field.map { $0.onNetwork != target.origin } == true
        let isTopLevel: Bool
        switch observed.navigation {
        case .topLevel: isTopLevel = isNavigation
        case .frame, .unannouncedFrame, .some(.none): isTopLevel = false
        case nil:
            let isShown = observed.topLevelURL.flatMap { WebURL($0) }?.url == target.url
            isTopLevel =
                isNavigation && (evidence.destination == .document || (evidence.destination == .unknown && isShown))
        }
        self.init(
            head: HTTPRequest(
                method: observed.method, scheme: target.scheme, authority: target.authority.description,
                path: target.path, headerFields: fields),
            fragment: target.fragment, origin: asker, mode: mode,
            credentials: isAskedByNobody
                ? .omit : observed.options.credentials ?? (isNavigation || mode == .noCORS ? .include : .sameOrigin),
            redirect: observed.options.redirect ?? (isNavigation ? .manual : .follow),
            destination: Self.destination(observed, evidence, mode),
            isSynchronous: mode == .cors && [.fetch, .unknown].contains(evidence.destination),
            isTopLevelNavigation: isTopLevel, isSurelyCrossOrigin: isCrossSite || isOtherOrigin,
            referrer: referrer?.url, shownOrigin: evidence.origin,
            topLevelURL: observed.topLevelURL.flatMap { $0.isEmpty ? nil : WebURL($0)?.url ?? $0 })
        cacheMode = observed.options.cacheMode ?? stated
        isEventSource =
            !observed.isFetch && observed.method == .get && fields[values: .accept] == ["text/event-stream"]
        initiator = isNavigation ? observed.initiator : nil
        urlCredentials = target.credentials
        if let policy = observed.options.referrerPolicy { referrerPolicy = policy }
    }

    /// The fields that only the engine can set.
    private struct Evidence {
        var origin: WebOrigin?
        var destination: Destination
        var mode: Mode?
        /// `same-origin`, `same-site`, `cross-site` or `none`; another value counts as `cross-site`.
        var site: String?
        /// `Origin` is `null`, in one line, though the request stays within the page's own origin.
        var hidesOwnOrigin: Bool

        init(_ fields: HTTPFields) {
            // Two lines, or a value that is no origin, come from no engine: the strictest reading is an opaque origin.
            origin = fields[.origin].map { WebOrigin(serialized: $0) ?? .opaque }
            destination = Destination(secFetchDest: fields[.secFetchDest])
            mode = fields[FetchField.secFetchMode].flatMap { Mode(rawValue: $0) }
            site = fields[FetchField.secFetchSite].map { value in
                ["same-origin", "same-site", "cross-site", "none"].contains(value) ? value : "cross-site"
            }
            hidesOwnOrigin = site == "same-origin" && fields[values: .origin] == ["null"]
        }
    }

    /// Whether only CORS could have sent the request to another origin, which `Origin` would have shown then. The
    /// engine keeps pages to that, so it proves the origin whatever the page knows of Larder:
    ///
    /// - a method, or the field ``UploadScript/ownRequestField``, that the engine lets pass in no other mode (Fetch
    ///   §2.2.2). Other fields prove nothing, as engines add some of their own: conditions, ranges, types of reports.
    /// - the two fields that engines send with an `EventSource` (HTML §9.2.3); a request of mode `no-cors` can't have
    ///   the second.
    ///
    /// WebKit puts `Origin` into every request for scripts that leaves the page's origin, at schemes of an app's own
    /// too: seen in WebKitGTK 2.50, and WebCore's code for all platforms.
    private static func isProvenOwn(_ observed: RequestEvidence, _ evidence: Evidence) -> Bool {
        guard evidence.origin == nil, evidence.site == nil,
            [nil, RequestEvidence.Navigation.none].contains(observed.navigation)
        else { return false }
        return isEventStream(observed) || observed.needsCORSElsewhere || !CORSSafelist.isSafelisted(observed.method)
    }

    private static func isEventStream(_ observed: RequestEvidence) -> Bool {
        observed.method == .get && observed.fields[values: .accept] == ["text/event-stream"]
            && observed.fields[values: .cacheControl] == ["no-cache"] && !observed.fields.contains(.pragma)
    }

    private static func destination(
        _ observed: RequestEvidence, _ evidence: Evidence, _ mode: Mode
    ) -> Destination {
        guard evidence.destination == .unknown else { return evidence.destination }
        guard mode == .navigate else { return observed.isFetch ? .fetch : .unknown }
        return switch observed.navigation {
        case .topLevel: .document
        case .frame, .unannouncedFrame: .iframe
        case .some(.none), nil: .unknown
        }
    }

    private static func isWrite(_ method: HTTPRequest.Method) -> Bool { method != .get && method != .head }

    private static func mode(_ observed: RequestEvidence, _ evidence: Evidence, _ target: WebOrigin) -> Mode {
        // HTML §4.8.11.11.3; WebKit asks for captions without CORS, and then lets the page read them.
        if evidence.destination == .track, evidence.mode == .noCORS { return .sameOrigin }
        if let mode = evidence.mode { return mode }
        if let navigation = observed.navigation, navigation != .none { return .navigate }
        switch evidence.destination {
        case .document, .iframe, .object, .embed: return .navigate
        case .font, .manifest: return .cors
        case .worker, .sharedWorker, .serviceWorker: return .sameOrigin
        default: break
        }
        let isOwn = evidence.origin.map { $0.onNetwork == target } ?? isProvenOwn(observed, evidence)
        if isOwn, observed.options.isForOwnOrigin { return .sameOrigin }
        if isOwn || evidence.origin != nil { return .cors }
        return CORSSafelist.isSafelisted(observed.method) ? .noCORS : .cors
    }
}
