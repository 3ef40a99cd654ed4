import Preloading
import WebVisit

extension ViewFields {
    /// What requests of a page look like when they reach the cache in a mode of WebKitGTK, until one is seen.
    package init(through mode: InterceptionMode) {
        self =
            mode.hasHandler
            ? .ofSchemeHandler(
                acceptLanguage: SessionRequest.acceptLanguage, sendsFetchMetadata: mode.sendsFetchMetadata)
            : ViewFields()
    }
}
