#if Proxy
import HTTPTypes
import NIOCore

/// A request that the proxy answered with an error of its own and gave to no cache, so that no exchange is reported of it:
/// one that is not understood or not allowed, or whose tunnel could not be opened.
public struct RefusedRequest: Hashable, Sendable {
    /// `nil` where no request line could be read.
    public var method: String?
    /// The request target as it came, RFC 9112 §3.2; `nil` where no request line could be read.
    public var target: String?
    /// What `Host` said; `nil` where there was none, or it could not be read.
    public var host: String?
    /// The status of the answer, such as 407 or 421.
    public var status: Int
    /// Why, in a sentence: the content of the answer.
    public var reason: String
}

extension ProxyServer {
    /// Tells ``ProxyConfiguration/onRefusal`` of an answer.
    func report(_ refusal: RequestRefusal, of head: RequestHead? = nil) {
        report(status: refusal.status.code, refusal.message, of: head)
    }

    func report(status: Int, _ reason: String, of head: RequestHead?) {
        configuration.onRefusal?(
            RefusedRequest(
                method: head?.method.rawValue, target: head?.target, host: head?.host, status: status,
                reason: reason))
    }
}
#endif
