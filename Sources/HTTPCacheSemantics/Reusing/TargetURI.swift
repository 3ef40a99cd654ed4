import HTTPTypes

/// Normalising, splitting and resolving target URIs, RFC 9110 §4.2.3 and §7.1.
package enum TargetURI {
    /// The canonical text: scheme and host in lower case, the scheme's default port left out, an empty path as
    /// `/`, no fragment. Percent-encoding and the query are left as they are; see ``comparable(_:)``.
    ///
    /// A URI is ASCII (RFC 3986 §2); other octets are percent-encoded as in RFC 3987 §3.1, so that canonically
    /// equivalent texts, which an origin tells apart, do not compare equal.
    package static func normalized(scheme: String, authority: String, path: String) -> String {
        guard isNormal(scheme: scheme, authority: authority, path: path) else {
            return normalizedAny(scheme: scheme, authority: authority, path: path)
        }
        let count = scheme.utf8.count + 3 + authority.utf8.count + path.utf8.count
        return String(unsafeUninitializedCapacity: count) { uri in
            var end = 0
            func append(_ text: String) { end = uri[end...].initialize(from: text.utf8).index }
            append(scheme)
            append("://")
            append(authority)
            append(path)
            return end
        }
    }

    /// A normalised URI in the one spelling of all that are equivalent by RFC 3986 §6.2.2, as RFC 9110 §4.2.3 wants
    /// them compared: hexadecimal digits in upper case, and unreserved characters without escape.
    ///
    /// An engine's network may write a request in this spelling, and its `Referer` in the page's own. A request is
    /// forwarded as it came, and its key keeps its spelling but by a rule: some origins tell them apart.
    ///
    /// One with a `%` that is no escape stays as it is: what is put in for an escape behind it could make it one.
    package static func comparable(_ uri: String) -> String {
        guard uri.utf8.contains(0x25) else { return uri }
        var octets: [UInt8] = []
        for (written, octet) in PercentEncoding.pieces(uri.utf8) {
            let isEscape = written.count == 3
            guard isEscape || octet != 0x25 else { return uri }
            octets += isEscape ? Array(PercentEncoding.encoded([octet], where: isUnreserved).utf8) : [octet]
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// RFC 3986 §2.3.
    package static func isUnreserved(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    /// Whether the parts only need to be joined, as in usual requests of browsers. Then
    /// ``normalized(scheme:authority:path:)`` takes a seventh of the time of ``normalizedAny(scheme:authority:path:)``
    /// (docs/benchmarks.md).
    private static func isNormal(scheme: String, authority: String, path: String) -> Bool {
        func allSatisfy(_ text: String, _ condition: (UInt8) -> Bool) -> Bool {
            text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(condition) } ?? false
        }
        func isLowercase(_ byte: UInt8) -> Bool { byte < 0x80 && !(0x41...0x5A).contains(byte) }
        return allSatisfy(scheme, isLowercase) && allSatisfy(authority, isLowercase) && !mayHaveDefaultPort(authority)
            && path.utf8.first == 0x2F && allSatisfy(path) { $0 < 0x80 && $0 != 0x23 }
    }

    /// Whether the authority ends in an empty port, or in one with as many octets as 80 or 443.
    private static func mayHaveDefaultPort(_ authority: String) -> Bool {
        let octets = authority.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.lastIndex(of: 0x3A).map { bytes.count - $0 - 1 }
        }
        guard let octets else { return true }
        return octets == 0 || octets == 2 || octets == 3
    }

    /// Normalises any parts.
    static func normalizedAny(scheme: String, authority: String, path: String) -> String {
        let scheme = lowercased(scheme)
        var authority = lowercased(authority)
        let port = defaultPort(of: scheme).map { ":\($0)" } ?? ":"
        if authority.hasSuffix(port) {
            authority.removeLast(port.count)
        } else if authority.hasSuffix(":") {
            authority.removeLast()
        }
        let target = path.utf8.prefix { $0 != 0x23 }
        return scheme + "://" + authority + (target.first == 0x2F ? "" : "/") + encoded(target)
    }

    /// Splits an absolute URI into scheme, authority (without userinfo) and path with query.
    ///
    /// - Returns: `nil` if the text has no scheme, no `//` or no host (RFC 9110 §4.2.1).
    package static func split(_ uri: String) -> (scheme: String, authority: String, path: String)? {
        let bytes = uri.utf8
        guard let colon = bytes.firstIndex(of: 0x3A) else { return nil }
        let scheme = bytes[..<colon]
        let rest = bytes[bytes.index(after: colon)...]
        guard isScheme(scheme), rest.starts(with: [0x2F, 0x2F]) else { return nil }
        let afterSlashes = rest.dropFirst(2)
        let end = afterSlashes.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? afterSlashes.endIndex
        var authority = afterSlashes[..<end]
        if let at = authority.lastIndex(of: 0x40) { authority = authority[authority.index(after: at)...] }
        let name = String(Substring(authority))
        guard hasHost(name) else { return nil }
        let tail = afterSlashes[end...].prefix { $0 != 0x23 }
        return (lowercased(String(Substring(scheme))), name, (tail.first == 0x2F ? "" : "/") + String(Substring(tail)))
    }

    package static func isWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

    package static func defaultPort(of scheme: String) -> Int? {
        switch scheme {
        case "http", "ws": 80
        case "https", "wss": 443
        default: nil
        }
    }

    /// Whether an authority has a host.
    static func hasHost(_ authority: String) -> Bool {
        guard let first = authority.utf8.first else { return false }
        return first != 0x3A
    }

    /// ASCII only: Unicode would turn the Kelvin sign in a name into `k`, and so make it another host's name.
    private static func lowercased(_ text: String) -> String {
        encoded(text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 })
    }

    private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        PercentEncoding.encoded(bytes) { $0 < 0x80 }
    }

    /// Resolves a reference as found in `Location` or `Content-Location` against a base URI, RFC 3986 §5.2.
    ///
    /// - Returns: The absolute URI, normalised; `nil` if it is no http or https URI, or its host or port is none.
    package static func resolve(_ reference: String, against base: String) -> String? {
        // All ASCII from here on, so each character is one octet.
        let reference = encoded(reference.utf8)
        guard let parts = split(encoded(base.utf8)) else { return nil }
        let target: (scheme: String, authority: String, path: String)
        if reference.hasPrefix("//") {
            guard let found = split(parts.scheme + ":" + reference) else { return nil }
            target = found
        } else if let colon = reference.firstIndex(of: ":"), isScheme(reference[..<colon].utf8) {
            guard let found = split(reference) else { return nil }
            target = found
        } else if reference.hasPrefix("/") {
            target = (parts.scheme, parts.authority, reference)
        } else {
            let basePath = parts.path.prefix { $0 != "?" }
            let directory = basePath.lastIndex(of: "/").map { basePath[...$0] } ?? "/"
            switch reference.first {
            case nil, "#":
                guard isWeb(parts.scheme) else { return nil }
                return normalized(scheme: parts.scheme, authority: parts.authority, path: parts.path)
            case "?": target = (parts.scheme, parts.authority, basePath + reference)
            default: target = (parts.scheme, parts.authority, directory + reference)
            }
        }
        // An authority with what is no port would be another one each time that it is normalised (RFC 3986 §3.2.3).
        guard isWeb(target.scheme), Authority(target.authority) != nil else { return nil }
        // Clients ask with escapes for these (URL Standard §1.3).
        let path = PercentEncoding.encoded(removingDotSegments(target.path).utf8) { !" \"<>".utf8.contains($0) }
        return normalized(scheme: target.scheme, authority: target.authority, path: path)
    }

    /// Whether two URIs share scheme, host and port (RFC 9110 §4.3.1).
    package static func haveSameOrigin(_ first: String, _ second: String) -> Bool {
        func origin(_ uri: String) -> String? {
            split(uri).map { normalized(scheme: $0.scheme, authority: $0.authority, path: "/") }
        }
        guard let one = origin(first), let other = origin(second) else { return false }
        return one == other
    }

    /// RFC 3986 §3.1.
    package static func isScheme(_ text: some Collection<UInt8>) -> Bool {
        guard let first = text.first, ByteScanner.isLetter(first) else { return false }
        return text.allSatisfy {
            ByteScanner.isLetter($0) || ByteScanner.isDigit($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
        }
    }

    /// RFC 3986 §5.2.4, applied to the path only.
    private static func removingDotSegments(_ target: String) -> String {
        let mark = target.firstIndex { $0 == "?" || $0 == "#" } ?? target.endIndex
        let segments = target[..<mark].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var output: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { output.append("") }
            case "..":
                _ = output.popLast()
                if isLast { output.append("") }
            default: output.append(segment)
            }
        }
        return "/" + output.joined(separator: "/") + target[mark...]
    }
}

/// The four forms of a request target, RFC 9112 §3.2.
package enum RequestTargetForm: Hashable, Sendable {
    /// §3.2.1: path and query, as clients send them to an origin server.
    case origin(path: String)
    /// §3.2.2: a whole URI, as clients send it to a proxy. Without userinfo and fragment, the scheme in lower case.
    case absolute(scheme: String, authority: String, path: String)
    /// §3.2.3: host and port, only with `CONNECT`. The port is never `nil`.
    case authority(Authority)
    /// §3.2.4: the server itself, only with `OPTIONS`.
    case asterisk

    /// Reads the target of a request line.
    ///
    /// A fragment, which no form allows, is removed.
    ///
    /// - Parameters:
    ///   - text: The text between the method and the version.
    ///   - method: Decides which forms are allowed.
    /// - Returns: `nil` if the text has none of the forms of this method, or an invalid authority: "Recipients of an
    ///   invalid request-line SHOULD respond with either a 400 (Bad Request) error or a 301" (§3.2).
    package init?(_ text: String, method: HTTPRequest.Method) {
        // "No whitespace is allowed in the request-target", and a URI contains no control characters.
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        if method == .connect {
            // "A server MUST reject a CONNECT request that targets an empty or invalid port number" (RFC 9110 §9.3.6).
            guard let authority = Authority(text), authority.port != nil else { return nil }
            self = .authority(authority)
        } else if text.utf8.first == 0x2F {
            self = .origin(path: String(Substring(text.utf8.prefix { $0 != 0x23 })))
        } else if method == .options, text == "*" {
            self = .asterisk
        } else {
            guard let parts = TargetURI.split(text), Authority(parts.authority) != nil else { return nil }
            self = .absolute(scheme: parts.scheme, authority: parts.authority, path: parts.path)
        }
    }
}

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

/// Texts of URLs for Foundation.
extension TargetURI {
    /// Scheme and authority of a URL, and what comes after them.
    package static func splitAfterAuthority(_ url: String) -> (origin: String, rest: String) {
        guard let colon = url.utf8.firstIndex(of: 0x3A) else { return ("", url) }
        let slashes = url.utf8[colon...].dropFirst().prefix { $0 == 0x2F }
        let end = url.utf8[slashes.endIndex...].firstIndex { [0x2F, 0x3F, 0x23].contains($0) } ?? url.endIndex
        return (String(url[..<end]), String(url[end...]))
    }

    /// A URL as WebKit writes it, in the syntax of RFC 3986: what that forbids is percent-encoded, and the rest stays.
    ///
    /// Foundation's `URL(string:)` would encode each `%` of a query with one `[` or `|` once more.
    package static func strict(_ url: String) -> String {
        let (origin, rest) = splitAfterAuthority(url)
        return PercentEncoding.pieces(rest.utf8).reduce(into: origin) { url, piece in
            url += PercentEncoding.encoded(piece.written) { octet in
                switch octet {
                case 0x25: piece.written.count == 3
                case 0x22, 0x3C, 0x3E, 0x5B...0x5E, 0x60, 0x7B...0x7D: false
                default: (0x21...0x7E).contains(octet)
                }
            }
        }
    }
}

extension HTTPRequest {
    /// Absolute and normalised; it has no fragment.
    package var targetURL: String {
        TargetURI.normalized(scheme: scheme ?? "", authority: authority ?? "", path: path ?? "/")
    }
}
