import HTTPCacheSemantics
import HTTPTypes

/// The address under which responses are stored and looked up in place of their own.
///
/// ```swift
/// KeyRule("campaigns", dropsTracking: true, dropping: ["ref"], sortsQuery: true, when: .host("shop.example"))
/// ```
///
/// ```json
/// { "name": "campaigns", "drop-tracking": true, "drop-query": "ref", "sort-query": true,
///   "when": { "host": "shop.example" } }
/// ```
///
/// The request is forwarded unchanged; only the cache key changes, within the origin. Addresses that then share a key
/// share their responses, a departure from RFC 9111 §2 ("composed from, at a minimum, the request method and target
/// URI") for which the author of the rule is responsible. Conditions on the response are refused in a rules file and
/// never hold here: the key is needed before a response is known.
public struct KeyRule: Hashable, Sendable {
    /// As of a ``Rule``: lower-case letters, digits and hyphens, at most 64.
    public var name: String
    /// Whether query items that match ``trackingParameters`` are left out.
    public var dropsTracking: Bool
    /// Names of query items to leave out; `*` is any run of octets, `?` any one.
    public var dropped: [String]
    /// Whether items are sorted by the octets of their names; items of one name keep their order.
    public var sortsQuery: Bool
    /// Whether addresses that differ in the spelling of escapes alone share a key, as RFC 3986 §6.2.2 calls them
    /// equivalent: `%c3` and `%C3`, `%7E` and `~`. A page may write one, and its web view ask for the other.
    package var normalizesEscapes: Bool
    /// A path, with or without a query, in place of the request's; then the rule's other settings have no effect.
    public var target: String?
    /// All must hold; a rule without any always applies.
    public let conditions: [When]

    public init(
        _ name: String, dropsTracking: Bool = false, dropping dropped: [String] = [], sortsQuery: Bool = false,
        normalizesEscapes: Bool = false, target: String? = nil, when conditions: When...
    ) {
        self.init(name, dropsTracking, dropped, sortsQuery, normalizesEscapes, target, conditions)
    }

    init(
        _ name: String, _ dropsTracking: Bool, _ dropped: [String], _ sortsQuery: Bool,
        _ normalizesEscapes: Bool, _ target: String?, _ conditions: [When]
    ) {
        self.name = name
        self.dropsTracking = dropsTracking
        self.dropped = dropped
        self.sortsQuery = sortsQuery
        self.normalizesEscapes = normalizesEscapes
        self.target = target
        self.conditions = When.conjunction(conditions)
    }

    /// Query items that advertising and mailing services add to links to track visitors.
    public static let trackingParameters = [
        "utm_*", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "_ga", "_gl", "fbclid", "msclkid", "twclid", "ttclid",
        "yclid", "igshid", "li_fat_id", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "mkt_tok", "vero_id", "oly_anon_id",
        "oly_enc_id", "wickedid", "epik", "srsltid",
    ]

    /// The path and query for the key; `nil` if the rule does not apply to the exchange.
    package func target(for exchange: Exchange) -> String? {
        guard let path = exchange.request.path, Subject.with(exchange, { When.all(conditions, $0) == .yes }) else {
            return nil
        }
        if let target { return target }
        let chosen = withChosenItems(path)
        return normalizesEscapes ? TargetURI.comparable(chosen) : chosen
    }

    private func withChosenItems(_ path: String) -> String {
        guard let mark = path.utf8.firstIndex(of: 0x3F) else { return path }
        let globs = ((dropsTracking ? Self.trackingParameters : []) + dropped).map { GlobPattern($0, isPath: false) }
        guard sortsQuery || !globs.isEmpty else { return path }
        var items = path.utf8[path.utf8.index(after: mark)...].split(separator: 0x26, omittingEmptySubsequences: false)
        func name(_ item: Substring.UTF8View) -> Substring.UTF8View { item.prefix { $0 != 0x3D } }
        items.removeAll { item in
            Array(name(item)).withUnsafeBufferPointer { bytes in globs.contains { $0.fits(bytes) } }
        }
        if sortsQuery {
            // Swift's sort is stable in practice, but not documented to be.
            items = items.enumerated().sorted { one, other in
                let (first, second) = (name(one.element), name(other.element))
                return first.elementsEqual(second)
                    ? one.offset < other.offset : first.lexicographicallyPrecedes(second)
            }.map(\.element)
        }
        if items.isEmpty { return String(path[..<mark]) }
        return String(path[...mark]) + items.map { String(Substring($0)) }.joined(separator: "&")
    }
}
