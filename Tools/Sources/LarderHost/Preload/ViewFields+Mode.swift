import Decoding
import HTTPTypes
import Preloading
import WebVisit

extension ViewFields {
    /// WebKitGTK's fields as they reach the cache in a mode, until a request is seen. Behind a scheme handler codings
    /// are taken off, so it asks only for those that it can take off; at schemes of an app's own the engine sends no
    /// `Sec-Fetch-*`.
    package init(through mode: InterceptionMode) {
        self.init(acceptLanguage: SessionRequest.acceptLanguage)
        guard mode.hasHandler else { return }
        acceptEncoding = ContentCodings.acceptEncoding(for: [:])
        sendsFetchMetadata = mode.sendsFetchMetadata
    }
}
