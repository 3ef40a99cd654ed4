import CacheEngine
import HTTPCacheSemantics
import HTTPTypes

/// The redirects behind one request, Fetch §4.4 "HTTP-redirect fetch": every redirect in Larder is followed here.
///
/// The rules that hold for pages alone (origins, CORS, mixed content) are in ``RedirectFollowing``, which has one of
/// these.
package struct RedirectChain: Hashable, Sendable {
    /// "If request's redirect count is 20, then return a network error."
    package static let greatestCount = 20

    /// "URL list": without fragments, the current one last.
    package private(set) var urls: [String]

    /// - Parameter url: The URL of the first request, absolute.
    package init(_ url: String) { urls = [url] }

    /// Whether a response only says where the content is.
    package static func isRedirect(_ response: HTTPResponse) -> Bool {
        response.status.isRedirect && response.headerFields.contains(.location)
    }

    /// The request that follows a redirect, for a client that is no page.
    ///
    /// - Returns: `nil` if the response is no redirect, or has no `Location`.
    /// - Throws: An error past 20 redirects, and for a target that no http or https request can
    ///   follow.
    package mutating func next(after head: HTTPRequest, _ response: HTTPResponse) throws(FetchError) -> HTTPRequest? {
        guard let target = try target(of: response) else { return nil }
        guard case .web(let web) = target else { throw Self.wrongScheme }
        try add(web)
        var next = head
        Self.turn(&next, by: response.status, to: web)
        return next
    }

    /// Where a response leads.
    ///
    /// - Parameter fragment: The fragment of the current URL, which the next one inherits; `nil` without one.
    /// - Returns: `nil` if the response is no redirect, or has no `Location`.
    func target(of response: HTTPResponse, fragment: String? = nil) throws(FetchError) -> URLReference.Resolution? {
        guard response.status.isRedirect, let location = try Self.location(response) else { return nil }
        let current = urls.last ?? ""
        let target = URLReference.resolve(location, against: fragment.map { "\(current)#\($0)" } ?? current)
        if case .unusable(let reason) = target {
            throw FetchError(
                code: .malformedLocation, message: "The Location of a redirect is not usable: \(reason.rawValue).")
        }
        return target
    }

    /// Goes on to a URL.
    mutating func add(_ target: WebURL) throws(FetchError) {
        guard urls.count <= Self.greatestCount else {
            let isLoop = urls.contains(target.url) || Set(urls).count < urls.count
            throw FetchError(
                code: isLoop ? .redirectLoop : .tooManyRedirects,
                message: isLoop
                    ? "The site redirects in a circle; its cookies may be missing or refused."
                    : "The site redirects more than \(Self.greatestCount) times in a row.")
        }
        urls.append(target.url)
    }

    /// Makes a request the one that follows, steps 12 and 13: its URL and method, without the fields that describe a
    /// content which is not sent again, and without those that are meant for one origin (RFC 9110 §15.4).
    ///
    /// - Returns: Whether the content stays.
    @discardableResult
    static func turn(_ head: inout HTTPRequest, by status: HTTPResponse.Status, to target: WebURL) -> Bool {
        let method = head.method
        let becomesGet =
            ([301, 302].contains(status.code) && method == .post)
            || (status.code == 303 && method != .get && method != .head)
        if becomesGet {
            head.method = .get
            for name in FetchField.ofRequestBody { head.headerFields[name] = nil }
        }
        let previous = WebOrigin(url: head.targetURL)
        (head.scheme, head.authority, head.path) = (target.scheme, target.authority.description, target.path)
        if !target.origin.isSameOrigin(as: previous) {
            for name in [.authorization, .cookie, .proxyAuthorization] as [HTTPField.Name] {
                head.headerFields[name] = nil
            }
        }
        return !becomesGet && method != .get && method != .head
    }

    static let wrongScheme = FetchError(
        code: .redirectScheme,
        message: "The response redirects to a URL of a scheme that no response may lead to.")

    /// The value of the one `Location`; `nil` without it. Equal lines count as one.
    private static func location(_ response: HTTPResponse) throws(FetchError) -> String? {
        let lines = response.headerFields[values: .location]
        guard Set(lines).count <= 1 else {
            throw FetchError(code: .malformedLocation, message: "The redirect has several different Location fields.")
        }
        return lines.first
    }
}

extension ResponseCache {
    /// Whether stored responses would answer a GET with content if there were no network, redirects included. Sends,
    /// stores and reports nothing. Fields that select among stored responses and that the request lacks are taken from
    /// those, as in ``explain(_:)``; it is enough that one of them answers.
    package func isAvailableOffline(_ request: EngineRequest) async -> Bool {
        var request = request
        request.context.connectivity = .disconnected
        var chain = RedirectChain(request.head.targetURL)
        while let stored = await storedAnswer(toVariantsOf: request) {
            let head = HTTPResponse(status: stored.status, headerFields: stored.fields)
            guard stored.status.isRedirect else { return stored.status.kind == .successful }
            guard let next = try? chain.next(after: request.head, head) else { return false }
            request.head = next
        }
        return false
    }
}
