import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// Whether `X-Content-Type-Options: nosniff` forbids the use of a response as a script or style sheet, Fetch §3.6.
public enum SniffingCheck: Hashable, Sendable {
    case allowed
    case blocked(Reason)

    public enum Reason: String, CaseIterable, Sendable {
        case notJavaScript = "not-javascript"
        case notCSS = "not-css"
    }

    public static func decide(_ fields: HTTPFields, for destination: Destination) -> SniffingCheck {
        guard hasNoSniff(fields) else { return .allowed }
        switch destination {
        case .script, .worker, .sharedWorker, .serviceWorker:
            let kind = FetchText.mediaType(in: fields).map { MediaTypeKind($0) }
            return kind == .javaScript ? .allowed : .blocked(.notJavaScript)
        case .style: return FetchText.mediaType(in: fields) == "text/css" ? .allowed : .blocked(.notCSS)
        default: return .allowed
        }
    }

    /// "Determine nosniff": the first value counts, in any case.
    package static func hasNoSniff(_ fields: HTTPFields) -> Bool {
        guard let value = FetchText.value(.xContentTypeOptions, in: fields) else { return false }
        return FetchText.lowercased(FetchText.trimmed(String(Substring(value.utf8.prefix { $0 != 0x2C })))) == "nosniff"
    }
}
