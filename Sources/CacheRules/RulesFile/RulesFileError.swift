/// Why a rules file is refused, or a list of rules can't be printed: all mistakes, not only the first.
public struct RulesFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In the order of the file; 1 to 100.
    public var problems: [Problem]

    /// One line each: `3:14: There is no key "hots" in a condition; did you mean "host"?`
    public var description: String { problems.map(\.description).joined(separator: "\n") }

    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        package var code: Code
        /// The fault, and advice.
        public var message: String
        /// From 1; `nil` if no file was read.
        public var line: Int?
        /// From 1, in Unicode scalars; `nil` if no file was read.
        public var column: Int?

        public var description: String {
            guard let line, let column else { return message }
            return "\(line):\(column): \(message)"
        }
    }

    /// The kind of a problem.
    package struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable {
            case notUnicode, tooLarge, tooDeep, syntax, duplicateKey, unknownKey, unknownName, wrongType, missingKey
            case misplacedKey, badPattern, badDuration, badName, duplicateName, notWritable
        }
        private var wrapped: Wrapped
        /// The file is not UTF-8.
        package static var notUnicode: Self { .init(wrapped: .notUnicode) }
        /// The file, the number of its rules or the states of its patterns exceed a limit.
        package static var tooLarge: Self { .init(wrapped: .tooLarge) }
        /// Arrays and objects are nested too deep.
        package static var tooDeep: Self { .init(wrapped: .tooDeep) }
        /// The file is not JSON (RFC 8259), perhaps truncated.
        package static var syntax: Self { .init(wrapped: .syntax) }
        /// An object has a repeated key.
        package static var duplicateKey: Self { .init(wrapped: .duplicateKey) }
        /// An unknown key.
        package static var unknownKey: Self { .init(wrapped: .unknownKey) }
        /// An unknown verdict, destination or other name.
        package static var unknownName: Self { .init(wrapped: .unknownName) }
        /// A value of the wrong type, such as a number in place of a string.
        package static var wrongType: Self { .init(wrapped: .wrongType) }
        /// A required key is missing.
        package static var missingKey: Self { .init(wrapped: .missingKey) }
        /// A key or condition without effect at its place.
        package static var misplacedKey: Self { .init(wrapped: .misplacedKey) }
        /// An invalid host, path or media type.
        package static var badPattern: Self { .init(wrapped: .badPattern) }
        /// An invalid duration.
        package static var badDuration: Self { .init(wrapped: .badDuration) }
        /// An invalid name of a rule, a tag or a field.
        package static var badName: Self { .init(wrapped: .badName) }
        /// Two rules with the same name.
        package static var duplicateName: Self { .init(wrapped: .duplicateName) }
        /// A rule of the app's own type, which a file can't express.
        package static var notWritable: Self { .init(wrapped: .notWritable) }
    }
}

/// A suggestion for an unknown name.
enum NearestName {
    /// Names from other tools, and ours.
    private static let foreignWords = [
        "regex": "path", "regexp": "path", "pattern": "path",
        "domain": "host", "hostname": "host", "extension": "file-extension", "header": "request-header",
        "mime": "content-type", "mime-type": "content-type", "glob": "path", "url": "path",
        "max-age": "for", "ttl": "for", "duration": "for", "comment": "note", "description": "note",
        "strategy": "verdict", "handler": "verdict", "match": "when", "conditions": "when",
        "no-store": "never-store", "no-cache": "revalidate", "must-revalidate": "revalidate",
        "immutable": "permanent", "swr": "stale-while-revalidate", "only-if-cached": "only-if-stored",
        "empty": "fetch",
    ]

    /// The most similar known name, unless more than a third of its letters differ; hyphens, underscores and case do
    /// not count.
    static func of(_ name: String, among known: [String]) -> String? {
        if let word = foreignWords[name.lowercased()], known.contains(word) { return word }
        guard name.utf8.count <= 64 else { return nil }
        let letters = letters(name)
        let ranked = known.map { (name: $0, distance: distance(letters, Self.letters($0))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.utf8.count / 3) ? best.name : nil
    }

    private static func letters(_ name: String) -> [UInt8] {
        name.utf8.filter { $0 != 0x2D && $0 != 0x5F }.map(\.asciiLowercased)
    }

    /// The least number of octets to insert, remove, change, or swap with a neighbour.
    static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (row, byte) in one.enumerated() {
            var current = [row + 1]
            for (column, target) in other.enumerated() {
                var least = min(last[column] + (byte == target ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, byte == other[column - 1], one[row - 1] == target {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last.last ?? 0
    }
}
