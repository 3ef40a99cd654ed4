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
    package let uri: String

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
        self.init(
            partition: partition, site: site,
            uri: TargetURI.normalized(scheme: scheme, authority: authority, path: path))
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

/// Percent-encoding, RFC 3986 §2.1 and URL standard §1.3.
package enum PercentEncoding {
    /// - Parameter isPlain: Whether an octet stays as it is.
    package static func encoded(_ octets: some Sequence<UInt8>, where isPlain: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for octet in octets {
            if isPlain(octet) {
                text.append(octet)
            } else {
                text += [0x25, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A `%` without two hexadecimal digits stays.
    package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] { pieces(text).map(\.octet) }

    /// Each octet, or the three of each escape, and the octet that they stand for. A `%` without two hexadecimal digits
    /// stands for itself.
    package static func pieces(
        _ text: some Sequence<UInt8>
    ) -> some Sequence<(written: ArraySlice<UInt8>, octet: UInt8)> {
        sequence(state: Array(text)[...]) { rest in
            guard let first = rest.first else { return nil }
            let digits = first == 0x25 ? rest.dropFirst().prefix(2).compactMap(digit) : []
            let written = rest.prefix(digits.count == 2 ? 3 : 1)
            rest = rest.dropFirst(written.count)
            return (written, digits.count == 2 ? digits[0] << 4 | digits[1] : first)
        }
    }

    private static func digit(_ octet: UInt8) -> UInt8? {
        switch octet {
        case 0x30...0x39: octet - 0x30
        case 0x41...0x46: octet - 0x41 + 10
        case 0x61...0x66: octet - 0x61 + 10
        default: nil
        }
    }

    /// The octets as a text; `nil` where they are no UTF-8.
    package static func text(_ octets: [UInt8]) -> String? {
        let text = String(decoding: octets, as: UTF8.self)
        return text.utf8.elementsEqual(octets) ? text : nil
    }
}
