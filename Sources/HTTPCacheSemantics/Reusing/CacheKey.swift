import HTTPTypes

/// What identifies stored responses: the target URI, and the partition they belong to. RFC 9111 §2.
///
/// The method is not part of the key: only responses to `GET` are stored, and they also answer `HEAD` (§4).
public struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// Whose responses these are: an account or profile of the app. Empty for the default partition. Nothing
    /// stored under one partition is ever found under another.
    public var partition: String
    /// The target URI without its fragment, scheme and host in lower case (RFC 9110 §4.2.3).
    public var uri: String

    public init(partition: String = "", uri: String) {
        self.partition = partition
        self.uri = uri
    }

    /// The key of a request; `nil` when it names no scheme, host or path. "A recipient that processes such a URI
    /// reference MUST reject it as invalid", RFC 9110 §4.2.1 says of an empty host.
    public init?(_ request: HTTPRequest, partition: String = "") {
        guard let scheme = request.scheme, let authority = request.authority, let path = request.path,
            TargetURI.hasHost(authority)
        else { return nil }
        self.partition = partition
        self.uri = TargetURI.normalized(scheme: scheme, authority: authority, path: path)
    }

    /// The URI without its query: what the members of a No-Vary-Search equivalence class share.
    public var searchBase: String {
        let bytes = uri.utf8
        guard let mark = bytes.firstIndex(of: 0x3F) else { return uri }
        return String(uri[..<mark])
    }

    /// The host of the URI with its port, where one is written.
    public var host: String { TargetURI.split(uri)?.authority ?? "" }

    /// The origin of the URI, and the host's origins at the default ports of http and https.
    public var originsOfHost: Set<String> {
        guard let parts = TargetURI.split(uri) else { return [] }
        // A colon after the last bracket: those of an IPv6 address belong to the host.
        let end = parts.authority.lastIndex(of: "]") ?? parts.authority.startIndex
        let host = parts.authority[end...].lastIndex(of: ":").map { parts.authority[..<$0] } ?? parts.authority[...]
        return ["\(parts.scheme)://\(parts.authority)", "https://\(host)", "http://\(host)"]
    }

    public var description: String { uri }
}
