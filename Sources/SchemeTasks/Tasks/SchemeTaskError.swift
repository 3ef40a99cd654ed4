import CacheEngine
import Fetching

/// Why a ``SchemeTask`` gets no answer, or only a part of one.
package struct SchemeTaskError: Error, Sendable, CustomStringConvertible {
    package var code: Code
    /// The failure and its remedy, in one sentence.
    package var message: String
    package var cause: (any Error)?

    package init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    package var description: String { message }

    package struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable {
            case refused, unanswered, moved, bodyBroken, tooManyTasks, timedOut, authenticationCancelled
        }
        private var wrapped: Wrapped
        /// A rule forbids the answer; a network error of Fetch §2.2.6.
        package static var refused: Self { .init(wrapped: .refused) }
        /// Nothing could answer the request.
        package static var unanswered: Self { .init(wrapped: .unanswered) }
        /// The document is redirected, and the web view has been told to load its new address: no error for the user.
        package static var moved: Self { .init(wrapped: .moved) }
        /// The content broke off after the head.
        package static var bodyBroken: Self { .init(wrapped: .bodyBroken) }
        /// The page's own time-out has passed.
        package static var timedOut: Self { .init(wrapped: .timedOut) }
        /// The app, or its user, gave the load up instead of a password (``CredentialAnswer/cancel``).
        package static var authenticationCancelled: Self { .init(wrapped: .authenticationCancelled) }
        /// The page has more loads open than ``SchemeTaskDriver/Limits`` allows.
        package static var tooManyTasks: Self { .init(wrapped: .tooManyTasks) }
    }
}

extension SchemeTaskError {
    /// A rule of the Fetch standard forbids the answer.
    init(_ error: FetchError) { self.init(code: .refused, message: error.message, cause: error) }

    /// The cache could not answer.
    init(_ error: EngineError) { self.init(code: .unanswered, message: error.message, cause: error) }
}
