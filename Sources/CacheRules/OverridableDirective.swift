/// What a rule may only pass over where it says so, with ``Rule/ignoring``.
///
/// Each is a departure from a MUST NOT of RFC 9111, taken by whoever wrote the rule, and named in reports.
public enum OverridableDirective: String, Hashable, Sendable, CaseIterable, Comparable {
    /// `no-store` of the response: it is stored all the same (§5.2.2.5). That of the request still holds.
    case noStore = "no-store"
    /// `private` in a shared cache (§5.2.2.7); a private cache stores those anyway.
    case `private`
    /// `Vary`: one response for all requests with the address, whatever fields it nominates, `*` included (§4.1).
    case vary
    /// A request with `Authorization` in a shared cache (§3.5).
    case credentials

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
