/// Why a rules file was not taken, or a list of rules can't be written: everything that is wrong, not only the first.
public struct RulesFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In the order of the file; never empty, and no more than 100.
    public var problems: [Problem]

    /// One line each: `3:14: There is no key "hots" in a condition; did you mean "host"?`
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        public var code: Code
        /// What is wrong and what helps.
        public var message: String
        /// From 1; `nil` where no file was read.
        public var line: Int?
        /// From 1, in characters as Unicode counts scalars; `nil` where no file was read.
        public var column: Int?

        public var description: String {
            guard let line, let column else { return message }
            return "\(line):\(column): \(message)"
        }
    }

    /// The kind of a problem.
    public struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable {
            case notUnicode, tooLarge, tooDeep, syntax, duplicateKey, unknownKey, unknownName, wrongType, missingKey
            case misplacedKey, badPattern, badDuration, badName, duplicateName, notWritable
        }
        private var wrapped: Wrapped
        /// The file is not UTF-8.
        public static var notUnicode: Self { .init(wrapped: .notUnicode) }
        /// The file, the number of its rules or what its patterns take is beyond a limit.
        public static var tooLarge: Self { .init(wrapped: .tooLarge) }
        /// Arrays and objects lie too deep in each other.
        public static var tooDeep: Self { .init(wrapped: .tooDeep) }
        /// The file is no JSON (RFC 8259), perhaps cut off.
        public static var syntax: Self { .init(wrapped: .syntax) }
        /// An object has a key twice.
        public static var duplicateKey: Self { .init(wrapped: .duplicateKey) }
        /// A key that does not exist here.
        public static var unknownKey: Self { .init(wrapped: .unknownKey) }
        /// A verdict, destination or other name that does not exist.
        public static var unknownName: Self { .init(wrapped: .unknownName) }
        /// A number where a text belongs, and the like.
        public static var wrongType: Self { .init(wrapped: .wrongType) }
        /// A key without which nothing can be made of the object.
        public static var missingKey: Self { .init(wrapped: .missingKey) }
        /// A key or condition that means nothing where it stands.
        public static var misplacedKey: Self { .init(wrapped: .misplacedKey) }
        /// A host, path, media type or regular expression that is none.
        public static var badPattern: Self { .init(wrapped: .badPattern) }
        /// A duration that can't be read or written.
        public static var badDuration: Self { .init(wrapped: .badDuration) }
        /// The name of a rule, a tag or a field that is none.
        public static var badName: Self { .init(wrapped: .badName) }
        /// Two rules of one name.
        public static var duplicateName: Self { .init(wrapped: .duplicateName) }
        /// A rule of a type of the app's, which no file can hold.
        public static var notWritable: Self { .init(wrapped: .notWritable) }
    }
}
