/// The attributes that references depend on; all others are ``other``.
package enum HTMLAttributeName: String, CaseIterable, Sendable {
    case action, archive, `as`, background, charset, cite, classid, code, codebase, content, crossorigin, data, encoding
    case color, face, size, formaction, height, href, httpEquiv = "http-equiv", icon, imagesizes, imagesrcset, integrity
    case itemprop, lang, language, longdesc, lowsrc, manifest, media, name, nomodule, nonce, ping, poster, profile,
        property
    case rel, sizes, src, srcdoc, srcset, style, target, type, usemap, value, width, xlinkHref = "xlink:href"
    case dynsrc, loading, fetchpriority, referrerpolicy, shadowrootmode
    case other = ""

    static let known = NameTable(allCases.filter { $0 != .other }.map { ($0.rawValue, $0) }, other: .other)
}

/// One attribute of a tag, as places in the tag's bytes.
package struct HTMLAttribute: Sendable {
    /// How a value is written.
    package enum Quoting: UInt8, Sendable {
        /// There is no equals sign; the value is empty.
        case none
        case unquoted, single, double
    }

    package internal(set) var name = HTMLAttributeName.other
    package internal(set) var quoting = Quoting.none
    /// Counted from the first byte of the tag.
    var nameStart: Int32
    var nameEnd: Int32
    var valueStart: Int32 = 0
    var valueEnd: Int32 = 0
    /// Of the name; what longer names are told apart by, before their bytes are compared.
    var packed = PackedName()

    init(nameStart: Int32) {
        (self.nameStart, nameEnd) = (nameStart, nameStart)
    }
}
