/// Why a service of the system can't be used.
public struct LarderError: Error, Sendable, CustomStringConvertible {
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
        private enum Wrapped: Hashable { case appGroupUnavailable, backgroundTaskRefused, backgroundTaskNotScheduled }
        private var wrapped: Wrapped
        /// The app may not use the app group.
        public static var appGroupUnavailable: Self { .init(wrapped: .appGroupUnavailable) }
        /// The system does not accept the name of the background task.
        public static var backgroundTaskRefused: Self { .init(wrapped: .backgroundTaskRefused) }
        /// The system accepts the name and no request for the background task now.
        package static var backgroundTaskNotScheduled: Self { .init(wrapped: .backgroundTaskNotScheduled) }
    }
}
