/// Why content can't be decoded.
package struct ContentDecodingError: Error, Sendable, CustomStringConvertible {
    package var code: Code
    /// The failure and its remedy, in one sentence.
    package var message: String

    init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    package struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable {
            case damaged, cutOff, tooLarge, expandsTooMuch, noMemory
        }
        private var wrapped: Wrapped
        /// The content is not what its coding says, or fails its checksum.
        package static var damaged: Self { .init(wrapped: .damaged) }
        /// The end is missing.
        package static var cutOff: Self { .init(wrapped: .cutOff) }
        /// It exceeds ``DecodingLimits/total``.
        package static var tooLarge: Self { .init(wrapped: .tooLarge) }
        /// It exceeds ``DecodingLimits/ratio``.
        package static var expandsTooMuch: Self { .init(wrapped: .expandsTooMuch) }
        package static var noMemory: Self { .init(wrapped: .noMemory) }
    }
}
