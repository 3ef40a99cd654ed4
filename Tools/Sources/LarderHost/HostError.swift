/// Why the tool could not do what it was asked, with the exit status that says so.
package struct HostError: Error, Sendable, CustomStringConvertible {
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
        private enum Wrapped: Hashable { case badUse, pageFailed, fault }
        private var wrapped: Wrapped
        /// The call can't work as given: exit status 2.
        package static var badUse: Self { .init(wrapped: .badUse) }
        /// The page, a check of it, or a request failed: exit status 1.
        package static var pageFailed: Self { .init(wrapped: .pageFailed) }
        /// A fault of ours: exit status 70.
        package static var fault: Self { .init(wrapped: .fault) }

        /// The exit status for it.
        package var exitStatus: Int32 {
            switch wrapped {
            case .badUse: 2
            case .pageFailed: 1
            case .fault: 70
            }
        }
    }
}
