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

    package enum Code: Hashable, Sendable {
        /// The content is not what its coding says, or fails its checksum.
        case damaged
        /// The end is missing.
        case cutOff
        /// It exceeds ``DecodingLimits/total``.
        case tooLarge
        /// It exceeds ``DecodingLimits/ratio``.
        case expandsTooMuch
        case noMemory
    }
}
