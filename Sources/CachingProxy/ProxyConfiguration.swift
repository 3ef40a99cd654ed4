#if Proxy
import CacheEngine
import HTTPTypes
import OriginDialing

/// How a proxy listens and for whom.
public struct ProxyConfiguration: Sendable {
    /// What the proxy is.
    public enum Mode: Sendable {
        /// For web views and browsers: absolute-form requests, and `CONNECT`.
        case forward(intercept: InterceptPolicy)
        /// In front of one origin, for development and tests: `http://host[:port]` or `https://…`.
        case reverse(origin: OriginDialer.Endpoint)
    }

    public var mode: Mode
    /// The address to listen on. Forward mode takes loopback addresses only.
    public var host: String
    /// 0 takes a free port.
    public var port: Int
    /// Whether a reverse proxy may listen beyond loopback.
    public var allowsOtherHosts: Bool
    /// Asked for in forward mode; `nil` lets every local process in.
    public var credentials: ProxyCredentials?
    /// Whether responses carry `Cache-Status`. Page scripts could read it.
    public var sendsCacheStatus: Bool
    /// What every exchange's context starts from; the proxy fills in client and destination.
    public var context: @Sendable () -> ExchangeContext
    /// For which account requests come: the partition of the store (`CacheKey.partition`) for every exchange whose
    /// ``context`` names none. Asked once for each request, as it arrives; nobody's, the empty text, unless set.
    ///
    /// Switch accounts when no page of the old one is open: what such a page asks for afterwards comes with its cookies,
    /// and counts as the new account's. A request that has begun stays the old one's to its end, and so do validations
    /// behind its back. Use a text that tells accounts apart for good, such as a user's number, and no secret: it stands
    /// in the store's index. Reports and logs do not have it.
    public var account: @Sendable () -> String = { "" }
    /// Called before a leaf certificate is first presented for a host, with the leaf in PEM; the handshake waits.
    /// A web view that trusts exact leaves learns of them here.
    public var willPresent: (@Sendable (_ host: String, _ certificatePEM: String) async -> Void)?

    /// Called when a host is intercepted for the first time: a request to it is sure to follow, so a connection to its
    /// origin can be begun while the client's own handshake goes on. Must return at once.
    public var willAsk: (@Sendable (OriginDialer.Endpoint) -> Void)?

    public init(
        mode: Mode, host: String = "127.0.0.1", port: Int = 0, credentials: ProxyCredentials? = nil,
        sendsCacheStatus: Bool = true, context: @escaping @Sendable () -> ExchangeContext = { ExchangeContext() },
        willPresent: (@Sendable (String, String) async -> Void)? = nil
    ) {
        self.mode = mode
        self.host = host
        self.port = port
        self.allowsOtherHosts = false
        self.credentials = credentials
        self.sendsCacheStatus = sendsCacheStatus
        self.context = context
        self.willPresent = willPresent
    }
}
#endif
