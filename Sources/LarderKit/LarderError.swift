/// Why a service of the system can't be used.
public struct LarderError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to branch on.
    public var code: Code
    /// The failure and its remedy, in one sentence.
    package var message: String
    /// The error underneath, if there was one.
    public var cause: (any Error)?

    /// The failure and its remedy.
    public var description: String { message }

    /// The kinds of failure.
    public struct Code: Hashable, Sendable {
        private let name: String
        /// The app may not use the app group.
        public static var appGroupUnavailable: Self { .init(name: "appGroupUnavailable") }
        /// The system does not accept the name of the background task.
        public static var backgroundTaskRefused: Self { .init(name: "backgroundTaskRefused") }
        /// The system accepts the name and no request for the background task now.
        package static var backgroundTaskNotScheduled: Self { .init(name: "backgroundTaskNotScheduled") }
    }
}
