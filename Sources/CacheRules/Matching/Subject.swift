import HTTPTypes

/// An exchange split into the parts that conditions compare, once for all rules and without copying. Valid only inside
/// ``with(_:_:)``.
struct Subject: ~Copyable {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Take single parts of it: passing a whole message would retain many references.
    let exchange: UnsafePointer<Exchange>
    /// Without the port and without a final dot: `example.com.` is the same host to a resolver.
    let host: Bytes
    /// The digits after the colon, without leading zeros; empty if there are none.
    let port: Bytes
    /// The path: before the first `?`.
    let path: Bytes
    /// After the first `?`; empty if there is none.
    let query: Bytes
    /// The text after the last dot of the last segment; empty if there is none, or nothing before it.
    let fileExtension: Bytes

    private init(_ exchange: UnsafePointer<Exchange>, authority: Bytes, target whole: Bytes) {
        self.exchange = exchange
        let hostEnd = Self.hostEnd(authority)
        var digits = min(hostEnd + 1, authority.count)
        // A port is a decimal number (RFC 3986 §3.2.3): leading zeros do not count.
        while digits + 1 < authority.count, authority[digits] == 0x30 { digits += 1 }
        port = Bytes(rebasing: authority[digits...])
        host = Bytes(rebasing: authority[..<(hostEnd > 1 && authority[hostEnd - 1] == 0x2E ? hostEnd - 1 : hostEnd)])
        var (slash, dot, pathEnd, end) = (-1, -1, whole.count, whole.count)
        var place = 0
        scan: while place < whole.count {
            switch whole[place] {
            case 0x2F: (slash, dot) = (place, -1)
            case 0x2E: dot = place > slash + 1 ? place : -1
            case 0x3F:
                pathEnd = place
                break scan
            case 0x23:
                (pathEnd, end) = (place, place)
                break scan
            default: break
            }
            place += 1
        }
        if pathEnd < end { end = whole[pathEnd...].firstIndex(of: 0x23) ?? end }
        path = Bytes(rebasing: whole[..<pathEnd])
        query = Bytes(rebasing: whole[min(pathEnd + 1, end)..<end])
        fileExtension = Bytes(rebasing: whole[(dot < 0 ? pathEnd : dot + 1)..<pathEnd])
    }

    /// The default port of the scheme (RFC 9110 §4.2.1, §4.2.2) in digits; empty if it has none.
    var defaultPort: String.UTF8View {
        switch exchange.pointee.request.scheme {
        case "http", "ws": "80".utf8
        case "https", "wss": "443".utf8
        default: "".utf8
        }
    }

    static func with<Result>(_ exchange: Exchange, _ body: (borrowing Subject) -> Result) -> Result {
        withUnsafePointer(to: exchange) { pointer in
            withBytes(exchange.request.authority ?? "") { authority in
                withBytes(exchange.request.path ?? "") { target in
                    body(Subject(pointer, authority: authority, target: target))
                }
            }
        }
    }

    static func withBytes<Result>(_ text: String, _ body: (Bytes) -> Result) -> Result {
        text.utf8.withContiguousStorageIfAvailable(body) ?? Array(text.utf8).withUnsafeBufferPointer(body)
    }

    /// The index of the colon before the port, not one of an IPv6 address (RFC 3986 §3.2.2).
    private static func hostEnd(_ authority: Bytes) -> Int {
        var place = authority.count
        while place > 0 {
            place -= 1
            switch authority[place] {
            case 0x3A: return place
            case 0x30...0x39: continue
            default: return authority.count
            }
        }
        return authority.count
    }
}

extension UnsafeBufferPointer<UInt8> {
    func equals(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return hasPrefix(other)
    }

    func hasPrefix(_ prefix: [UInt8]) -> Bool {
        guard count >= prefix.count else { return false }
        var place = 0
        while place < prefix.count {
            if self[place] != prefix[place] { return false }
            place += 1
        }
        return true
    }

    func hasSuffix(_ suffix: [UInt8]) -> Bool {
        guard count >= suffix.count else { return false }
        return Self(rebasing: self[(count - suffix.count)...]).hasPrefix(suffix)
    }

    /// Whether the octets end in these, which are in lower case; only A to Z are compared without case.
    func hasSuffix(lowercase suffix: [UInt8]) -> Bool {
        guard count >= suffix.count else { return false }
        let start = count - suffix.count
        var place = 0
        while place < suffix.count {
            if self[start + place].asciiLowercased != suffix[place] { return false }
            place += 1
        }
        return true
    }

    func equals(lowercase other: [UInt8]) -> Bool { count == other.count && hasSuffix(lowercase: other) }
}

extension UInt8 {
    var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension String {
    /// ASCII only: Unicode would turn the Kelvin sign into `k`.
    var asciiLowercased: String {
        utf8.contains { $0 >= 0x41 && $0 <= 0x5A }
            ? String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) : self
    }
}
