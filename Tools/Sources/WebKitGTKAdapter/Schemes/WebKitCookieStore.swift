import CWebKitGTK
import Fetching
import HTTPCacheSemantics

/// The cookies that a web view keeps.
///
/// Unchecked because the pointer is used on the main actor only.
struct WebKitCookieStore: CookieStoring, @unchecked Sendable {
    private let manager: UnsafeMutablePointer<WebKitCookieManager>

    init(_ manager: UnsafeMutablePointer<WebKitCookieManager>) { self.manager = manager }

    /// A network process that has died does not answer.
    private static let limit = Duration.seconds(10)

    @MainActor
    func cookies(for url: String) async -> [Cookie] {
        // WebKit hides secure cookies from an http URL, which must not replace them (RFC 6265bis §5.7).
        let secure = url.hasPrefix("http:") ? "https:" + url.dropFirst("http:".count) : url
        return await Reply<[Cookie]>.first(within: Self.limit) { reply in
            webkit_cookie_manager_get_cookies(
                manager, secure, nil,
                { source, result, data in
                    let list = webkit_cookie_manager_get_cookies_finish(
                        source?.cast(to: WebKitCookieManager.self), result, nil)
                    var cookies: [Cookie] = []
                    var place = list
                    while let item = place {
                        if let cookie = item.pointee.data { cookies.append(Cookie(OpaquePointer(cookie))) }
                        place = item.pointee.next
                    }
                    g_list_free_full(list, { soup_cookie_free(OpaquePointer($0)) })
                    let found = cookies
                    Reply<[Cookie]>.take(data) { $0.resolve(found) }
                }, reply.retainedForCallback())
        } ?? []
    }

    @MainActor
    func set(_ cookies: [Cookie]) async { await add(cookies) }

    /// Sets expired cookies in their place: `webkit_cookie_manager_delete_cookie` finds only those
    /// of the same value, and servers remove a cookie with an empty one.
    @MainActor
    func remove(_ cookies: [Cookie]) async {
        await add(
            cookies.map { cookie in
                var expired = cookie
                expired.expires = WallInstant(sinceEpoch: .seconds(1))
                return expired
            })
    }

    /// One after the other. WebKitGTK has no partitions.
    @MainActor
    private func add(_ cookies: [Cookie]) async {
        for cookie in cookies where !cookie.isPartitioned {
            let soup = cookie.makeSoupCookie()
            _ = await Reply<Bool>.first(within: Self.limit) { reply in
                webkit_cookie_manager_add_cookie(
                    manager, soup, nil,
                    { source, result, data in
                        let isDone = webkit_cookie_manager_add_cookie_finish(
                            source?.cast(to: WebKitCookieManager.self), result, nil)
                        Reply<Bool>.take(data) { $0.resolve(isDone != 0) }
                    }, reply.retainedForCallback())
            }
            soup_cookie_free(soup)
        }
    }
}

extension Cookie {
    fileprivate init(_ cookie: OpaquePointer) {
        let expires = soup_cookie_get_expires(cookie).map { Int64(g_date_time_to_unix($0)) }
        let sameSite: SameSite =
            switch soup_cookie_get_same_site_policy(cookie) {
            case SOUP_SAME_SITE_POLICY_STRICT: .strict
            case SOUP_SAME_SITE_POLICY_LAX: .lax
            default: .none
            }
        self.init(
            name: String(copying: soup_cookie_get_name(cookie)) ?? "",
            value: String(copying: soup_cookie_get_value(cookie)) ?? "",
            domain: String(copying: soup_cookie_get_domain(cookie)) ?? "",
            path: String(copying: soup_cookie_get_path(cookie)) ?? "/",
            expires: expires.map { WallInstant(sinceEpoch: .seconds($0)) },
            isSecure: soup_cookie_get_secure(cookie) != 0, isHTTPOnly: soup_cookie_get_http_only(cookie) != 0,
            sameSite: sameSite, partition: nil)
    }

    /// The caller frees it.
    fileprivate func makeSoupCookie() -> OpaquePointer? {
        let cookie = soup_cookie_new(name, value, isHostOnly ? domain : "." + domain, path, -1)
        if let expires {
            let date = g_date_time_new_from_unix_utc(gint64(expires.sinceEpoch.components.seconds))
            soup_cookie_set_expires(cookie, date)
            if let date { g_date_time_unref(date) }
        }
        soup_cookie_set_secure(cookie, isSecure ? 1 : 0)
        soup_cookie_set_http_only(cookie, isHTTPOnly ? 1 : 0)
        switch sameSite {
        case .strict: soup_cookie_set_same_site_policy(cookie, SOUP_SAME_SITE_POLICY_STRICT)
        case .lax: soup_cookie_set_same_site_policy(cookie, SOUP_SAME_SITE_POLICY_LAX)
        case .none, .unset: soup_cookie_set_same_site_policy(cookie, SOUP_SAME_SITE_POLICY_NONE)
        }
        return cookie
    }
}
