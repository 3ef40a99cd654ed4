import WebVisit

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

    /// The words of the web view's process.
    init(_ failure: VisitFailure) {
        let isUse = [.noDisplay, .badRequest, .unsupported].contains(failure.code)
        self.init(code: isUse ? .badUse : .fault, message: failure.message, cause: failure)
    }

    package var description: String { message }

    package enum Code: Sendable {
        /// The call can't work as given: exit status 2.
        case badUse
        /// The page, a check of it, or a request failed: exit status 1.
        case pageFailed
        /// A fault of ours: exit status 70.
        case fault

        /// The exit status for it.
        package var exitStatus: Int32 {
            switch self {
            case .badUse: 2
            case .pageFailed: 1
            case .fault: 70
            }
        }
    }
}
