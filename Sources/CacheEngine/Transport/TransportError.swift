/// Why the next hop gave no answer, or only a part of one.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// What happened and what helps, in one sentence; names the host, never a field value.
    public var message: String
    public var cause: (any Error)?

    public init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { message }

    public struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable {
            case nameNotResolved, connectionFailed, timedOut, certificateUntrusted, tlsFailed, closedEarly
            case endUnverified, malformedResponse, malformedRequest, forbiddenRedirect
        }
        private var wrapped: Wrapped
        /// The host name has no address.
        public static var nameNotResolved: Self { .init(wrapped: .nameNotResolved) }
        /// Nothing accepts connections there.
        public static var connectionFailed: Self { .init(wrapped: .connectionFailed) }
        /// No connection, or no response head, within the limit.
        public static var timedOut: Self { .init(wrapped: .timedOut) }
        /// The certificate is expired, for another name, or signed by no authority that is trusted. No stored response
        /// ever hides this.
        public static var certificateUntrusted: Self { .init(wrapped: .certificateUntrusted) }
        /// The TLS handshake failed for another reason.
        public static var tlsFailed: Self { .init(wrapped: .tlsFailed) }
        /// The connection ended before the response did.
        public static var closedEarly: Self { .init(wrapped: .closedEarly) }
        /// The end of a TLS connection was the end of a response that states no length, and no closure alert confirmed it
        /// (RFC 9112 §9.8). Web views take such content for whole, and so do clients here; it is not stored as whole.
        public static var endUnverified: Self { .init(wrapped: .endUnverified) }
        /// What arrived is no HTTP/1.1 response, or one in a transfer coding that was not asked for.
        public static var malformedResponse: Self { .init(wrapped: .malformedResponse) }
        /// The request can't be sent: its address has octets that no URI may have, or its content does not have the
        /// announced length.
        public static var malformedRequest: Self { .init(wrapped: .malformedRequest) }

        /// The response redirects to a `file:` URL.
        public static var forbiddenRedirect: Self { .init(wrapped: .forbiddenRedirect) }

        /// Whether the origin can't be reached at all, so that the network counts as gone for this exchange. A bad
        /// certificate does not count: a server answered.
        package var isDisconnection: Bool {
            [.nameNotResolved, .connectionFailed, .timedOut].contains(self)
        }

        /// Whether no answer came, so that the cache is disconnected from the origin in the sense of RFC 9111 §4.2.4.
        /// This includes a connection that was accepted and ended before the response did.
        package var isUnanswered: Bool { isDisconnection || self == .closedEarly }
    }
}
