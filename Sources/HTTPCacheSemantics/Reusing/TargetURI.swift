/// The parts of a target URI that a cache compares, RFC 9110 §4.2.3 and §7.1.
public enum TargetURI {
    /// The canonical text: scheme and host in lower case, the scheme's default port left out, an empty path as
    /// `/`, no fragment. Percent-encoding and the query are left as they are: origins tell them apart.
    public static func normalized(scheme: String, authority: String, path: String) -> String {
        let scheme = scheme.lowercased()
        var authority = authority.lowercased()
        for suffix in [":", scheme == "https" || scheme == "wss" ? ":443" : ":80"] where authority.hasSuffix(suffix) {
            authority.removeLast(suffix.count)
            break
        }
        let target = path.prefix { $0 != "#" }
        return "\(scheme)://\(authority)\(target.hasPrefix("/") ? "" : "/")\(target)"
    }

    /// Splits an absolute URI into scheme, authority (without userinfo) and path with query.
    public static func split(_ uri: String) -> (scheme: String, authority: String, path: String)? {
        guard let colon = uri.firstIndex(of: ":") else { return nil }
        let scheme = uri[..<colon]
        let rest = uri[uri.index(after: colon)...]
        guard !scheme.isEmpty, rest.hasPrefix("//") else { return nil }
        let afterSlashes = rest.dropFirst(2)
        let end = afterSlashes.firstIndex { "/?#".contains($0) } ?? afterSlashes.endIndex
        var authority = afterSlashes[..<end]
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        guard !authority.isEmpty else { return nil }
        let tail = afterSlashes[end...].prefix { $0 != "#" }
        let path = tail.hasPrefix("/") ? String(tail) : "/" + tail
        return (scheme.lowercased(), String(authority), path)
    }

    /// Resolves a reference as found in `Location` or `Content-Location` against a base URI, RFC 3986 §5.2.
    ///
    /// - Returns: The absolute URI, normalised; `nil` when it is not an http or https URI.
    public static func resolve(_ reference: String, against base: String) -> String? {
        guard let parts = split(base) else { return nil }
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
            if reference.isEmpty || reference.hasPrefix("#") {
                target = parts
            } else if reference.hasPrefix("?") {
                target = (parts.scheme, parts.authority, basePath + reference)
            } else {
                let directory = basePath.lastIndex(of: "/").map { basePath[...$0] } ?? "/"
                target = (parts.scheme, parts.authority, directory + reference)
            }
        }
        guard target.scheme == "http" || target.scheme == "https" else { return nil }
        return normalized(
            scheme: target.scheme, authority: target.authority, path: removingDotSegments(target.path))
    }

    /// Whether two URIs share scheme, host and port (RFC 9110 §4.3.1).
    public static func haveSameOrigin(_ first: String, _ second: String) -> Bool {
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
