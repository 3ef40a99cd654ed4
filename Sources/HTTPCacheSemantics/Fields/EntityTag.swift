import HTTPTypes

/// An entity tag, RFC 9110 §8.8.3.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// True for `W/"…"`.
    package var isWeak: Bool
    /// The characters between the quotes, compared octet by octet.
    package var opaque: String

    package init(opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// - Parameter value: One entity tag. A missing or stray quote makes it invalid. So does U+FFFD, which replaces
    ///   octets that were not UTF-8: two such tags can't be told apart.
    package init?(_ value: String) {
        var rest = ListField.trimmed(value).utf8[...]
        isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.count >= 2, rest.first == 0x22, rest.last == 0x22 else { return nil }
        let content = rest.dropFirst().dropLast()
        // etagc is %x21 / %x23-7E / obs-text: no quote, no space, no control.
        guard content.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
        opaque = String(Substring(content))
        guard !opaque.unicodeScalars.contains("\u{FFFD}") else { return nil }
    }

    /// The entity tags of a list such as `If-None-Match`, without invalid members.
    ///
    /// A tag is not a quoted-string: a backslash in it is an ordinary character and escapes nothing (§8.8.3). A comma
    /// separates members only outside the quotes.
    package static func list(_ lines: [String]) -> [EntityTag] {
        lines.flatMap { line in
            var isQuoted = false
            let members = line.utf8.split { byte in
                if byte == 0x22 { isQuoted.toggle() }
                return byte == 0x2C && !isQuoted
            }
            return members.compactMap { EntityTag(String(Substring($0))) }
        }
    }

    package var description: String { (isWeak ? "W/" : "") + "\"" + opaque + "\"" }

    /// Weak comparison, §8.8.3.2: equal opaque parts, whatever their strength. For `If-None-Match`.
    package func weaklyMatches(_ other: EntityTag) -> Bool {
        opaque.utf8.elementsEqual(other.opaque.utf8)
    }

    /// Strong comparison, §8.8.3.2: equal and both strong. For `If-Match`, `If-Range` and combining parts.
    package func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && weaklyMatches(other)
    }

    /// Whether this is another's tag without the suffix of a coding that Apache's `mod_deflate` and `mod_brotli` add to
    /// what they compress. Servers take it off before they compare, and send a 304 without it.
    package func isUncoded(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak
            && ["-gzip", ";gzip", "-br", ";br"].contains { (opaque + $0).utf8.elementsEqual(other.opaque.utf8) }
    }

    /// The same tag of the same strength, octet by octet; `String` also equates canonically equivalent texts.
    package static func == (left: EntityTag, right: EntityTag) -> Bool {
        left.isWeak == right.isWeak && left.weaklyMatches(right)
    }
}

extension HTTPFields {
    /// Digests of the content of one message (RFC 9530 §2, RFC 1864): not those of a part of it, or of the whole that
    /// it is a part of.
    package static let digestsOfContent = ["Content-Digest", "Content-MD5"].compactMap { HTTPField.Name($0) }

    private static let ofOneForm: [HTTPField.Name] =
        [.contentLength, .acceptRanges] + digestsOfContent + ["Repr-Digest", "Digest"].compactMap { .init($0) }

    /// Leaves out what is true of the content's octets as they came, where others go on, such as those without a
    /// coding: length (RFC 9110 §8.6), ranges, and digests (RFC 9530, and its predecessors). The tag gets weak.
    package mutating func describeOtherForm() {
        for name in Self.ofOneForm { self[name] = nil }
        weakenTag()
    }

    /// A strong tag is never that of two codings of a representation (RFC 9110 §8.8.1, §8.8.3.3); a weak one names the
    /// content in all of them. What is no tag goes: nothing could say that it is weak.
    package mutating func weakenTag() {
        let tag = self[.eTag].flatMap { EntityTag($0) }
        self[.eTag] = tag.map { EntityTag(opaque: $0.opaque, isWeak: true).description }
    }
}
