#if Proxy
/// Why a proxy or its certificate authority could not be set up.
public struct ProxyError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to branch on.
    public var code: Code
    /// What happened and what helps, in one sentence.
    package var message: String
    /// The error underneath, if there was one.
    public var cause: (any Error)?

    package init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// What happened, and what helps.
    public var description: String { message }

    /// The kinds of failure.
    public struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable { case portTaken, notLoopback, cannotListen, authorityUnusable }
        private var wrapped: Wrapped
        /// Another program listens on the port.
        public static var portTaken: Self { .init(wrapped: .portTaken) }
        /// A forward proxy listens on loopback addresses only.
        package static var notLoopback: Self { .init(wrapped: .notLoopback) }
        /// The address can't be listened on.
        package static var cannotListen: Self { .init(wrapped: .cannotListen) }
        /// The certificate authority's files can't be made, read or used.
        package static var authorityUnusable: Self { .init(wrapped: .authorityUnusable) }
    }
}
#endif
