#if Proxy
import CacheEngine
import Foundation
import HTTPTypes
import NIOCore
import OriginDialing

/// How a proxy listens, and for which clients.
package struct ProxyConfiguration: Sendable {
    /// The kind of proxy.
    package enum Mode: Sendable {
        /// A proxy for web views and browsers: takes absolute-form requests, and `CONNECT`.
        case forward(intercept: InterceptPolicy)
        /// A proxy in front of one origin, for development and tests.
        case reverse(origin: OriginDialer.Endpoint)
    }

    /// How long a connection may wait. The event loops' clocks count.
    package struct Limits: Sendable {
        /// From the first octet of a request's head to its last, 30 s unless set; after it 408, and the connection is
        /// closed. As long for the TLS handshake of an intercepted connection, from its first octet.
        package var head: TimeAmount = .seconds(30)
        /// From a request to switch protocols to the head of the origin's answer, 120 s unless set; after it 504. Where
        /// the origin does not switch, as long for each piece of its answer's content.
        package var answer: TimeAmount = .seconds(120)
        /// Without a request, before the first and between two, and for the first byte of an intercepted connection;
        /// 120 s unless set. The connection is closed after one to two times that.
        package var idle: TimeAmount = .seconds(120)
        /// After one side of a tunnel has ended its direction (RFC 9293 §3.6). 30 s unless set. The connection is
        /// closed when nothing has moved in either direction for one to two times that.
        package var halfClosed: TimeAmount = .seconds(30)
        /// After a client has ended its side behind a request (RFC 9112 §9.6): as a rule it has left, and a request
        /// that nobody waits for takes a place at its origin. 2 s unless set; where nothing has moved for one to two
        /// times that, the connection is closed, and the request is given up.
        package var left: TimeAmount = .seconds(2)
        /// After the last octet of a connection that the proxy closes, for what the other side still sends; 2 s unless
        /// set.
        package var linger: TimeAmount = .seconds(2)
        /// A proxy that stops does not wait for tunnels in which nothing has moved for this long; 500 ms unless set.
        package var tunnelAtEnd: TimeAmount = .milliseconds(500)
        /// How long a client that was asked for the password keeps the next one from being asked; 1 s unless set.
        package var password: TimeAmount = .seconds(1)

        package init() {}
    }

    package var mode: Mode
    /// The address to listen on, of loopback.
    package var host: String
    /// 0 takes a free port.
    package var port: Int
    /// The names that a reverse proxy answers to besides those of loopback, with any port: none unless set. The names
    /// of loopback are `localhost`, `127.0.0.1`, `[::1]` and ``host``, each with the port that the proxy listens on. A
    /// request with another `Host` is answered 421, for it may come from a page whose own name was made to lead here
    /// (DNS rebinding), and that the origin would have refused.
    package var reverseHosts: [HostNamePattern] = []
    package var limits = Limits()
    /// The credentials that clients must present in forward mode; `nil` admits every local process.
    package var credentials: ProxyCredentials?
    /// Fields that requests to one origin have, in place of the client's, unless they are tunnelled; none unless set.
    package var addedFields: (origin: OriginDialer.Endpoint, fields: HTTPFields)?
    /// Whether responses carry `Cache-Status`, which page scripts can read.
    package var sendsCacheStatus: Bool
    /// Whether the proxy is a part of its one client, such as of an app with web views. Then requests have no `Via`,
    /// which RFC 9110 §7.6.3 asks of a proxy: servers such as nginx and IIS send nothing compressed where they see it.
    /// Off unless set.
    package var isPartOfClient = false
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

    /// Called when a host is intercepted for the first time, and for each further connection of a new page. A request
    /// will follow, so a connection to the origin can be begun during the client's own handshake. Must return at once.
    package var willAsk: (@Sendable (OriginDialer.Endpoint, _ isOneMore: Bool) -> Void)?

    /// Called for each request that the proxy answers with an error of its own and gives to no cache. From any thread;
    /// must return at once.
    package var onRefusal: (@Sendable (RefusedRequest) -> Void)?

    /// Called for each request that the proxy has served past the cache, once it is over. From any thread; must return
    /// at once.
    package var onUncached: (@Sendable (UncachedRequest) -> Void)?

    package init(
        mode: Mode, host: String = "127.0.0.1", port: Int = 0, credentials: ProxyCredentials? = nil,
        sendsCacheStatus: Bool = true, context: @escaping @Sendable () -> ExchangeContext = { ExchangeContext() },
        willPresent: (@Sendable (String, String) async -> Void)? = nil
    ) {
        self.mode = mode
        self.host = host
        self.port = port
        self.credentials = credentials
        self.sendsCacheStatus = sendsCacheStatus
        self.context = context
        self.willPresent = willPresent
    }
}

/// A host name, or `*.` and the names below it.
public struct HostNamePattern: Hashable, Sendable {
    /// In lower case.
    package var text: String

    /// - Parameter text: `shop.test` matches that name only; `*.shop.test` every name below it, not itself; `*` all.
    public init(_ text: String) {
        self.text = text.lowercased()
    }

    package func matches(_ host: String) -> Bool {
        // One dot at the end names the same host, as in certificates.
        let host = (host.hasSuffix(".") ? host.dropLast() : host[...]).lowercased()
        if text == "*" { return true }
        guard text.hasPrefix("*.") else { return text == host }
        return host.hasSuffix(text.dropFirst()) && host.count > text.count - 1 && Self.isHost(host)
    }

    /// Whether a text is a name or an address that a connection can be made to. `*.shop.test` is not one: a certificate
    /// for it would hold for every name below.
    ///
    /// Letters, digits, hyphens and underscores in labels of up to 63 octets (RFC 1123 §2.1; underscores are in use),
    /// 253 in all, and a dot at the end where there is one; or an IPv6 address without its brackets.
    static func isHost(_ text: String) -> Bool {
        if text.contains(":") { return IPAddressBytes.parse(text) != nil }
        let name = text.hasSuffix(".") ? text.dropLast() : text[...]
        guard name.utf8.count <= 253 else { return false }
        return name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count)
                && label.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                    default: false
                    }
                }
        }
    }
}

/// The user name and password that a forward proxy demands, RFC 7617 in `Proxy-Authorization`.
///
/// Any process of the machine can reach a loopback port; only those that know these credentials may use the proxy.
public struct ProxyCredentials: Hashable, Sendable {
    /// The user name.
    public var user: String
    /// The password.
    public var password: String

    /// Credentials of the app's choice.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// A new random password of 128 bits from the system's generator.
    public static func random() -> ProxyCredentials {
        let digits = (0..<32).map { _ in String(Int.random(in: 0..<16), radix: 16) }
        return ProxyCredentials(user: "larder", password: digits.joined())
    }

    /// Whether a field value carries these credentials. Takes the same time wherever a difference is.
    func match(_ field: String?) -> Bool {
        guard let field, field.lowercased().hasPrefix("basic "),
            let data = Data(base64Encoded: field.dropFirst(6).trimmingCharacters(in: .whitespaces))
        else { return false }
        let expected = Array("\(user):\(password)".utf8)
        guard data.count == expected.count else { return false }
        return zip(data, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
#endif
