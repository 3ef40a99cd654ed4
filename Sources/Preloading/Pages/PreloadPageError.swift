/// Why a preload page can't be used.
public struct PreloadPageError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// What is wrong and what helps, in one sentence.
    package var message: String
    /// Counted from 1; 0 for the page as a whole.
    package var line: Int
    public var cause: (any Error)?

    init(_ code: Code, line: Int = 0, _ message: String, cause: (any Error)? = nil) {
        (self.code, self.line, self.message, self.cause) = (code, line, message, cause)
    }

    public var description: String { line == 0 ? message : "line \(line): \(message)" }

    public struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable {
            case tooLarge, unknownContent, badLink, unavailable
        }
        private var wrapped: Wrapped

        /// It exceeds ``PreloadPage/longest`` or ``PreloadPage/mostLinks``.
        package static var tooLarge: Self { .init(wrapped: .tooLarge) }
        /// It holds something else than preload links, or markup that readers take differently.
        package static var unknownContent: Self { .init(wrapped: .unknownContent) }
        /// A link says what can't be fetched ahead.
        package static var badLink: Self { .init(wrapped: .badLink) }
        /// It can't be had from the server now.
        package static var unavailable: Self { .init(wrapped: .unavailable) }
    }
}
