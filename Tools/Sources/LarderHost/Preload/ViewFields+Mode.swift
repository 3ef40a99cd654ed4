import Preloading
import WebVisit

extension ViewFields {
    /// The fields of a page's requests as they reach the cache in a mode, until one is seen.
    package init(through mode: InterceptionMode) {
        self =
            mode.hasHandler
            ? .ofSchemeHandler(
                acceptLanguage: SessionRequest.acceptLanguage, sendsFetchMetadata: mode.sendsFetchMetadata)
            : ViewFields()
    }
}
