#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes
import NIOCore

/// Why the proxy itself refuses a request, with the answer that says so.
enum RequestRefusal: Error, Hashable {
    case malformed
    case notForAProxy
    case credentialsNeeded
    case misdirected
    /// A reverse proxy was asked under a name that is not one of its own.
    case unknownName
    /// The target is this very proxy.
    case loop
    /// The head was not complete in time.
    case late
    /// It would pass the cache unread, see ``ProxyConfiguration/refusesUncached``.
    case uncached
    case notHTTP(MessageFault)

    var status: HTTPResponse.Status {
        switch self {
        case .malformed, .notForAProxy: .badRequest
        case .credentialsNeeded: .proxyAuthenticationRequired
        case .misdirected, .unknownName: .misdirectedRequest
        case .late: .requestTimeout
        case .uncached: .forbidden
        case .loop: .init(code: 508, reasonPhrase: "Loop Detected")
        case .notHTTP(let fault):
            switch fault.code {
            // RFC 9112 §3; RFC 6585 §5; RFC 9110 §15.6.6; RFC 9112 §6.1.
            case .targetTooLong: .uriTooLong
            case .headTooLarge: .requestHeaderFieldsTooLarge
            case .versionNotSupported: .httpVersionNotSupported
            case .codingNotUnderstood: .notImplemented
            case .malformed, .endedEarly: .badRequest
            }
        }
    }

    var message: String {
        switch self {
        case .malformed: "The request's target can't be understood."
        case .notForAProxy: "This is a caching proxy; set it as the HTTP proxy instead of opening its address."
        case .credentialsNeeded: "This proxy asks for the user name and password that were printed when it started."
        case .misdirected: "The request is for another host or scheme than its connection."
        case .unknownName:
            "This reverse proxy does not answer to the name in the request; allow the name with --reverse-host."
        case .late: "The request's head was not complete in time."
        case .uncached: "This proxy passes on nothing that it can't read."
        case .loop: "The request leads back to this proxy; ask for another host or port."
        case .notHTTP(let fault): "The request can't be understood. \(fault.message)"
        }
    }

    var answer: (head: HTTPResponse, content: ByteBuffer) {
        var fields: HTTPFields = [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]
        if self == .credentialsNeeded { fields[.proxyAuthenticate] = "Basic realm=\"Larder\"" }
        return (HTTPResponse(status: status, headerFields: fields), ByteBuffer(string: message + "\n"))
    }
}

/// A request that the proxy answered with an error of its own and gave to no cache, so that no exchange is reported of
/// it: one that is not understood or not allowed, or whose tunnel could not be opened.
package struct RefusedRequest: Hashable, Sendable {
    /// `nil` where no request line could be read.
    package var method: String?
    /// The request target, RFC 9112 §3.2, without user and password, and no more of it than 2,048 characters; `nil`
    /// where no request line could be read.
    package var target: String?
    /// The value of `Host`; `nil` if there was none, or it could not be read.
    package var host: String?
    /// The status of the answer, such as 407 or 421.
    package var status: Int
    /// Why, in a sentence: the content of the answer.
    package var reason: String
}

extension ProxyServer {
    /// Tells ``ProxyConfiguration/onRefusal`` of an answer.
    func report(_ refusal: RequestRefusal, of head: RequestHead? = nil) {
        report(status: refusal.status.code, refusal.message, of: head)
    }

    func report(status: Int, _ reason: String, of head: RequestHead?) {
        configuration.onRefusal?(
            RefusedRequest(
                method: head?.method.rawValue, target: head.map { Self.shown($0.target) }, host: head?.host,
                status: status, reason: reason))
    }

    /// Tells ``ProxyConfiguration/onUncached`` of a request that is over.
    ///
    /// - Parameter start: When it arrived, on the clock of the cache's reports.
    func report(_ request: UncachedRequest, since start: Duration) {
        var request = request
        request.duration = cache.uptime - start
        configuration.onUncached?(request)
    }

    /// Logs are kept longer, and read by more people, than a password should be.
    private static func shown(_ target: String) -> String {
        let start = target.firstRange(of: "://")?.upperBound ?? target.startIndex
        let authority = target[start...].prefix { !"/?#".contains($0) }
        guard let end = authority.lastIndex(of: "@") else { return String(target.prefix(2_048)) }
        return String((target[..<start] + target[target.index(after: end)...]).prefix(2_048))
    }
}

/// A request that the proxy has served past the cache, so that no exchange is reported of it.
///
/// An intercepted `CONNECT` is none: the requests inside are exchanges.
package struct UncachedRequest: Hashable, Sendable {
    /// How it was served.
    package enum Kind: String, Hashable, Sendable {
        /// `CONNECT`, passed unread (RFC 9110 §9.3.6).
        case tunnel
        /// A request for another protocol (RFC 9110 §7.8), whether the origin switched to it or not.
        case upgrade
        /// TRACE or OPTIONS that the proxy itself answered as the last recipient (RFC 9110 §7.6.2).
        case lastRecipient = "max-forwards"
    }

    package var kind: Kind
    package var method: String
    /// The target URI; of a tunnel its host and port.
    package var uri: String
    /// The status of the answer; 101 where the protocol was switched.
    package var status: Int
    /// Octets from the origin to the client: of content, or through the tunnel.
    package var bytes: Int64 = 0
    /// Octets from the client through the tunnel; 0 without a tunnel.
    package var bytesFromClient: Int64 = 0
    /// From the request's arrival until its answer was sent or, where a tunnel stood, until the client's connection was
    /// closed.
    package var duration = Duration.zero
    /// False when the answer broke off.
    package var isComplete = true
}

extension UncachedRequest {
    init(_ kind: Kind, _ head: RequestHead, _ target: RequestTarget, status: Int) {
        self.kind = kind
        method = head.method.rawValue
        uri = target.uri
        self.status = status
    }
}

extension RequestTarget {
    /// As reports name it; without userinfo.
    fileprivate var uri: String {
        if isTunnel { return authority }
        // RFC 9112 §3.2.4: a server as a whole has no path.
        return path == "*"
            ? "\(scheme)://\(authority)" : TargetURI.normalized(scheme: scheme, authority: authority, path: path)
    }
}
#endif
