#if canImport(WebKit)
import CHandledSchemes
// The modes of web views, of which this brings one.
@_exported import WKWebViewAdapter

/// Which schemes WebKit says it handles; called on the main thread.
@MainActor
enum HandledSchemes {
    /// - Returns: `false`, with nothing changed, where that can't be changed or is changed already.
    static func leaveOutHTTPS() -> Bool { larder_begin_https_handlers() }
    static func restore() { larder_end_https_handlers() }
}
#endif
