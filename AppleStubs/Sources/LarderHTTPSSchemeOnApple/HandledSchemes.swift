import WebKit

/// In place of the C functions, which are compiled for Apple's platforms only.
@MainActor
enum HandledSchemes {
    static func leaveOutHTTPS() -> Bool { WKWebView.simulateHandledSchemes(without: ["http", "https"]) }
    static func restore() { _ = WKWebView.simulateHandledSchemes(without: []) }
}
