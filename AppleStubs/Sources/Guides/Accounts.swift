// The lines of docs/guides/cookies-and-accounts.md.
import LarderKit
import WebKit

@available(iOS 17.0, macOS 14.0, *)
@MainActor
func dataStores(larder: Larder, accountID: UUID) async -> WKWebViewConfiguration {
    let configuration = WKWebViewConfiguration()
    configuration.websiteDataStore = WKWebsiteDataStore(forIdentifier: accountID)  // iOS 17, macOS 14
    larder.account = accountID.uuidString
    await larder.install(in: configuration)
    return configuration
}

@MainActor
func signedInAlready(larder: Larder, session: HTTPCookie, webView: WKWebView, home: URL) async {
    await webView.configuration.websiteDataStore.httpCookieStore.setCookie(session)
    larder.load(home, in: webView)
}

@MainActor
final class SignedInViews {
    private var sharing: CookieSharing?

    func open(_ home: URL, larder: Larder, dataStore: WKWebsiteDataStore, webView: WKWebView) async {
        sharing = await larder.shareCookies(of: dataStore, with: .shared, sites: ["shop.example"])  // keep `sharing`
        larder.load(home, in: webView)
    }
}

@MainActor
func signingOut(larder: Larder, dataStore: WKWebsiteDataStore, account: String) async throws {
    let own = EntrySelection(partition: account)
    try await larder.clear(own, webViewsOf: dataStore, and: Set(WebsiteDataKind.allCases))
    try await larder.logOut(account)
    try await larder.remove(EntrySelection(partition: ""))
}

@MainActor
func clearing(larder: Larder, dataStore: WKWebsiteDataStore) async throws {
    try await larder.clear(webViewsOf: dataStore)  // "Clear cache": nobody is signed out, what is pinned stays
    print(try await larder.usage.onDisk)
}

@MainActor
func suffixes(larder: Larder, configuration: WKWebViewConfiguration) async {
    var options = WebViewOptions()
    options.isPublicSuffix = { domain in ["com", "co.uk", "github.io"].contains(domain) }  // ask a list of your own
    await larder.install(in: configuration, options: options)
}
