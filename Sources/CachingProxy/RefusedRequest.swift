#if Proxy
import HTTPTypes
import NIOCore

/// A request that the proxy answered with an error of its own and gave to no cache, so that no exchange is reported of it:
/// one that is not understood or not allowed, or whose tunnel could not be opened.
package struct RefusedRequest: Hashable, Sendable {
    /// `nil` where no request line could be read.
    package var method: String?
    /// The request target, RFC 9112 §3.2, without user and password, and no more of it than 2,048 characters; `nil` where
    /// no request line could be read.
    package var target: String?
    /// What `Host` said; `nil` where there was none, or it could not be read.
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
                status: status,
                reason: reason))
    }

    /// Logs are kept longer, and read by more people, than a password should be.
    private static func shown(_ target: String) -> String {
        let start = target.firstRange(of: "://")?.upperBound ?? target.startIndex
        let authority = target[start...].prefix { !"/?#".contains($0) }
        guard let end = authority.lastIndex(of: "@") else { return String(target.prefix(2_048)) }
        return String((target[..<start] + target[target.index(after: end)...]).prefix(2_048))
    }
}
#endif
