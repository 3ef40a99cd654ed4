#if Proxy
import CacheEngine
import HTTPTypes
import NIOCore
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

    /// How long a connection may be held without need. Time is the event loops'.
    public struct Limits: Sendable {
        /// From the first octet of a request's head to its last, 30 s; then 408, and the connection is closed.
        public var head: TimeAmount = .seconds(30)
        /// Without a request, before the first and between two; and for the first byte of an intercepted connection.
        /// Closed after one to two times that long, 120 s.
        public var idle: TimeAmount = .seconds(120)
        /// A side that has ended its direction (RFC 9293 §3.6) may be gone, or wait for its answer. Its connection is
        /// closed when nothing has moved in any direction for one to two times that long, 30 s.
        public var halfClosed: TimeAmount = .seconds(30)
        /// A tunnel in which nothing has moved that long is not waited for when the proxy stops, 500 ms.
        public var tunnelAtEnd: TimeAmount = .milliseconds(500)

        public init() {}
    }

    public var mode: Mode
    /// The address to listen on. Forward mode takes loopback addresses only.
    public var host: String
    /// 0 takes a free port.
    public var port: Int
    /// Whether a reverse proxy may listen beyond loopback.
    public var allowsOtherHosts: Bool
    /// The names that a reverse proxy answers to besides those of loopback (`localhost`, `127.0.0.0/8` and `[::1]`, with
    /// the port that it listens on): none unless set. A request with another `Host` is answered 421, for it may come
    /// from a page whose own name was made to lead here (DNS rebinding), and that the origin would have refused.
    public var reverseHosts: [HostPattern] = []
    public var limits = Limits()
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

    /// Called for each request that the proxy answers with an error of its own and gives to no cache. From any thread; must
    /// return at once.
    public var onRefusal: (@Sendable (RefusedRequest) -> Void)?

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
