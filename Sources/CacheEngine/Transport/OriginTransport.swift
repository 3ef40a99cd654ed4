import HTTPTypes

/// The network: one request to the next hop, one response.
///
/// A transport follows no redirect, keeps no cookie, caches nothing, and verifies certificates. It decodes no content
/// but in the codings that it names.
public protocol OriginTransport: Sendable {
    /// The content codings, in lower case, that the transport takes off before it hands content over, while the head
    /// keeps its fields as they were received; none unless stated.
    ///
    /// The cache then asks for no others, asks for no coding at all where a range is wanted, and stores such content as
    /// what it is: without `Content-Encoding` and `Content-Length`, and under a weak entity tag.
    var decodedCodings: Set<String> { get }

    /// Sends a request and returns once the final response head has arrived.
    ///
    /// - Throws: ``TransportError``, or `CancellationError` when the task was cancelled.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

extension OriginTransport {
    public var decodedCodings: Set<String> { [] }
}

/// A request as it goes to the next hop.
public struct TransportRequest: Sendable {
    /// How many interim responses one request may get. RFC 9110 §15.2 sets no limit, so that one is ours: an origin
    /// could go on for ever. An upload may have one for each piece of it.
    package static let interimLimit = 1_000

    /// Scheme, authority and path say where it goes; hop-by-hop fields are removed.
    public var head: HTTPRequest
    public var body: RequestBody?
    /// Called for every interim (1xx) response but 101, in order, before the final one (RFC 9110 §15.2).
    public var onInterim: (@Sendable (HTTPResponse) -> Void)?
    /// The longest wait for the final response head, connecting and sending included; after it the request fails with
    /// ``TransportError/Code/timedOut``. `nil` for the transport's own limits. Does not limit the body.
    public var timeout: Duration?
    /// Where set, the request goes on after its time-out, and this gets the task that has its answer; see
    /// ``PatientTransport``.
    var onLate: (@Sendable (Task<TransportResponse, any Error>) -> Void)?
    /// Called once with how the response came, before its content has ended; by transports that know.
    public var onMetrics: (@Sendable (TransportMetrics) -> Void)?
    /// Whether it is sent ahead of need, so that a page's request goes first where both wait for a connection; off
    /// unless set.
    public var yields = false

    public init(
        head: HTTPRequest, body: RequestBody? = nil, onInterim: (@Sendable (HTTPResponse) -> Void)? = nil,
        timeout: Duration? = nil
    ) {
        self.head = head
        // RFC 6265 §5.4: "the user agent MUST NOT attach more than one Cookie header field". `HTTPFields` splits the
        // value at its semicolons, as HTTP/2 does (RFC 9113 §8.2.3).
        let cookies = head.headerFields[values: .cookie]
        if cookies.count > 1 { self.head.headerFields[values: .cookie] = [cookies.joined(separator: "; ")] }
        self.body = body
        self.onInterim = onInterim
        self.timeout = timeout
    }
}

/// A response as it came from the next hop.
public struct TransportResponse: Sendable {
    /// The final head, fields as received, octet by octet. `Content-Length` is one valid number, or absent.
    public var head: HTTPResponse
    /// The content without transfer coding. Ends with ``TransportError/Code/closedEarly`` when it was cut off, and with
    /// ``TransportError/Code/endUnverified`` when it may have been. Its ``BodySource/trailers`` are those that the
    /// transport is told of.
    public var body: any BodySource
    /// The content's length where the framing states it.
    public var bodyLength: Int64?

    public init(head: HTTPResponse, body: any BodySource, bodyLength: Int64?) {
        self.head = head
        self.body = body
        self.bodyLength = bodyLength
    }
}

/// Why the next hop gave no answer, or only a part of one.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// The failure and its remedy, in one sentence; names the host, never a field value.
    public var message: String
    public var cause: (any Error)?

    public init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { message }

    public struct Code: Hashable, Sendable {
        private let name: String

        /// The host name has no address.
        public static var nameNotResolved: Self { .init(name: "nameNotResolved") }
        /// Nothing accepts connections there.
        public static var connectionFailed: Self { .init(name: "connectionFailed") }
        /// No connection, or no response head, within the limit.
        public static var timedOut: Self { .init(name: "timedOut") }
        /// The certificate is expired, for another name, or signed by no authority that is trusted. No stored response
        /// ever hides this.
        public static var certificateUntrusted: Self { .init(name: "certificateUntrusted") }
        /// The TLS handshake failed for another reason.
        public static var tlsFailed: Self { .init(name: "tlsFailed") }
        /// The connection ended before the response did.
        public static var closedEarly: Self { .init(name: "closedEarly") }
        /// The end of a TLS connection was the end of a response that states no length, and no closure alert confirmed
        /// it (RFC 9112 §9.8). Web views take such content for whole, and so do clients here; it is not stored as
        /// whole.
        public static var endUnverified: Self { .init(name: "endUnverified") }
        /// The answer is no HTTP/1.1 response, or one in a transfer coding that was not asked for.
        public static var malformedResponse: Self { .init(name: "malformedResponse") }
        /// The request can't be sent: its address has octets that no URI may have, or its content does not have the
        /// announced length.
        public static var malformedRequest: Self { .init(name: "malformedRequest") }
        /// The response redirects to a `file:` URL.
        public static var forbiddenRedirect: Self { .init(name: "forbiddenRedirect") }

        /// Whether no answer came, so that the cache is disconnected from the origin in the sense of RFC 9111 §4.2.4,
        /// and the network counts as gone for this exchange. This includes connections that break off before the
        /// response head is whole; not a bad certificate: a server answered.
        package var isDisconnection: Bool {
            [.nameNotResolved, .connectionFailed, .timedOut, .closedEarly, .tlsFailed].contains(self)
        }
    }
}

/// A transport's measurements of one response, for reports.
public struct TransportMetrics: Hashable, Sendable {
    /// The protocol as ALPN names it, such as `h2`; `nil` if unknown.
    public var networkProtocol: String?
    /// Whether the connection had carried another request before; `nil` if unknown.
    public var isReusedConnection: Bool?
    /// Looking up the name; `nil` where that was not needed, as for the next two.
    public var nameLookup: Duration?
    /// Connecting, TLS included.
    public var connecting: Duration?
    /// The TLS handshake alone.
    public var securing: Duration?
    /// From the request's last byte to the response's first one; `nil` if unknown.
    public var waiting: Duration?
    /// Bytes of content as the connection carried them, with their content codings; `nil` if unknown.
    public var transferredBytes: Int64?

    public init() {}
}
