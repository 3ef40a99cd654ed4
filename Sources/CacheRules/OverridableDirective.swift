/// A prohibition that a rule ignores only if it names it in ``Rule/ignoring``.
///
/// Each is a departure from a MUST NOT of RFC 9111, chosen by the author of the rule and named in reports.
public enum OverridableDirective: String, Hashable, Sendable, CaseIterable, Comparable {
    /// `no-store` of the response (§5.2.2.5). That of the request still holds.
    case noStore = "no-store"
    /// `private` in a shared cache (§5.2.2.7); a private cache stores such responses anyway.
    case `private`
    /// `Vary`: one response answers all requests for the address, whatever fields it nominates, `*` included (§4.1).
    case vary
    /// A request with `Authorization` in a shared cache (§3.5).
    case credentials

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
