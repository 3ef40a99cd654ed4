import WebKit

/// Foundation on Linux sends no message by its name; the one of SourceFrame+ObjectiveC.swift does.
extension WKNavigationAction {
    var source: WKFrameInfo? { simulatedSource }
}
