/// Why the sample site could not be built or served.
package struct DemoSiteError: Error, Sendable {
    /// The kind of failure, to branch on.
    package var code: Code
    /// The failure and its remedy.
    package var message: String
    /// The error below, if there is one.
    package var cause: (any Error)?

    /// Makes an error.
    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The kinds of failure. More may come.
    package struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable {
            case unknownReference, cyclicReference, unknownVersion, unusableCertificate, cannotListen, alreadyStarted
        }
        private var wrapped: Wrapped

        /// A source refers to a chunk that does not exist.
        package static var unknownReference: Self { .init(wrapped: .unknownReference) }
        /// Chunks refer to each other in a circle, so no order of hashing exists.
        package static var cyclicReference: Self { .init(wrapped: .cyclicReference) }
        /// The site has no such version.
        package static var unknownVersion: Self { .init(wrapped: .unknownVersion) }
        /// The certificate chain or the private key cannot be read.
        package static var unusableCertificate: Self { .init(wrapped: .unusableCertificate) }
        /// The port is taken, or the address is not this machine's.
        package static var cannotListen: Self { .init(wrapped: .cannotListen) }
        /// The origin is already listening.
        package static var alreadyStarted: Self { .init(wrapped: .alreadyStarted) }
    }
}

extension DemoSiteError: CustomStringConvertible {
    /// The message, followed by the cause.
    package var description: String {
        cause.map { "\(message) (\($0))" } ?? message
    }
}
