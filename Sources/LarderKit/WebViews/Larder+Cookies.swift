#if canImport(WebKit)
import Foundation
import WebKit

extension Larder {
    /// Gives the web views of a data store and the app's own sessions the same cookies, in both directions: a user who
    /// has signed in at one place is signed in at the other, and one who signs out is so at both. Cookies of web views
    /// win where both have one at the beginning. It ends when ``account`` changes. Type-checked and driven with
    /// stand-ins; not yet run on a device.
    ///
    /// ```swift
    /// sharing = await larder.shareCookies(of: configuration.websiteDataStore, with: .shared, sites: ["shop.example"])
    /// larder.load(home, in: webView)
    /// ```
    ///
    /// - Parameters:
    ///   - dataStore: Of the web views. Its cookies of other sites stay where they are.
    ///   - storage: Of the sessions, such as `HTTPCookieStorage.shared`.
    ///   - sites: Domains such as `shop.example`; hosts below them count.
    /// - Returns: The sharing, once both have the same; keep it as long as it shall last.
    @MainActor
    public func shareCookies(
        of dataStore: WKWebsiteDataStore, with storage: HTTPCookieStorage, sites: [String]
    ) async -> CookieSharing {
        let store = dataStore.httpCookieStore
        let account = account
        let sharing = CookieSharing(
            web: WebCookies(store: store), app: SessionCookies(storage: storage), sites: sites,
            isCurrent: { self.account == account },
            watch: { changed in
                let observer = CookieObserver(changed)
                store.add(observer)
                // Only handed back to the centre, which may be used from any thread.
                nonisolated(unsafe) let token = NotificationCenter.default.addObserver(
                    forName: .NSHTTPCookieManagerCookiesChanged, object: storage, queue: nil
                ) { _ in Task { @MainActor in changed() } }
                return CookieSharing.Watching {
                    NotificationCenter.default.removeObserver(token)
                    Task { @MainActor in store.remove(observer) }
                }
            })
        await sharing.share()
        return sharing
    }
}

/// The cookies of a data store's web views.
private struct WebCookies: CookiePlace {
    let store: WKHTTPCookieStore

    func cookies() async -> [HTTPCookie] { await store.allCookies() }
    func set(_ cookie: HTTPCookie) async { await store.setCookie(cookie) }
    func remove(_ cookie: HTTPCookie) async { await store.deleteCookie(cookie) }
}

@MainActor
private final class CookieObserver: NSObject, WKHTTPCookieStoreObserver {
    private let changed: @MainActor () -> Void

    init(_ changed: @escaping @MainActor () -> Void) { self.changed = changed }

    func cookiesDidChange(in cookieStore: WKHTTPCookieStore) { changed() }
}
#endif
