/// Target URIs as plain text; enough for the generated histories.
enum ModelTarget {
    /// RFC 9110 §4.2.3: scheme and host in lower case, no default port.
    static func canonical(scheme: String, authority: String, path: String) -> String {
        let scheme = scheme.lowercased()
        var host = authority.lowercased()
        let port = scheme == "https" ? ":443" : ":80"
        if host.hasSuffix(port) { host = String(host.dropLast(port.count)) }
        return "\(scheme)://\(host)\(path)"
    }

    /// Scheme, host and port of a canonical URI.
    static func origin(_ uri: String) -> String {
        uri.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    /// A reference that is a whole URI or a path from the root.
    static func resolved(_ reference: String, against base: String) -> String {
        if reference.hasPrefix("/") { return origin(base) + reference }
        let parts = reference.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 4 else { return reference }
        return canonical(scheme: String(parts[0].dropLast()), authority: parts[2], path: "/" + parts[3])
    }
}
