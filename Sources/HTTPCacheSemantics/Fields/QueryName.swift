/// The decoded name of a parameter in a URI's query.
///
/// Compared octet by octet: "no Unicode normalization is performed" (draft-ietf-httpbis-no-vary-search §6.1), whereas
/// `String` compares canonical equivalence.
package struct QueryName: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The UTF-8 of the name.
    let octets: [UInt8]

    /// - Parameter text: The name itself, neither percent-encoded nor with `+` for a space.
    package init(_ text: String) {
        octets = Array(text.utf8)
    }

    /// - Parameter text: The name itself, as for ``init(_:)``.
    package init(stringLiteral text: String) {
        self.init(text)
    }

    /// - Parameter octets: Valid UTF-8.
    init(octets: [UInt8]) {
        self.octets = octets
    }

    /// The name itself, decoded.
    package var description: String { String(decoding: octets, as: UTF8.self) }

    /// By octets, which in UTF-8 is the order of the code points.
    package static func < (left: QueryName, right: QueryName) -> Bool {
        left.octets.lexicographicallyPrecedes(right.octets)
    }
}
