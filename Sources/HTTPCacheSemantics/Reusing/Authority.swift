/// The host and port of a target URI, RFC 9110 §4.2 and RFC 3986 §3.2.
///
/// Userinfo is not part of it: "a sender MUST NOT generate the userinfo subcomponent" of an http or https URI in a
/// message (RFC 9110 §4.2.4), so a text with an `@` is invalid here.
package struct Authority: Hashable, Sendable, CustomStringConvertible {
    /// A name or an IPv4 address in lower case, or an IPv6 address without its brackets; never empty.
    package var host: String
    /// 1 to 65535; `nil` means the default of the scheme (RFC 9110 §4.2.1, §4.2.2).
    package var port: Int?

    /// - Parameters:
    ///   - host: Without brackets, in lower case.
    ///   - port: 1 to 65535, or `nil` for the default of the scheme.
    package init(host: String, port: Int? = nil) {
        self.host = host
        self.port = port
    }

    /// - Parameter text: `host`, `host:` or `host:port`, an IPv6 address in brackets. An empty port means the default:
    ///   `port = *DIGIT` (RFC 3986 §3.2.3).
    /// - Returns: `nil` for anything else: an empty host ("A recipient that processes such a URI reference MUST reject
    ///   it as invalid", RFC 9110 §4.2.1), white space, octets beyond ASCII, a port out of range.
    package init?(_ text: String) {
        let bytes = text.utf8
        let end: String.UTF8View.Index
        let name: Substring.UTF8View
        if bytes.first == 0x5B {
            guard let close = bytes.firstIndex(of: 0x5D) else { return nil }
            name = bytes[bytes.index(after: bytes.startIndex)..<close]
            // Brackets hold IPv6 addresses only (RFC 3986 §3.2.2), and those have colons.
            guard name.contains(0x3A) else { return nil }
            end = bytes.index(after: close)
        } else {
            end = bytes.firstIndex(of: 0x3A) ?? bytes.endIndex
            name = bytes[..<end]
        }
        guard !name.isEmpty, name.allSatisfy(Self.isHostByte) else { return nil }
        let tail = bytes[end...]
        if !tail.isEmpty {
            guard tail.first == 0x3A else { return nil }
            let digits = tail.dropFirst()
            if !digits.isEmpty {
                guard let number = Self.port(digits) else { return nil }
                port = number
            }
        }
        host = String(decoding: name.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    /// The host, in brackets if it has colons, and the port unless it is `nil`.
    package var description: String {
        let name = host.utf8.contains(0x3A) ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }

    /// Digits only: the grammar has no sign, which `Int` would accept.
    private static func port(_ digits: Substring.UTF8View) -> Int? {
        var value = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = min(65_536, value * 10 + Int(byte - 0x30))
        }
        return (1...65_535).contains(value) ? value : nil
    }

    /// The octets of a `reg-name`, an address or a zone: printable ASCII without the delimiters of a URI and the
    /// characters that no URI contains (RFC 3986 §2.2 and appendix A). Colons reach this only from within brackets.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x23, 0x2F, 0x3C, 0x3E, 0x3F, 0x40, 0x5B...0x5E, 0x60, 0x7B...0x7D: false
        default: (0x21...0x7E).contains(byte)
        }
    }
}
