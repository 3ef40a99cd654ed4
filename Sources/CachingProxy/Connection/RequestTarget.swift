#if Proxy
import HTTPCacheSemantics
import HTTPTypes
import NIOHTTP1
import OriginDialing

/// Where a request that reached the proxy is meant to go, RFC 9112 §3.2.
struct RequestTarget: Sendable {
    var scheme: String
    var authority: String
    /// Path and query; empty for `CONNECT`.
    var path: String
    var isTunnel = false
    var isUpgrade = false

    /// - Throws: ``RequestRefusal`` when the request must not or can't be served here.
    init(_ head: HTTPRequestHead, role: ClientConnection.Role, proxy: ProxyServer) throws(RequestRefusal) {
        isUpgrade =
            head.headers.contains(name: "upgrade")
            && head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "upgrade" }
        switch (role, proxy.configuration.mode) {
        case (.intercepted(let expected), _):
            (scheme, authority, path) = ("https", expected, try Self.originForm(head))
            // RFC 9110 §7.4: a request for another authority than the connection's is misdirected.
            let host = head.headers.first(name: "host") ?? ""
            let same =
                TargetURI.normalized(scheme: scheme, authority: host, path: "/")
                == TargetURI.normalized(scheme: scheme, authority: expected, path: "/")
            guard same else { throw .misdirected }
        case (.listener, .reverse(let origin)):
            scheme = origin.isSecure ? "https" : "http"
            let isDefaultPort = origin.port == (origin.isSecure ? 443 : 80)
            authority = isDefaultPort ? origin.host : "\(origin.host):\(origin.port)"
            path = try Self.originForm(head)
        case (.listener, .forward):
            if let credentials = proxy.configuration.credentials, !Self.isPreflight(head),
                !credentials.match(head.headers.first(name: "proxy-authorization"))
            {
                throw .credentialsNeeded
            }
            if head.method == .CONNECT {
                guard OriginDialer.Endpoint(authority: head.uri, isSecure: true) != nil else { throw .malformed }
                (scheme, authority, path, isTunnel) = ("https", head.uri, "", true)
                isUpgrade = false
                return
            }
            guard let parts = TargetURI.split(head.uri) else { throw .notForAProxy }
            (scheme, authority, path) = parts
            // WebKitGTK sends `GET ws://…` in absolute form through a plain proxy.
            if scheme == "ws" { scheme = "http" }
            if scheme == "wss" { scheme = "https" }
            guard scheme == "http" || scheme == "https" else { throw .malformed }
        }
        guard head.method != .CONNECT, OriginDialer.Endpoint(authority: authority, isSecure: true) != nil else {
            throw .malformed
        }
        // A request that already went through this very proxy would go round for ever (RFC 9110 §7.6.3).
        if head.headers["via"].contains(where: { $0.contains(proxy.pseudonym) }) { throw .loop }
    }

    /// A CORS preflight (Fetch standard §4.8), which web views send without proxy credentials and do not repeat.
    ///
    /// Letting it pass gives a local process nothing: it is never answered from the store, carries no content, and
    /// could be sent to its target directly just as well.
    private static func isPreflight(_ head: HTTPRequestHead) -> Bool {
        head.method == .OPTIONS && head.headers.contains(name: "origin")
            && head.headers.contains(name: "access-control-request-method")
            && !head.headers.contains(name: "transfer-encoding")
            && (head.headers.first(name: "content-length") ?? "0") == "0"
    }

    private static func originForm(_ head: HTTPRequestHead) throws(RequestRefusal) -> String {
        if head.uri.hasPrefix("/") { return String(head.uri.prefix { $0 != "#" }) }
        // A server must accept absolute-form as well (RFC 9112 §3.2.2).
        if let parts = TargetURI.split(head.uri) { return parts.path }
        if head.method == .OPTIONS, head.uri == "*" { return "/" }
        throw .malformed
    }
}
#endif
