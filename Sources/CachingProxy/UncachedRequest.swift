#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPTypes
import NIOCore

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
    /// What the client got from the origin in octets: of content, or through the tunnel.
    package var bytes: Int64 = 0
    /// What the client sent through the tunnel, in octets; 0 where none stood.
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

extension ProxyServer {
    /// Tells ``ProxyConfiguration/onUncached`` of a request that is over.
    ///
    /// - Parameter start: When it arrived, on the clock of the cache's reports.
    func report(_ request: UncachedRequest, since start: Duration) {
        var request = request
        request.duration = cache.uptime - start
        configuration.onUncached?(request)
    }
}
#endif
