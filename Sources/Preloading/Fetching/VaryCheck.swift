import HTTPCacheSemantics
import HTTPTypes

/// Whether a page's later request can select a response by its `Vary`, RFC 9111 §4.1.
enum VaryCheck {
    /// Fields whose values in a page's request nobody knows ahead, and those of ours that no page sends: a response for
    /// them is not the one that a page would get.
    private static let unknowable: Set<String> = [
        "authorization", "cookie", "priority", "purpose", "referer", "sec-fetch-user", "sec-purpose", "x-purpose",
    ]

    /// - Returns: The names that stand in the way; empty if none does, and `*` if any field may.
    static func obstacles(_ fields: HTTPFields) -> [String] {
        switch Vary(fields) {
        case .none: []
        case .anything: ["*"]
        case .fields(let names): names.map(\.canonicalName).filter(unknowable.contains)
        }
    }
}
