#if Proxy
import HTTPCacheSemantics
import HTTPTypes

/// Where a request that reached the proxy is meant to go, RFC 9112 §3.2.
struct RequestTarget: Sendable {
    var scheme: String
    var authority: String
    /// Path and query; empty for `CONNECT`.
    var path: String
    var isTunnel = false
    var isUpgrade = false

    /// - Parameter port: The one that the connection came to.
    /// - Throws: ``RequestRefusal`` when the request must not or can't be served here.
    init(
        _ head: RequestHead, _ framing: MessageFraming, role: ProxyRequestHandler.Role, port: Int?, proxy: ProxyServer
    ) throws(RequestRefusal) {
        isUpgrade = UpgradeRequest.isWanted(by: head, framing)
        switch (role, proxy.configuration.mode) {
        case (.intercepted(let expected), _):
            let asked = try Self.onServer(head)
            (scheme, authority, path) = ("https", expected, asked.path)
            // RFC 9110 §7.4: a request for another authority than the connection's is misdirected.
            let same =
                TargetURI.normalized(scheme: asked.scheme ?? scheme, authority: asked.host ?? "", path: "/")
                == TargetURI.normalized(scheme: scheme, authority: expected, path: "/")
            guard same else { throw .misdirected }
        case (.listener, .reverse):
            guard let target = proxy.reverseTarget else { throw .malformed }
            let asked = try Self.onServer(head)
            (scheme, authority, path) = (target.scheme, target.authority, asked.path)
            guard proxy.reverseNames.include(asked.host, port: port) else { throw .unknownName }
        case (.listener, .forward):
            if let credentials = proxy.configuration.credentials, !Self.isPreflight(head, framing),
                !credentials.match(head.fields[.proxyAuthorization])
            {
                throw .credentialsNeeded
            }
            if head.method == .connect {
                guard case .authority(let name)? = RequestTargetForm(head.target, method: head.method),
                    HostNamePattern.isHost(name.host)
                else { throw .malformed }
                (scheme, authority, path, isTunnel) = ("https", head.target, "", true)
                isUpgrade = false
                return
            }
            switch RequestTargetForm(head.target, method: head.method) {
            case .absolute(let name, let host, let rest)?: (scheme, authority, path) = (name, host, rest)
            case .origin?, .asterisk?: throw .notForAProxy
            case .authority?, nil: throw .malformed
            }
            // WebKitGTK sends `GET ws://…` in absolute form through a plain proxy.
            if scheme == "ws" { scheme = "http" }
            if scheme == "wss" { scheme = "https" }
            guard scheme == "http" || scheme == "https" else { throw .malformed }
            if Self.isAsterisk(head) { path = "*" }
        }
        guard head.method != .connect else { throw .malformed }
        // A request that already went through this very proxy would go round for ever (RFC 9110 §7.6.3).
        if head.fields.contains(where: { $0.name == .via && $0.value.contains(proxy.pseudonym) }) { throw .loop }
    }

    /// A CORS preflight (Fetch standard §4.8), which web views send without proxy credentials and do not repeat.
    ///
    /// Letting it pass gives a local process nothing: it is never answered from the store, carries no content, and
    /// could be sent to its target directly just as well.
    private static func isPreflight(_ head: RequestHead, _ framing: MessageFraming) -> Bool {
        head.method == .options && head.fields.contains(.origin)
            && head.fields.contains(.accessControlRequestMethod) && framing.statedLength == 0
    }

    /// What is asked of a server. It must accept absolute-form as well, and "MUST ignore the received Host header field
    /// (if any) and instead use the host information of the request-target" (RFC 9112 §3.2.2).
    private static func onServer(
        _ head: RequestHead
    ) throws(RequestRefusal) -> (scheme: String?, host: String?, path: String) {
        switch RequestTargetForm(head.target, method: head.method) {
        case .origin(let path)?: (nil, head.host, path)
        case .absolute(let scheme, let host, let path)?: (scheme == "wss" ? "https" : scheme, host, path)
        case .asterisk?: (nil, head.host, "*")
        case .authority?, nil: throw .malformed
        }
    }

    /// RFC 9112 §3.2.4: for OPTIONS and a URI with "an empty path and no query component, then the last proxy on the
    /// request chain MUST send a request-target of "*"".
    private static func isAsterisk(_ head: RequestHead) -> Bool {
        guard head.method == .options, let mark = head.target.firstRange(of: "://") else { return false }
        return !head.target[mark.upperBound...].contains { "/?".contains($0) }
    }
}
#endif
