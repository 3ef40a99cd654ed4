import HTTPTypes

/// The cache key, RFC 9111 §2: the target URI, a partition, and the site of the document where that counts.
///
/// The method is not part of the key: only responses to `GET` are stored, and they also answer `HEAD` (§4).
package struct CacheKey: Hashable, Sendable, CustomStringConvertible {
    /// The account or profile of the app that owns the responses; empty for the default partition. A response stored
    /// under one partition is never found under another.
    package var partition: String
    /// The site of the top-level document for which a cross-site sub-resource was stored, such as `https://shop.test`;
    /// empty for everything else. A response stored under one site is never found under another, so that no third party
    /// can tell what another site stored (Fetch, "determine the HTTP cache partition").
    package var site: String
    /// The target URI without its fragment, scheme and host in lower case (RFC 9110 §4.2.3).
    package var uri: String

    package init(partition: String = "", site: String = "", uri: String) {
        self.partition = partition
        self.site = site
        self.uri = uri
    }

    /// The key of a request; `nil` if it lacks a scheme, host or path. RFC 9110 §4.2.1 on an empty host: "A recipient
    /// that processes such a URI reference MUST reject it as invalid".
    package init?(_ request: HTTPRequest, partition: String = "", site: String = "") {
        guard let scheme = request.scheme, let authority = request.authority, let path = request.path,
            TargetURI.hasHost(authority)
        else { return nil }
        self.partition = partition
        self.site = site
        self.uri = TargetURI.normalized(scheme: scheme, authority: authority, path: path)
    }

    /// The key of the same URI and partition without a site. It stands for those of all sites where a response is
    /// invalidated: RFC 9111 §4.4 names the target URI.
    package var withoutSite: CacheKey { site.isEmpty ? self : CacheKey(partition: partition, uri: uri) }

    /// The URI without its query, which the members of a No-Vary-Search equivalence class share.
    package var searchBase: String {
        let bytes = uri.utf8
        guard let mark = bytes.firstIndex(of: 0x3F) else { return uri }
        return String(uri[..<mark])
    }

    /// The host of the URI, with its port if the URI has one.
    package var host: String { TargetURI.split(uri)?.authority ?? "" }

    /// The origin of the URI, and the host's origins at the default ports of http and https.
    package var originsOfHost: Set<String> {
        guard let parts = TargetURI.split(uri) else { return [] }
        // The colon of the port comes after the last bracket: the colons of an IPv6 address belong to the host.
        let end = parts.authority.lastIndex(of: "]") ?? parts.authority.startIndex
        let host = parts.authority[end...].lastIndex(of: ":").map { parts.authority[..<$0] } ?? parts.authority[...]
        return ["\(parts.scheme)://\(parts.authority)", "https://\(host)", "http://\(host)"]
    }

    package var description: String { uri }
}
