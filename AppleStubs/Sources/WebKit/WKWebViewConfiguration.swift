import AppleFoundation

// c:objc(cs)WKWebViewConfiguration | iOS 8.0, macOS 10.10 | MainActor | S
@MainActor
public final class WKWebViewConfiguration: NSObject {
    // c:objc(cs)WKWebViewConfiguration(im)init | iOS 8.0, macOS 10.10 | MainActor | S
    public override init() { super.init() }

    // c:objc(cs)WKWebViewConfiguration(py)preferences | iOS 8.0, macOS 10.10 | MainActor | S
    public var preferences = WKPreferences()
    // c:objc(cs)WKWebViewConfiguration(py)userContentController | iOS 8.0, macOS 10.10 | MainActor | S
    public var userContentController = WKUserContentController()
    // c:objc(cs)WKWebViewConfiguration(py)websiteDataStore | iOS 9.0, macOS 10.11 | MainActor | S
    public var websiteDataStore = WKWebsiteDataStore.default()
    // c:objc(cs)WKWebViewConfiguration(py)suppressesIncrementalRendering | iOS 8.0, macOS 10.10 | MainActor | S
    public var suppressesIncrementalRendering = false
    // c:objc(cs)WKWebViewConfiguration(py)applicationNameForUserAgent | iOS 9.0, macOS 10.11 | MainActor | S
    public var applicationNameForUserAgent: String?
    // c:objc(cs)WKWebViewConfiguration(py)upgradeKnownHostsToHTTPS | iOS 14.5, macOS 11.3 | MainActor | S
    public var upgradeKnownHostsToHTTPS = true
    // c:objc(cs)WKWebViewConfiguration(py)defaultWebpagePreferences | iOS 13.0, macOS 10.15 | MainActor | S
    public var defaultWebpagePreferences: WKWebpagePreferences! = WKWebpagePreferences()
    // c:objc(cs)WKWebViewConfiguration(py)limitsNavigationsToAppBoundDomains | iOS 14.0, macOS 11.0 | MainActor | S
    public var limitsNavigationsToAppBoundDomains = false
    private var handlers: [String: any WKURLSchemeHandler] = [:]
    /// Not in Apple's module: what raises an exception in WebKit.
    public private(set) var faults: [String] = []

    // c:objc(cs)WKWebViewConfiguration(im)setURLSchemeHandler:forURLScheme: | iOS 11.0, macOS 10.13 | MainActor | D
    public func setURLSchemeHandler(_ urlSchemeHandler: (any WKURLSchemeHandler)?, forURLScheme urlScheme: String) {
        let scheme = urlScheme.lowercased()
        if WKWebView.handlesURLScheme(scheme) { faults.append("\(scheme) is WebKit's own") }
        if handlers[scheme] != nil { faults.append("\(scheme) has a handler") }
        handlers[scheme] = urlSchemeHandler
    }

    // c:objc(cs)WKWebViewConfiguration(im)urlSchemeHandlerForURLScheme: | iOS 11.0, macOS 10.13 | MainActor | D
    public func urlSchemeHandler(forURLScheme urlScheme: String) -> (any WKURLSchemeHandler)? {
        handlers[urlScheme.lowercased()]
    }

    /// Not in Apple's module by this name: a view copies its configuration. What is set later counts for later views only;
    /// the objects are shared.
    func copied() -> WKWebViewConfiguration {
        let copy = WKWebViewConfiguration()
        (copy.preferences, copy.userContentController) = (preferences, userContentController)
        (copy.websiteDataStore, copy.handlers) = (websiteDataStore, handlers)
        (copy.suppressesIncrementalRendering, copy.applicationNameForUserAgent) =
            (suppressesIncrementalRendering, applicationNameForUserAgent)
        (copy.upgradeKnownHostsToHTTPS, copy.defaultWebpagePreferences) =
            (upgradeKnownHostsToHTTPS, defaultWebpagePreferences)
        copy.limitsNavigationsToAppBoundDomains = limitsNavigationsToAppBoundDomains
        return copy
    }
}
