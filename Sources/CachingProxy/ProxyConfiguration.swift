#if Proxy
import CacheEngine
import HTTPTypes
import NIOCore
import OriginDialing

/// How a proxy listens, and for which clients.
package struct ProxyConfiguration: Sendable {
    /// What the proxy is.
    package enum Mode: Sendable {
        /// A proxy for web views and browsers: takes absolute-form requests, and `CONNECT`.
        case forward(intercept: InterceptPolicy)
        /// A proxy in front of one origin, for development and tests: `http://host[:port]` or `https://…`.
        case reverse(origin: OriginDialer.Endpoint)
    }

    /// How long a connection may wait. The event loops' clocks count.
    package struct Limits: Sendable {
        /// From the first octet of a request's head to its last, 30 s unless set; after it 408, and the connection is
        /// closed.
        package var head: TimeAmount = .seconds(30)
        /// Without a request, before the first and between two, and for the first byte of an intercepted connection;
        /// 120 s unless set. The connection is closed after one to two times that.
        package var idle: TimeAmount = .seconds(120)
        /// After one side has ended its direction (RFC 9293 §3.6): it may be gone, or wait for its answer. 30 s unless
        /// set. The connection is closed when nothing has moved in either direction for one to two times that.
        package var halfClosed: TimeAmount = .seconds(30)
        /// After the last octet of a connection that the proxy closes, for what the other side still sends; 2 s unless set.
        package var linger: TimeAmount = .seconds(2)
        /// A proxy that stops does not wait for tunnels in which nothing has moved for this long; 500 ms unless set.
        package var tunnelAtEnd: TimeAmount = .milliseconds(500)

        package init() {}
    }

    package var mode: Mode
    /// The address to listen on. Forward mode takes loopback addresses only.
    package var host: String
    /// 0 takes a free port.
    package var port: Int
    /// Whether a reverse proxy may listen beyond loopback.
    package var allowsOtherHosts: Bool
    /// The names that a reverse proxy answers to besides those of loopback, with any port: none unless set. The names of
    /// loopback are `localhost`, `127.0.0.1`, `[::1]` and ``host``, each with the port that the proxy listens on. A request
    /// with another `Host` is answered 421, for it may come from a page whose own name was made to lead here (DNS
    /// rebinding), and that the origin would have refused.
    package var reverseHosts: [HostNamePattern] = []
    package var limits = Limits()
    /// What clients must present in forward mode; `nil` admits every local process.
    package var credentials: ProxyCredentials?
    /// Whether responses carry `Cache-Status`, which page scripts can read.
    package var sendsCacheStatus: Bool
    /// Whether what would pass the cache unread is refused with 403: tunnels to hosts that are not intercepted, and
    /// WebSocket. Off unless set.
    package var refusesUncached = false
    /// The context that every exchange starts from; the proxy fills in client and destination.
    package var context: @Sendable () -> ExchangeContext
    /// The account that requests belong to: the store's partition (`CacheKey.partition`) for every exchange whose
    /// ``context`` names none. Called once for each request, as it arrives. The empty text, for no account, unless set.
    ///
    /// Switch accounts when no page of the old one is open: what such a page requests afterwards comes with its
    /// cookies, but counts as the new account's. A request that has begun belongs to the old account to its end, and so
    /// do the validations in the background that it starts. Use a text that identifies an account permanently, such as
    /// a user's number, and no secret: the store's index contains it. Reports and logs do not.
    package var account: @Sendable () -> String = { "" }
    /// Called before a leaf certificate is first presented for a host, with the leaf in PEM; the handshake waits. Tells
    /// a web view that trusts exact leaves about them.
    package var willPresent: (@Sendable (_ host: String, _ certificatePEM: String) async -> Void)?

    /// Called when a host is intercepted for the first time. A request to it will follow, so a connection to its origin
    /// can be begun during the client's own handshake. Must return at once.
    package var willAsk: (@Sendable (OriginDialer.Endpoint) -> Void)?

    /// Called for each request that the proxy answers with an error of its own and gives to no cache. From any thread; must
    /// return at once.
    package var onRefusal: (@Sendable (RefusedRequest) -> Void)?

    /// Called for each request that the proxy has served past the cache, once it is over. From any thread; must return at
    /// once.
    package var onUncached: (@Sendable (UncachedRequest) -> Void)?

    package init(
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
