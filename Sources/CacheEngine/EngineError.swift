/// Why neither a stored response nor the origin's could answer an exchange.
public struct EngineError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to branch on.
    public var code: Code
    /// The failure and its remedy, in one sentence.
    package var message: String
    /// The error underneath, if there was one.
    public var cause: (any Error)?

    package init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The failure and its remedy.
    public var description: String { message }

    /// The kinds of failure.
    public struct Code: Hashable, Sendable {
        private enum Wrapped: String, Hashable {
            case disconnected, notStored = "only-if-cached", originUnreachable = "origin-unreachable"
            case originUntrusted = "origin-certificate", originBroken = "origin-error"
            case invalidRequest = "invalid-request", bodyTooLarge = "body-too-large", cancelled
            case notStorable = "not-storable", storeFailed = "store", redirectRefused = "redirect"
            case contentUnreadable = "content-coding", timedOut = "timed-out"
        }
        private var wrapped: Wrapped
        /// The network is gone, and nothing usable is stored.
        public static var disconnected: Self { .init(wrapped: .disconnected) }
        /// The request asked for a stored response only (RFC 9111 §5.2.1.7), and there is none.
        public static var notStored: Self { .init(wrapped: .notStored) }
        /// The origin's name does not resolve, or the origin can't be connected to, does not answer in time, or closes
        /// the connection before its response is complete.
        package static var originUnreachable: Self { .init(wrapped: .originUnreachable) }
        /// Nothing came within the time-out of the app's own request.
        public static var timedOut: Self { .init(wrapped: .timedOut) }
        /// The origin's certificate is not trusted.
        package static var originUntrusted: Self { .init(wrapped: .originUntrusted) }
        /// The origin answered, but not with an HTTP response.
        package static var originBroken: Self { .init(wrapped: .originBroken) }
        /// The request names no http or https target.
        public static var invalidRequest: Self { .init(wrapped: .invalidRequest) }
        /// A body is longer than the caller's limit.
        package static var bodyTooLarge: Self { .init(wrapped: .bodyTooLarge) }
        /// A response that the app supplies may not be stored (RFC 9111 §3).
        package static var notStorable: Self { .init(wrapped: .notStorable) }
        /// A stored response could not be read.
        package static var storeFailed: Self { .init(wrapped: .storeFailed) }
        /// A redirect leads to an address that is not http or https, or there were too many in a row.
        package static var redirectRefused: Self { .init(wrapped: .redirectRefused) }
        /// The content coding is not supported, or the content does not match it.
        package static var contentUnreadable: Self { .init(wrapped: .contentUnreadable) }
        /// The client went away.
        public static var cancelled: Self { .init(wrapped: .cancelled) }

        /// A short name in kebab case, the `detail` in `Cache-Status`.
        public var name: String { wrapped.rawValue }
    }
}

extension EngineError {
    /// The exchange's error for one that ended the reading of a body.
    package init(whileReading error: any Error) {
        switch error {
        case let error as EngineError: self = error
        case let error as TransportError: self.init(error)
        case is CancellationError:
            self.init(code: .cancelled, message: "The request was cancelled.", cause: error)
        default:
            self.init(
                code: .storeFailed, message: "The stored response could not be read; the next request asks the origin.",
                cause: error)
        }
    }

    /// The exchange's error for a transport's failure.
    package init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .certificateUntrusted: .originUntrusted
            case .nameNotResolved, .connectionFailed, .timedOut, .closedEarly: .originUnreachable
            case .malformedRequest: .invalidRequest
            case .forbiddenRedirect: .redirectRefused
            default: .originBroken
            }
        self.init(code: code, message: error.message, cause: error)
    }
}
