import Fetching
import HTTPCacheSemantics
import HTTPTypes

/// Whether a page takes a file whose media type is not the one that it should have.
///
/// Images but SVG, sounds, fonts and what scripts fetch are taken under any type: their bytes tell the rest, or nobody
/// looks.
enum MediaTypeTolerance {
    /// - Parameters:
    ///   - type: Of the response, in lower case; `nil` for none.
    ///   - isSVG: Whether it is one by its name or its listed type.
    static func takes(
        _ type: String?, as destination: PreloadDestination, _ fields: HTTPFields, isSVG: Bool
    ) -> Bool {
        let isAllowed = SniffingCheck.allows(fields, for: destination.destination)
        switch destination {
        // HTML "fetch a single module script" and "fetch a classic worker script": "not a JavaScript MIME type".
        case .module, .worker, .sharedWorker, .serviceWorker: return type.map { MediaTypeKind($0) } == .javaScript
        case .script: return isAllowed && !isNeverScript(type)
        // WebKit's `canUseSheet` in standards mode takes these, and those without a type.
        case .style:
            return type == "text/css" || isAllowed && (type == nil || type == "application/x-unknown-content-type")
        // WebKit's `CachedImage` draws one under its own type alone; else it looks for pixels.
        case .image: return !isSVG || type == "image/svg+xml"
        default: return true
        }
    }

    /// Fetch §2.9, "should response to request be blocked due to its MIME type".
    private static func isNeverScript(_ type: String?) -> Bool {
        guard let type else { return false }
        return type == "text/csv" || ["audio/", "image/", "video/"].contains { type.hasPrefix($0) }
    }
}
