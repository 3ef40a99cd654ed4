/// Why content can't be decoded.
public struct ContentDecodingError: Error, Sendable, CustomStringConvertible {
    public var code: Code
    /// What happened and what helps, in one sentence.
    public var message: String

    init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    public struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable {
            case damaged, cutOff, tooLarge, expandsTooMuch, noMemory
        }
        private var wrapped: Wrapped
        /// The content is not what its coding says, or fails its checksum.
        public static var damaged: Self { .init(wrapped: .damaged) }
        /// The end is missing.
        public static var cutOff: Self { .init(wrapped: .cutOff) }
        /// It exceeds ``DecodingLimits/total``.
        public static var tooLarge: Self { .init(wrapped: .tooLarge) }
        /// It exceeds ``DecodingLimits/ratio``.
        public static var expandsTooMuch: Self { .init(wrapped: .expandsTooMuch) }
        public static var noMemory: Self { .init(wrapped: .noMemory) }
    }
}
