/// Why the sample site could not be built or served.
public struct DemoSiteError: Error, Sendable {
    /// What went wrong, to branch on.
    public var code: Code
    /// What happened and what helps.
    public var message: String
    /// The error below, if there is one.
    public var cause: (any Error)?

    /// Makes an error.
    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The kinds of failure. More may come.
    public struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable {
            case unknownReference, cyclicReference, unknownVersion, unusableCertificate, cannotListen, alreadyStarted
        }
        private var wrapped: Wrapped

        /// A source refers to a chunk that does not exist.
        public static var unknownReference: Self { .init(wrapped: .unknownReference) }
        /// Chunks refer to each other in a circle, so no order of hashing exists.
        public static var cyclicReference: Self { .init(wrapped: .cyclicReference) }
        /// The site has no such version.
        public static var unknownVersion: Self { .init(wrapped: .unknownVersion) }
        /// The certificate chain or the private key cannot be read.
        public static var unusableCertificate: Self { .init(wrapped: .unusableCertificate) }
        /// The port is taken, or the address is not this machine's.
        public static var cannotListen: Self { .init(wrapped: .cannotListen) }
        /// The origin is already listening.
        public static var alreadyStarted: Self { .init(wrapped: .alreadyStarted) }
    }
}

extension DemoSiteError: CustomStringConvertible {
    /// The message, followed by the cause.
    public var description: String {
        cause.map { "\(message) (\($0))" } ?? message
    }
}
