import AppleFoundation

// c:objc(cs)WKScriptMessage | iOS 8.0, macOS 10.10 | MainActor | S
@MainActor
public final class WKScriptMessage: NSObject {
    // NSNumber, NSString, NSDate, NSArray, NSDictionary or NSNull.
    // c:objc(cs)WKScriptMessage(py)body | iOS 8.0, macOS 10.10 | MainActor | S
    public let body: Any
    // c:objc(cs)WKScriptMessage(py)webView | iOS 8.0, macOS 10.10 | MainActor | S
    public private(set) weak var webView: WKWebView?
    // c:objc(cs)WKScriptMessage(py)frameInfo | iOS 8.0, macOS 10.10 | MainActor | S
    public let frameInfo: WKFrameInfo
    // c:objc(cs)WKScriptMessage(py)name | iOS 8.0, macOS 10.10 | MainActor | S
    public let name: String
    // c:objc(cs)WKScriptMessage(py)world | iOS 14.0, macOS 11.0 | MainActor | S
    public let world: WKContentWorld

    /// Not in Apple's module, where only WebKit makes them.
    public init(simulating body: Any, _ name: String, in world: WKContentWorld, from frame: WKFrameInfo) {
        (self.body, self.name, self.world, frameInfo, webView) = (body, name, world, frame, frame.webView)
        super.init()
    }
}

// c:objc(pl)WKScriptMessageHandler | iOS 8.0, macOS 10.10 | MainActor | D
@MainActor
public protocol WKScriptMessageHandler: NSObjectProtocol {
    // c:objc(pl)WKScriptMessageHandler(im)userContentController:didReceiveScriptMessage: | iOS 8.0, macOS 10.10 | MainActor | D
    func userContentController(_ userContentController: WKUserContentController, didReceive message: WKScriptMessage)
}

// c:objc(pl)WKScriptMessageHandlerWithReply | iOS 14.0, macOS 11.0 | MainActor | D
@MainActor
public protocol WKScriptMessageHandlerWithReply: NSObjectProtocol {
    // c:objc(pl)WKScriptMessageHandlerWithReply(im)userContentController:didReceiveScriptMessage:replyHandler: | iOS 14.0, macOS 11.0 | MainActor | D
    func userContentController(
        _ userContentController: WKUserContentController, didReceive message: WKScriptMessage,
        replyHandler: @escaping @MainActor @Sendable (Any?, String?) -> Void)
}
