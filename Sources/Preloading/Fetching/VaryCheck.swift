import HTTPCacheSemantics
import HTTPTypes

/// Whether a page's later request can select a response by its `Vary`, RFC 9111 §4.1.
enum VaryCheck {
    /// Fields whose values in a page's request nobody knows ahead, and those of ours that no page sends: a response for
    /// them is not the one that a page would get.
    private static let unknowable: Set<String> = [
        "authorization", "cookie", "priority", "purpose", "referer", "sec-fetch-user", "sec-purpose", "x-purpose",
    ]

    /// Content that is signed by URL and hash is the same for every request, but where it depends on who asks.
    private static let personal: Set<String> = ["authorization", "cookie"]

    /// - Parameters:
    ///   - isListed: Whether the content is known by its hash.
    ///   - hasCookies: Whether it was asked for with the cookies of the page.
    /// - Returns: The names that stand in the way; empty if none does, and `*` if any field may.
    static func obstacles(_ fields: HTTPFields, isListed: Bool, hasCookies: Bool = false) -> [String] {
        switch Vary(fields) {
        case .none: []
        case .anything: ["*"]
        case .fields(let names):
            names.map(\.canonicalName).filter { name in
                (isListed ? personal : unknowable).contains(name) && !(hasCookies && name == "cookie")
            }
        }
    }
}
