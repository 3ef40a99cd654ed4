/// An entity tag, RFC 9110 §8.8.3.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// True for `W/"…"`.
    public var isWeak: Bool
    /// The characters between the quotes, compared octet by octet.
    public var opaque: String

    public init(opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// - Parameter value: One entity tag; a missing or stray quote makes it none.
    public init?(_ value: String) {
        var rest = ListField.trimmed(value)[...]
        isWeak = rest.hasPrefix("W/")
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.utf8.count >= 2, rest.first == "\"", rest.last == "\"" else { return nil }
        opaque = String(rest.dropFirst().dropLast())
        // etagc is %x21 / %x23-7E / obs-text: no quote, no space, no control.
        guard opaque.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
    }

    public var description: String { (isWeak ? "W/" : "") + "\"" + opaque + "\"" }

    /// Weak comparison, §8.8.3.2: equal opaque parts, whatever their strength. For `If-None-Match`.
    public func weaklyMatches(_ other: EntityTag) -> Bool {
        opaque == other.opaque
    }

    /// Strong comparison, §8.8.3.2: equal and both strong. For `If-Match`, `If-Range` and combining parts.
    public func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }
}
