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

    package enum Code: Hashable, Sendable {
        /// A rule forbids the answer; a network error of Fetch §2.2.6.
        case refused
        /// Nothing could answer the request.
        case unanswered
        /// The document is redirected, and the web view has been told to load its new address: no error for the user.
        case moved
        /// The content broke off after the head.
        case bodyBroken
        /// The page's own time-out has passed.
        case timedOut
        /// The app, or its user, gave the load up instead of a password (``CredentialAnswer/cancel``).
        case authenticationCancelled
        /// The page has more loads open than ``SchemeTaskDriver/Limits`` allows.
        case tooManyTasks
    }
}

extension SchemeTaskError {
    /// A rule of the Fetch standard forbids the answer.
    init(_ error: FetchError) { self.init(code: .refused, message: error.description, cause: error) }

    /// The cache could not answer.
    init(_ error: EngineError) { self.init(code: .unanswered, message: error.description, cause: error) }
}
