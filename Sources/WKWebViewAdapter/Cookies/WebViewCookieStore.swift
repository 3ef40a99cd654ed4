#if canImport(WebKit)
import Fetching
import Foundation
import HTTPCacheSemantics
import WebKit

/// The cookies that a web view keeps.
struct WebViewCookieStore: CookieStoring {
    let store: WKHTTPCookieStore

    @MainActor
    func cookies(for url: String) async -> [Cookie] {
        guard let host = Self.host(of: url) else { return [] }
        // All of the last two labels: more than the URL's do no harm, and most cookies are of other sites.
        let labels = host.split(separator: ".")
        let end = labels.suffix(2).joined(separator: ".")
        return await store.allCookies().filter { $0.domain.lowercased().hasSuffix(end) }.map { Cookie($0) }
    }

    @MainActor
    func set(_ cookies: [Cookie]) async {
        for cookie in cookies.compactMap(\.httpCookie) { await store.setCookie(cookie) }
    }

    @MainActor
    func remove(_ cookies: [Cookie]) async {
        for kept in await store.allCookies() where cookies.contains(where: { $0.isSameCookie(as: Cookie(kept)) }) {
            await store.deleteCookie(kept)
        }
    }

    private static func host(of url: String) -> String? {
        guard let authority = TargetURI.split(url)?.authority else { return nil }
        return Authority(authority)?.host
    }
}

/// The passwords that pages of a data store were opened with in scheme modes: web views that share cookies share them.
@MainActor
enum DataStoreCredentials {
    private static var known = DataStoreMap<CredentialMemory>()

    static func memory(of store: WKWebsiteDataStore) -> CredentialMemory {
        known.value(of: store) { CredentialMemory() }
    }
}
#endif
