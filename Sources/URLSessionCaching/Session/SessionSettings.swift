import CacheEngine
import Foundation
import HTTPTypes

/// The part of a session's configuration that its own HTTP carries out, and a protocol has to do
/// instead: `URLSession` neither adds nor keeps cookies for one.
///
/// `@unchecked`: the cookie storage may be used from any thread.
struct SessionSettings: Equatable, @unchecked Sendable {
    private let cookies: HTTPCookieStorage?
    private let keepsCookies: Bool
    private let sendsCookies: Bool
    private let fields: [String: String]
    private let cachePolicy: URLRequest.CachePolicy
    private let timeout: TimeInterval

    /// As the configuration is now.
    init(_ configuration: URLSessionConfiguration) {
        cookies = configuration.httpCookieStorage
        keepsCookies = configuration.httpCookieAcceptPolicy != .never
        sendsCookies = configuration.httpShouldSetCookies
        var fields: [String: String] = [:]
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            if let name = name as? String, let value = value as? String { fields[name] = value }
        }
        self.fields = fields
        cachePolicy = configuration.requestCachePolicy
        timeout = configuration.timeoutIntervalForRequest
    }

    /// A request as the session's own HTTP would send it. What the request sets itself counts more.
    func applied(to request: URLRequest) -> URLRequest {
        var request = request
        for (name, value) in fields where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        if request.cachePolicy == .useProtocolCachePolicy { request.cachePolicy = cachePolicy }
        if request.timeoutInterval == Self.defaultTimeout { request.timeoutInterval = timeout }
        if sendsCookies, request.httpShouldHandleCookies, let url = request.url,
            let value = HTTPCookie.requestHeaderFields(with: cookies?.cookies(for: url) ?? [])["Cookie"], !value.isEmpty
        {
            request.setValue(value, forHTTPHeaderField: "Cookie")
        }
        return request
    }

    /// The time-out of a request that sets none, in seconds.
    private static let defaultTimeout: TimeInterval = 60

    /// Keeps the cookies of a response, redirects included.
    func keepCookies(of head: HTTPResponse, to request: URLRequest) {
        guard keepsCookies, request.httpShouldHandleCookies, let cookies, let url = request.url else { return }
        // Line by line: a date has a comma of its own.
        for line in head.headerFields[values: .setCookie] {
            let kept = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": line], for: url)
            cookies.setCookies(kept, for: url, mainDocumentURL: request.mainDocumentURL)
        }
    }
}
