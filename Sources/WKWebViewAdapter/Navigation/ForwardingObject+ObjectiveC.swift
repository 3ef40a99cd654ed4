#if canImport(WebKit) && canImport(ObjectiveC)
import Foundation
import WebKit

/// Passes messages for which it has no method on to another object, and says that it has those methods: a delegate in
/// front of a delegate. Methods that a later system adds reach the app in this way too.
class ForwardingObject: NSObject {
    /// Not kept alive. Read on the main thread, where web views call their delegates; the runtime asks from nowhere
    /// else.
    nonisolated(unsafe) weak var receiver: (any NSObjectProtocol)?
    /// The one before. It stands behind ``receiver`` where that is a delegate in front of a delegate as well, and asks
    /// us.
    nonisolated(unsafe) weak var former: (any NSObjectProtocol)?
    nonisolated(unsafe) private var questions = 0

    /// Whether a method is ours only as long as the receiver is there to be called: to have it changes what WebKit
    /// does.
    private static func isBorrowed(_ selector: Selector) -> Bool {
        if selector == #selector(WKNavigationDelegate.webView(_:authenticationChallenge:shouldAllowDeprecatedTLS:)) {
            return true
        }
        guard #available(iOS 26.0, macOS 26.0, *) else { return false }
        return selector
            == #selector(WKNavigationDelegate.webView(_:shouldGoTo:willUseInstantBack:completionHandler:))
    }

    override func responds(to aSelector: Selector!) -> Bool {
        super.responds(to: aSelector) && !Self.isBorrowed(aSelector) || receiverResponds(to: aSelector)
    }

    override func forwardingTarget(for aSelector: Selector!) -> Any? {
        receiverResponds(to: aSelector) ? receiver : super.forwardingTarget(for: aSelector)
    }

    private func receiverResponds(to aSelector: Selector!) -> Bool {
        guard questions < 2 else { return false }
        questions += 1
        defer { questions -= 1 }
        return (questions == 1 ? receiver : former)?.responds(to: aSelector) == true
    }
}

extension WKNavigationAction {
    /// The frame that asked; `nil` where WebKit has none, as on macOS 15.1 for the first load of a web view, though
    /// `sourceFrame` is declared without it. A Swift program that reads such a property assumes that there is one, and
    /// may be compiled accordingly; a message's result may be nothing.
    var source: WKFrameInfo? {
        perform(#selector(getter: WKNavigationAction.sourceFrame))?.takeUnretainedValue() as? WKFrameInfo
    }
}
#endif
