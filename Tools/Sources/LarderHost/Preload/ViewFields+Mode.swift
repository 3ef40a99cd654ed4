import Preloading
import WebVisit

extension ViewFields {
    /// WebKitGTK's fields as they reach the cache in a mode, until a request is seen.
    package init(through mode: InterceptionMode) {
        self =
            mode.hasHandler
            ? .ofSchemeHandler(
                acceptLanguage: SessionRequest.acceptLanguage, sendsFetchMetadata: mode.sendsFetchMetadata)
            : ViewFields(acceptLanguage: SessionRequest.acceptLanguage)
    }
}
