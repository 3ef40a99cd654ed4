/// Why the tool could not do what it was asked, with the exit status that says so.
public struct HostError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// What happened and what helps, in one sentence.
    public var message: String
    public var cause: (any Error)?

    public init(code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { message }

    public struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable { case badUse, pageFailed, fault }
        private var wrapped: Wrapped
        /// The call can't work as given: exit status 2.
        public static var badUse: Self { .init(wrapped: .badUse) }
        /// The page, a check of it, or a request failed: exit status 1.
        public static var pageFailed: Self { .init(wrapped: .pageFailed) }
        /// A fault of ours: exit status 70.
        public static var fault: Self { .init(wrapped: .fault) }

        /// The exit status for it.
        public var exitStatus: Int32 {
            switch wrapped {
            case .badUse: 2
            case .pageFailed: 1
            case .fault: 70
            }
        }
    }
}
