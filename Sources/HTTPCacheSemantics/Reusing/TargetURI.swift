/// Normalising, splitting and resolving target URIs, RFC 9110 §4.2.3 and §7.1.
package enum TargetURI {
    /// The canonical text: scheme and host in lower case, the scheme's default port left out, an empty path as
    /// `/`, no fragment. Percent-encoding and the query are left as they are: origins tell them apart.
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
        let scheme = uri[..<colon]
        let rest = bytes[bytes.index(after: colon)...]
        guard isScheme(scheme), rest.starts(with: [0x2F, 0x2F]) else { return nil }
        let afterSlashes = rest.dropFirst(2)
        let end = afterSlashes.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 } ?? afterSlashes.endIndex
        var authority = afterSlashes[..<end]
        if let at = authority.lastIndex(of: 0x40) { authority = authority[authority.index(after: at)...] }
        let name = String(Substring(authority))
        guard hasHost(name) else { return nil }
        let tail = afterSlashes[end...].prefix { $0 != 0x23 }
        return (lowercased(String(scheme)), name, (tail.first == 0x2F ? "" : "/") + String(Substring(tail)))
    }

    private static func isWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

    private static func defaultPort(of scheme: String) -> Int? {
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
        let hexadecimal = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                text += [0x25, hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
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
        } else if let colon = reference.firstIndex(of: ":"), isScheme(reference[..<colon]) {
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
        return normalized(
            scheme: target.scheme, authority: target.authority, path: removingDotSegments(target.path))
    }

    /// Whether two URIs share scheme, host and port (RFC 9110 §4.3.1).
    package static func haveSameOrigin(_ first: String, _ second: String) -> Bool {
        func origin(_ uri: String) -> String? {
            split(uri).map { normalized(scheme: $0.scheme, authority: $0.authority, path: "/") }
        }
        guard let one = origin(first), let other = origin(second) else { return false }
        return one == other
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (0x41...0x5A).contains(first) || (0x61...0x7A).contains(first) else {
            return false
        }
        return text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
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
