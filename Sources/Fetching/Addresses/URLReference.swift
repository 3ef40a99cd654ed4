import HTTPCacheSemantics
import HTTPTypes

/// Resolves the reference in a `Location` to the URL that a browser would go to.
///
/// RFC 3986 §5 resolves (`TargetURI`); before that the reference is read as the URL standard §4.4 reads it, because the
/// web view does: white space is dropped, `\` is a slash, `https:x` has no authority of its own, `%2e` is a dot. Two
/// readings of one text could otherwise lead to two hosts.
package enum URLReference {
    /// Longer references are refused. In octets.
    package static let greatestLength = 65_536

    package enum Resolution: Hashable, Sendable {
        case web(WebURL)
        /// Another scheme than http and https, in lower case, and the whole URL.
        case other(scheme: String, url: String)
        case unusable(Reason)
    }

    package enum Reason: String, CaseIterable, Sendable {
        /// Longer than ``URLReference/greatestLength``.
        case tooLong = "url-too-long"
        /// Relative, and the base is no http or https URL.
        case noBase = "no-base-url"
        /// No host, or a port that is no port.
        case noHost = "no-host"
        /// A host beyond ASCII, percent-encoded, or a number that is no canonical IPv4 address: the web view would
        /// rewrite it, and no rule here tells into which host.
        case hostNotCanonical = "host-not-canonical"
    }

    /// Schemes that belong to the web view, or reach what no page may reach. All others are for the app.
    private static let ownSchemes: Set<String> = [
        "http", "https", "ws", "wss", "about", "blob", "data", "javascript", "file", "filesystem", "view-source",
        "webkit-fake-url", "x-apple-data-detectors", AppCacheScheme.name,
    ]

    /// Whether a URL of this scheme is for another app: `tel`, `mailto`, `sms`, `facetime`, `itms-apps`, `intent` and
    /// whatever is unknown here.
    ///
    /// - Parameter scheme: In any case.
    package static func isForApp(scheme: String) -> Bool { !ownSchemes.contains(FetchText.lowercased(scheme)) }

    /// - Parameters:
    ///   - reference: As in the field; octets beyond ASCII are percent-encoded as UTF-8 in path, query and fragment.
    ///   - base: The URL of the response, absolute; `nil` to accept absolute URLs only. If the reference has no
    ///     fragment, the result inherits the base's (RFC 9110 §10.2.2).
    package static func resolve(_ reference: String, against base: String?) -> Resolution {
        guard reference.utf8.count <= greatestLength else { return .unusable(.tooLong) }
        var octets = reference.utf8.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }[...]
        while let first = octets.first, first <= 0x20 { octets.removeFirst() }
        while let last = octets.last, last <= 0x20 { octets.removeLast() }
        let mark = octets.firstIndex(of: 0x23)
        let ownFragment = mark.map { encoded(octets[($0 + 1)...]) }
        let body = octets[..<(mark ?? octets.endIndex)]
        let scheme = scheme(of: body)
        if let scheme, scheme != "http", scheme != "https" {
            return .other(scheme: scheme, url: encoded(octets))
        }
        let baseParts = base.flatMap { TargetURI.split($0) }.flatMap { TargetURI.isWeb($0.scheme) ? $0 : nil }
        guard let (text, form) = plain(body, scheme: scheme, baseScheme: baseParts?.scheme) else {
            return .unusable(.noHost)
        }
        if baseParts == nil, form != .absolute { return .unusable(.noBase) }
        var credentials: Substring.UTF8View?
        if form != .relative {
            let afterSlashes = text.utf8.drop { $0 != 0x2F }.dropFirst(2)
            let (userinfo, name) = divided(afterSlashes.prefix { $0 != 0x2F && $0 != 0x3F })
            if let reason = reasonAgainst(host: name) { return .unusable(reason) }
            credentials = userinfo
        }
        // A complete URL needs no base, but `TargetURI` wants one.
        guard let url = TargetURI.resolve(text, against: baseParts == nil ? text : base ?? text),
            let web = WebURL(normalized: url, fragment: nil)
        else { return .unusable(.noHost) }
        let inherited = base.flatMap { base in
            base.utf8.firstIndex(of: 0x23).map { String(base[base.utf8.index(after: $0)...]) }
        }
        var result = web
        result.fragment = ownFragment ?? inherited
        if let credentials { result.readCredentials(credentials) }
        return .web(result)
    }
}

extension URLReference {
    private enum Form {
        case absolute
        /// `//host/path`
        case withAuthority
        case relative
    }

    /// The reference in the syntax of RFC 3986, without its fragment; `nil` if it names no host where it must.
    private static func plain(_ body: ArraySlice<UInt8>, scheme: String?, baseScheme: String?) -> (String, Form)? {
        let query = body.firstIndex(of: 0x3F) ?? body.endIndex
        var path = body[..<query].map { $0 == 0x5C ? 0x2F : $0 }[...]
        var form = Form.relative
        if let scheme {
            path = path.dropFirst(scheme.utf8.count + 1)
            // "Special relative or authority state": `https:x` is relative to a base of the same scheme.
            if scheme != baseScheme || path.starts(with: [0x2F, 0x2F]) { form = .absolute }
        } else if path.starts(with: [0x2F, 0x2F]) {
            form = .withAuthority
        }
        guard form != .relative else {
            // A colon in the first segment is no scheme here.
            let prefix = path.isEmpty || path.first == 0x2F ? "" : "./"
            return (prefix + withPlainDots(path) + encoded(body[query...], as: .query), form)
        }
        // "Special authority ignore slashes state": any number of slashes.
        path = path.drop { $0 == 0x2F }
        guard !path.isEmpty else { return nil }
        let end = path.firstIndex(of: 0x2F) ?? path.endIndex
        let authority = String(decoding: path[..<end], as: UTF8.self)
        let prefix = form == .absolute ? (scheme ?? "") + "://" : "//"
        return (prefix + authority + withPlainDots(path[end...]) + encoded(body[query...], as: .query), form)
    }

    /// "A single-dot path segment" and "a double-dot path segment" also count percent-encoded (URL standard §4.1).
    private static func withPlainDots(_ path: ArraySlice<UInt8>) -> String {
        let segments = path.split(separator: 0x2F, omittingEmptySubsequences: false).map { segment in
            switch FetchText.lowercased(String(decoding: segment, as: UTF8.self)) {
            case "%2e": "."
            case ".%2e", "%2e.", "%2e%2e": ".."
            default: encoded(segment, as: .path)
            }
        }
        return segments.joined(separator: "/")
    }

    /// The scheme in lower case; `nil` if the text begins with none.
    private static func scheme(of body: ArraySlice<UInt8>) -> String? {
        guard let colon = body.firstIndex(of: 0x3A), TargetURI.isScheme(body[..<colon]) else { return nil }
        return FetchText.lowercased(String(decoding: body[..<colon], as: UTF8.self))
    }

    private static func divided(_ authority: Substring.UTF8View) -> (userinfo: Substring.UTF8View, name: String) {
        guard let at = authority.lastIndex(of: 0x40) else { return (authority.prefix(0), String(Substring(authority))) }
        return (authority[..<at], String(Substring(authority[authority.index(after: at)...])))
    }

    private static func reasonAgainst(host text: String) -> Reason? {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x25 }) else { return .hostNotCanonical }
        guard let authority = Authority(text) else { return .noHost }
        return isCanonical(authority.host) ? nil : .hostNotCanonical
    }

    /// A host that "ends in a number" is an IPv4 address, which the web view writes in one way (URL standard §3.5).
    private static func isCanonical(_ host: String) -> Bool {
        var labels = host.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        guard let last = labels.last, !host.utf8.contains(0x3A) else { return true }
        let isNumber = !last.isEmpty && last.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber || last.starts(with: [0x30, 0x78]) else { return true }
        guard labels.count == 4, host.utf8.last != 0x2E else { return false }
        return labels.allSatisfy { UInt8(String(Substring($0))).map { "\($0)" } == String(Substring($0)) }
    }

    private enum Part { case path, query, other }

    /// Octets that the path, special-query and fragment percent-encode sets of the URL standard §1.3 have in common,
    /// and those of one.
    private static func encoded(_ octets: some Sequence<UInt8>, as part: Part = .other) -> String {
        PercentEncoding.encoded(octets) { octet in
            switch octet {
            case 0x22, 0x3C, 0x3E: false
            case 0x27: part != .query
            case 0x5E, 0x60, 0x7B, 0x7D: part != .path
            default: (0x21...0x7E).contains(octet)
            }
        }
    }
}

/// An http or https URL, normalised as `TargetURI` does.
package struct WebURL: Hashable, Sendable {
    /// Absolute, without userinfo and fragment.
    package let url: String
    /// Without `#`; `nil` without one.
    package var fragment: String?
    /// Whether the text held a user name or a password. They are not part of ``url``.
    package var hasCredentials = false
    /// The credentials of the text; `nil` without any, and where they can't be sent.
    package var credentials: BasicCredentials?
    package let scheme: String
    package let authority: Authority
    /// Path and query.
    package let path: String

    /// - Parameter url: A URL that `TargetURI` made.
    init?(normalized url: String, fragment: String?) {
        guard let parts = TargetURI.split(url), parts.scheme == "http" || parts.scheme == "https",
            let authority = Authority(parts.authority)
        else { return nil }
        self.url = url
        self.fragment = fragment
        scheme = parts.scheme
        path = parts.path
        self.authority = authority
    }

    /// - Parameter text: An absolute URL as the web view shows it. One of the app-cache scheme becomes its https URL.
    /// - Returns: `nil` if it is no http or https URL.
    package init?(_ text: String) {
        let (page, userinfo) = AppCacheScheme.split(text)
        guard case .web(let web) = URLReference.resolve(AppCacheScheme.networkURL(of: page) ?? page, against: nil)
        else {
            return nil
        }
        self = web
        if let userinfo { readCredentials(userinfo.utf8) }
    }

    /// - Parameter userinfo: Without `@`.
    mutating func readCredentials(_ userinfo: Substring.UTF8View) {
        hasCredentials = !userinfo.isEmpty && !userinfo.elementsEqual([0x3A])
        credentials = BasicCredentials(userinfo: userinfo)
    }

    package var origin: WebOrigin { WebOrigin(scheme: scheme, authority: authority) }

    package var urlWithFragment: String { fragment.map { "\(url)#\($0)" } ?? url }
}

extension String {
    /// This URL without its fragment, which begins at the first `#` (RFC 3986 §3.5).
    package var withoutFragment: String { String(prefix { $0 != "#" }) }
}
