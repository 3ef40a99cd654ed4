import Preloading
import WebVisit

extension ViewFields {
    /// What requests of a page look like when they reach the cache in a mode of WebKitGTK, until one is seen.
    package init(through mode: InterceptionMode) {
        switch mode {
        case .proxy, .none: self.init()
        case .appScheme, .httpsScheme:
            self = .ofSchemeHandler(
                acceptLanguage: SessionRequest.acceptLanguage, sendsFetchMetadata: mode == .httpsScheme)
        }
    }
}
