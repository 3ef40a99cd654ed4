import ResponseStore

/// Why neither a stored response nor the origin's could answer an exchange.
public struct EngineError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to branch on.
    public var code: Code
    /// The failure and its remedy, in one sentence.
    package var message: String
    /// The error underneath, if there was one.
    public var cause: (any Error)?
    /// Why nothing is stored, where that is what fails and the store remembers it.
    package internal(set) var past: PastEvent?

    package init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message of ``Code/disconnected`` where the store has nothing for the address.
    package static let nothingStored = "There is no network, and no response for this address is stored."

    /// The failure and its remedy.
    public var description: String { message + (past.map { " " + $0.words } ?? "") }

    /// The kinds of failure.
    public struct Code: Hashable, Sendable {
        /// A short name in kebab case, the `detail` in `Cache-Status`.
        public let name: String

        /// The network is gone, and nothing usable is stored.
        public static var disconnected: Self { .init(name: "disconnected") }
        /// The request asked for a stored response only (RFC 9111 §5.2.1.7), and there is none.
        public static var notStored: Self { .init(name: "only-if-cached") }
        /// The origin's name does not resolve, or the origin can't be connected to, does not answer in time, or closes
        /// the connection before its response is complete.
        package static var originUnreachable: Self { .init(name: "origin-unreachable") }
        /// Nothing came within the time-out of the app's own request.
        public static var timedOut: Self { .init(name: "timed-out") }
        /// The origin's certificate is not trusted.
        package static var originUntrusted: Self { .init(name: "origin-certificate") }
        /// The origin answered, but not with an HTTP response.
        package static var originBroken: Self { .init(name: "origin-error") }
        /// The request names no http or https target.
        public static var invalidRequest: Self { .init(name: "invalid-request") }
        /// A body is longer than the caller's limit.
        package static var bodyTooLarge: Self { .init(name: "body-too-large") }
        /// A response that the app supplies may not be stored (RFC 9111 §3).
        package static var notStorable: Self { .init(name: "not-storable") }
        /// A stored response could not be read.
        package static var storeFailed: Self { .init(name: "store") }
        /// A redirect leads to an address that is not http or https, or there were too many in a row.
        package static var redirectRefused: Self { .init(name: "redirect") }
        /// The content coding is not supported, or the content does not match it.
        package static var contentUnreadable: Self { .init(name: "content-coding") }
        /// The client went away.
        public static var cancelled: Self { .init(name: "cancelled") }
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
