#if Proxy
import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes
import OriginDialing

/// A request without content, parsed and checked, and prepared by the engine.
final class ReadRequest: Sendable {
    let message: ClientRequest
    let prepared: PreparedRequest
    /// Whether the client wants the connection to be closed after the answer.
    let closes: Bool

    init(_ message: ClientRequest, _ prepared: PreparedRequest) {
        (self.message, self.prepared) = (message, prepared)
        closes = !message.head.persists
    }
}

extension ProxyServer.Identity {
    /// Adds the fields that go to one origin with every request, and has a reverse proxy's own address name its origin.
    func complete(_ fields: inout HTTPFields, of head: RequestHead, for target: RequestTarget) {
        origin?.translate(&fields, askedFor: head.host)
        guard let (origin, added) = added,
            origin == OriginDialer.Endpoint(authority: target.authority, isSecure: target.scheme == "https")
        else { return }
        for name in Set(added.map(\.name)) { fields[values: name] = added[values: name] }
    }
}

/// A request as a client sent it, and its target.
struct ClientRequest: Sendable {
    let head: RequestHead
    let framing: MessageFraming
    let target: RequestTarget

    /// The request as the engine sees it: end-to-end fields only, with the proxy's `Via` unless it is part of the
    /// client.
    func presented(by identity: ProxyServer.Identity) -> HTTPRequest {
        var fields = head.fields
        HopByHopFields.remove(from: &fields)
        if head.fields.contains(.proxyAuthorization) { fields[.proxyAuthorization] = nil }
        identity.complete(&fields, of: head, for: target)
        if fields.contains(CacheMode.field) { fields[CacheMode.field] = nil }
        // RFC 9110 §7.6.3: the protocol is the one in which the message was received.
        if !identity.isPartOfClient {
            fields.append(head.isHTTP10 ? identity.viaHTTP10 : head.isHTTP2 ? identity.viaHTTP2 : identity.via)
        }
        return HTTPRequest(
            method: head.method, scheme: target.scheme, authority: target.authority, path: target.path,
            headerFields: fields)
    }

    /// The mode that an app states for its own load.
    var cacheMode: CacheMode? { head.fields[CacheMode.field].flatMap { CacheMode(rawValue: $0) } }

    /// The destination that the client states. Over plain http browsers state none (Fetch Metadata §2 wants a
    /// trustworthy URL); then a request that prefers HTML counts as a page.
    var destination: Destination {
        let stated = Destination(secFetchDest: head.fields.combined(.secFetchDest))
        guard stated == .unknown, head.method == .get else { return stated }
        return head.fields.combined(.accept)?.hasPrefix("text/html") == true ? .document : stated
    }
}

/// Where a request that reached the proxy is meant to go, RFC 9112 §3.2.
struct RequestTarget: Sendable {
    var scheme: String
    var authority: String
    /// Path and query; empty for `CONNECT`.
    var path: String
    var isTunnel = false
    var isUpgrade = false

    /// - Parameter port: The one that the connection came to.
    init(
        _ head: RequestHead, _ framing: MessageFraming, role: ProxyRequestHandler.Role, port: Int?, proxy: ProxyServer
    ) throws(RequestRefusal) {
        // A request that already went through this very proxy would go round for ever (RFC 9110 §7.6.3).
        if head.fields.contains(where: { $0.name == .via && $0.value.contains(proxy.pseudonym) }) { throw .loop }
        let form = RequestTargetForm(head.target, method: head.method)
        isUpgrade = UpgradeRequest.isWanted(by: head, framing)
        switch (role, proxy.configuration.mode) {
        case (.intercepted(let expected), _):
            let asked = try Self.onServer(form, head)
            (scheme, authority, path) = ("https", expected, asked.path)
            // RFC 9110 §7.4: a request for another authority than the connection's is misdirected.
            let same =
                TargetURI.normalized(scheme: asked.scheme ?? scheme, authority: asked.host ?? "", path: "/")
                == TargetURI.normalized(scheme: scheme, authority: expected, path: "/")
            guard same else { throw .misdirected }
        case (.listener, .reverse):
            guard let target = proxy.reverseTarget else { throw .malformed }
            let asked = try Self.onServer(form, head)
            (scheme, authority, path) = (target.scheme, target.authority, asked.path)
            guard (asked.scheme ?? "http") == "http" else { throw .misdirected }
            guard proxy.configuration.answers(to: asked.host, port: port) else { throw .unknownName }
        case (.listener, .forward):
            if let credentials = proxy.configuration.credentials, !Self.isPreflight(head, framing),
                !credentials.match(head.fields[.proxyAuthorization])
            {
                throw .credentialsNeeded
            }
            switch form {
            case .authority(let name)? where HostNamePattern.isHost(name.host):
                (scheme, authority, path, isTunnel) = ("https", head.target, "", true)
            case .absolute(let name, let host, let rest)?:
                // WebKitGTK sends `GET ws://…` in absolute form through a plain proxy.
                scheme = name == "ws" ? "http" : name == "wss" ? "https" : name
                (authority, path) = (host, Self.isAsterisk(head) ? "*" : rest)
                guard scheme == "http" || scheme == "https" else { throw .malformed }
            case .origin?, .asterisk?: throw .notForAProxy
            case .authority?, nil: throw .malformed
            }
        }
        // "its presence [is] an error; it is likely being used to obscure the authority", RFC 9110 §4.2.4.
        if case .absolute? = form, Self.authority(head.target).contains("@") { throw .malformed }
    }

    /// A CORS preflight (Fetch standard §4.8), which web views send without proxy credentials and do not repeat.
    ///
    /// Letting it pass gives a local process nothing: it is never answered from the store, carries no content, and
    /// could be sent to its target directly just as well.
    private static func isPreflight(_ head: RequestHead, _ framing: MessageFraming) -> Bool {
        head.method == .options && head.fields.contains(.origin)
            && head.fields.contains(.accessControlRequestMethod) && framing.statedLength == 0
    }

    /// The target at a server, which must accept absolute-form as well and "MUST ignore the received Host header field
    /// (if any) and instead use the host information of the request-target" (RFC 9112 §3.2.2).
    private static func onServer(
        _ form: RequestTargetForm?, _ head: RequestHead
    ) throws(RequestRefusal) -> (scheme: String?, host: String?, path: String) {
        switch form {
        case .origin(let path)?: (nil, head.host, path)
        case .absolute(let scheme, let host, let path)?: (scheme == "wss" ? "https" : scheme, host, path)
        case .asterisk?: (nil, head.host, "*")
        case .authority?, nil: throw .malformed
        }
    }

    /// RFC 9112 §3.2.4: for OPTIONS and a URI with "an empty path and no query component, then the last proxy on the
    /// request chain MUST send a request-target of "*"".
    private static func isAsterisk(_ head: RequestHead) -> Bool {
        let rest = head.target[authority(head.target).endIndex...]
        return head.method == .options && (rest.isEmpty || rest.hasPrefix("#"))
    }

    /// The authority of a target in absolute form, with its userinfo.
    private static func authority(_ target: String) -> Substring {
        guard let mark = target.firstRange(of: "://") else { return target[target.endIndex...] }
        return target[mark.upperBound...].prefix { !"/?#".contains($0) }
    }
}

extension ProxyConfiguration {
    /// Whether a reverse proxy answers to a name.
    ///
    /// A page can have its own name lead to this machine (DNS rebinding) and read what is served here as if it were its
    /// own. An origin that looks at `Host` would refuse it; but the origin sees the name that we give it. So we look.
    /// Browsers write the names of loopback in one way only, so that no other is accepted.
    ///
    /// - Parameters:
    ///   - name: The host of the target or of `Host`; `nil` where an HTTP/1.0 client sends none.
    ///   - port: The one that the connection came to.
    fileprivate func answers(to name: String?, port: Int?) -> Bool {
        guard let name else { return true }
        guard let authority = Authority(name), let port else { return false }
        if reverseHosts.contains(where: { $0.matches(authority.host) }) { return true }
        let (text, end) = (name.lowercased(), ":\(port)")
        let own = text.hasSuffix(end) ? text.dropLast(end.count) : port == 80 ? text[...] : ""
        return ["localhost", "127.0.0.1", "[::1]"].contains(own)
            // The address that it listens on, where that is another one of loopback.
            || own == host && IPAddressBytes.isLoopback(host)
    }
}
#endif
