import WebKit

/// Foundation on Linux sends no message by its name; the one of ForwardingObject+ObjectiveC.swift does.
extension WKNavigationAction {
    var source: WKFrameInfo? { simulatedSource }
}
