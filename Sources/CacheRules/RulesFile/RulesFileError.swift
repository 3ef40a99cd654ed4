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
    package enum Code: Hashable, Sendable {
        /// The file is not UTF-8.
        case notUnicode
        /// The file, the number of its rules or the states of its patterns exceed a limit.
        case tooLarge
        /// Arrays and objects are nested too deep.
        case tooDeep
        /// The file is not JSON (RFC 8259), perhaps truncated.
        case syntax
        /// An object has a repeated key.
        case duplicateKey
        /// An unknown key.
        case unknownKey
        /// An unknown verdict, destination or other name.
        case unknownName
        /// A value of the wrong type, such as a number in place of a string.
        case wrongType
        /// A required key is missing.
        case missingKey
        /// A key or condition without effect at its place.
        case misplacedKey
        /// An invalid host, path or media type.
        case badPattern
        /// An invalid duration.
        case badDuration
        /// An invalid name of a rule, a tag or a field.
        case badName
        /// Two rules with the same name.
        case duplicateName
        /// A rule of the app's own type, which a file can't express.
        case notWritable
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
