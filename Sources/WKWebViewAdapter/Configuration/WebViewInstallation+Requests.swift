#if canImport(WebKit)
import Foundation
import HTTPTypes
import Interception
import WebKit

extension WebViewInstallation {
    func makeRequests(
        userAgent: String?, _ dataStore: WKWebsiteDataStore, ask: CredentialQuestion.Asker?,
        move: @escaping @Sendable (DocumentMove) -> Void
    ) -> ViewRequests {
        var fields: HTTPFields = [.acceptLanguage: AcceptLanguage.field(Locale.preferredLanguages)]
        if let userAgent, !userAgent.isEmpty { fields[.userAgent] = userAgent }
        let policy = CookiePolicy(thirdParty: options.thirdPartyCookies, isPublicSuffix: options.isPublicSuffix)
        var configuration = WebViewResponder.Configuration(
            view: "web view", context: context,
            cookies: CookieBridge(store: WebViewCookieStore(dataStore.httpCookieStore), policy: policy),
            registrableDomain: options.registrableDomain, defaultFields: fields, rewriting: options.rewriting,
            move: move)
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
