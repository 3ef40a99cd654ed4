/// The hosts whose absolute addresses are turned to another scheme, and how.
///
/// Every change to a text is an insertion: `https://shop.test/a` becomes `App-Cache-https://shop.test/a`. So an address
/// keeps its quotes, escapes and character references, and taking the insertions out gives the original back.
package struct NamedHosts: Hashable, Sendable {
    /// The prefix put before `https`. Schemes are the same in upper and lower case (RFC 3986 §3.1);
    /// pages have their own addresses in lower case, so this spelling tells a turned address from
    /// one that a page wrote itself.
    package static let insertion = "App-Cache-"
    /// The same, as addresses of pages have it.
    package static let plainInsertion = "app-cache-"

    /// Host, and port unless it is the default one; in lower case.
    package let hosts: Set<String>
    private let longest: Int

    package init(_ hosts: Set<String>) {
        self.hosts = hosts
        longest = hosts.map(\.utf8.count).max() ?? 0
    }

    /// Whether an address is turned.
    ///
    /// Engines read addresses of a scheme of an app's own by other rules than those of https (URL standard §4.4): `\`
    /// is no slash there, hosts keep their case, a default port stays, and a query in the page's encoding becomes
    /// UTF-8. Where these rules differ the address stays as it is, so that it never means something else.
    ///
    /// - Parameter isUTF8: Whether the text around is.
    package func contains(_ address: String, isUTF8: Bool = true) -> Bool {
        var address = address
        return address.withUTF8 { contains($0, isUTF8: isUTF8) }
    }

    func contains(_ address: UnsafeBufferPointer<UInt8>, isUTF8: Bool) -> Bool {
        guard let start = Self.afterScheme(address) else { return false }
        var end = start
        while end < address.count, !Self.endsAuthority(address[end]) {
            guard end - start < longest, Self.isOfHost(address[end]) else { return false }
            end += 1
        }
        guard hosts.contains(String(decoding: address[start..<end], as: UTF8.self)) else { return false }
        return Self.isSameElsewhere(address[end...], isUTF8: isUTF8)
    }

    /// The index behind `https://`, if the address begins with it.
    private static func afterScheme(_ address: UnsafeBufferPointer<UInt8>) -> Int? {
        let scheme: StaticString = "https://"
        guard address.count >= scheme.utf8CodeUnitCount else { return nil }
        for index in 0..<scheme.utf8CodeUnitCount {
            let byte = address[index]
            guard (byte &- 0x41 < 26 ? byte | 0x20 : byte) == scheme.utf8Start[index] else { return nil }
        }
        return scheme.utf8CodeUnitCount
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool { byte == 0x2F || byte == 0x3F || byte == 0x23 }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        byte &- 0x61 < 26 || byte &- 0x30 < 10 || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F].contains(byte)
    }

    /// Whether path and query are read alike under both schemes.
    private static func isSameElsewhere(_ rest: Slice<UnsafeBufferPointer<UInt8>>, isUTF8: Bool) -> Bool {
        var isPath = true
        for byte in rest {
            if byte == 0x23 { return true }
            if byte == 0x3F { isPath = false }
            if isPath ? byte == 0x5C : byte == 0x27 { return false }
            if byte >= 0x80, !isUTF8 { return false }
        }
        return true
    }
}
