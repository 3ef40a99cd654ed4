/// Why a web view could not do what was asked.
public struct WebViewError: Error, Sendable, CustomStringConvertible {
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
        private let name: String
        /// The mode can't be had here, or can't be measured by itself.
        public static var modeUnavailable: Self { .init(name: "modeUnavailable") }
        /// Web views can't load pages in this mode here.
        package static var modeFailed: Self { .init(name: "modeFailed") }
        /// The page of the self-test gave no results, which need not be the mode's fault.
        package static var notMeasured: Self { .init(name: "notMeasured") }
    }
}
