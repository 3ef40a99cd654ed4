import CacheEngine
import Foundation
import HTTPCacheSemantics
import HTTPTypes

extension HTTPRequest {
    /// A GET of a URL, without its user, password and fragment.
    ///
    /// - Throws: `EngineError` for what is no http or https URL.
    init(getting url: URL) throws(EngineError) {
        let text = url.absoluteString
        guard let parts = TargetURI.split(text), ["http", "https"].contains(parts.scheme) else {
            throw EngineError(code: .invalidRequest, message: "'\(text)' is no http or https URL.")
        }
        self.init(method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path)
    }
}
