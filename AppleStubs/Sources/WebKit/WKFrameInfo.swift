import AppleFoundation

// c:objc(cs)WKFrameInfo | iOS 8.0, macOS 10.10 | MainActor | S
@MainActor
public final class WKFrameInfo: NSObject {
    // c:objc(cs)WKFrameInfo(py)mainFrame | iOS 8.0, macOS 10.10 | MainActor | S
    public let isMainFrame: Bool
    // c:objc(cs)WKFrameInfo(py)request | iOS 8.0, macOS 10.10 | MainActor | S
    public let request: URLRequest
    // c:objc(cs)WKFrameInfo(py)securityOrigin | iOS 9.0, macOS 10.11 | MainActor | S
    public let securityOrigin: WKSecurityOrigin
    // c:objc(cs)WKFrameInfo(py)webView | iOS 11.0, macOS 10.13 | MainActor | S
    public private(set) weak var webView: WKWebView?

    /// Not in Apple's module, where only WebKit makes them.
    public init(simulating request: URLRequest, isMainFrame: Bool = true, in webView: WKWebView? = nil) {
        (self.request, self.isMainFrame, self.webView) = (request, isMainFrame, webView)
        securityOrigin = WKSecurityOrigin(simulating: request.url)
        super.init()
    }
}

// c:objc(cs)WKSecurityOrigin | iOS 9.0, macOS 10.11 | MainActor | S
@MainActor
public final class WKSecurityOrigin: NSObject {
    // c:objc(cs)WKSecurityOrigin(py)protocol | iOS 9.0, macOS 10.11 | MainActor | S
    public let `protocol`: String
    // c:objc(cs)WKSecurityOrigin(py)host | iOS 9.0, macOS 10.11 | MainActor | S
    public let host: String
    // Zero for the scheme's own.
    // c:objc(cs)WKSecurityOrigin(py)port | iOS 9.0, macOS 10.11 | MainActor | S
    public let port: Int

    init(simulating url: URL?) {
        (`protocol`, host, port) = (url?.scheme ?? "", url?.host ?? "", url?.port ?? 0)
        super.init()
    }
}
