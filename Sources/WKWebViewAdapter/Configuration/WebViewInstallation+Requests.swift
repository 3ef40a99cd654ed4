#if canImport(WebKit)
import Fetching
import Foundation
import HTTPTypes
import SchemeTasks
import ViewCare
import WebKit

extension WebViewInstallation {
    /// - Parameters:
    ///   - view: What reports call the view.
    ///   - userAgent: What it calls itself to servers; `nil` where that is not known.
    func makeRequests(
        of view: String, userAgent: @escaping @Sendable () -> String?, _ dataStore: WKWebsiteDataStore,
        ask: CredentialQuestion.Asker?,
        move: @escaping @Sendable (DocumentMove) -> Void
    ) -> ViewRequests {
        let policy = CookiePolicy(thirdParty: options.thirdPartyCookies, isPublicSuffix: options.isPublicSuffix)
        var configuration = WebViewResponder.Configuration(
            view: view, context: context,
            cookies: CookieBridge(store: WebViewCookieStore(dataStore.httpCookieStore), policy: policy),
            registrableDomain: options.registrableDomain,
            defaultFields: [.acceptLanguage: AcceptLanguage.field(Locale.preferredLanguages)],
            userAgent: userAgent, rewriting: options.rewriting, move: move)
        (configuration.credentials, configuration.askForCredentials) = (
            DataStoreCredentials.memory(of: dataStore), ask
        )
        let responder = WebViewResponder(cache: cache, configuration: configuration, clock: clock)
        return ViewRequests(
            responder, hook: hook, uploads: PageUploads { try UploadFile(in: NSTemporaryDirectory()) })
    }
}

extension WebViewInstallation: WKURLSchemeHandler {
    public func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask) {
        attached(webView).start(urlSchemeTask)
    }

    public func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask) {
        views[ObjectIdentifier(webView)]?.stop(urlSchemeTask)
    }
}
#endif
