import Preloading
import WebVisit

extension ViewFields {
    /// The fields of a page's requests when they reach the cache in a mode of WebKitGTK, until a
    /// request is seen.
    package init(through mode: InterceptionMode) {
        self =
            mode.hasHandler
            ? .ofSchemeHandler(
                acceptLanguage: SessionRequest.acceptLanguage, sendsFetchMetadata: mode.sendsFetchMetadata)
            : ViewFields()
    }
}
