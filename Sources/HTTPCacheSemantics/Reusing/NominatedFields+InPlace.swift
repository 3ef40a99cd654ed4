import HTTPTypes

/// Matching without copies, for what browsers send: a few nominated names, values in ASCII, no quoted strings.
extension NominatedFields {
    /// Each name is looked for in all fields, so that many of them would take quadratic time.
    private static let fewNames = 8

    /// - Returns: `nil` where this can't tell.
    func matchInPlace(_ presented: HTTPFields) -> Bool? {
        guard values.count <= Self.fewNames else { return nil }
        for (name, original) in values {
            guard let matches = Self.matches(presented, name: name, original: original) else { return nil }
            if !matches { return false }
        }
        return true
    }

    private static func matches(_ presented: HTTPFields, name: String, original: String?) -> Bool? {
        guard let original else { return !presented.indices.contains { presented[$0].name.canonicalName == name } }
        var comparison = Comparison(name: name)
        let outcome = original.utf8.withContiguousStorageIfAvailable { original -> Bool? in
            for index in presented.indices where presented[index].name.canonicalName == name {
                let line = presented[index].value.utf8.withContiguousStorageIfAvailable {
                    comparison.add($0, comparedTo: original)
                }
                guard let line, let matches = line else { return nil }
                if !matches { return false }
            }
            return comparison.hasLines && comparison.position == original.count
        }
        return outcome ?? nil
    }

    /// Compares a combined value with one that was combined before, piece by piece.
    private struct Comparison {
        /// Whether commas separate members, with white space around them that does not count.
        let isList: Bool
        let ignoresCase: Bool
        let separator: StaticString
        /// How much of the other value has been seen.
        var position = 0
        var hasLines = false
        private var isFirst = true

        init(name: String) {
            isList = NominatedFields.isList(name)
            ignoresCase = NominatedFields.ignoresCase(name)
            separator = name == "cookie" ? "; " : ", "
        }

        /// - Returns: Whether the line continues the value; `nil` for octets beyond ASCII, and for quotes in a list.
        mutating func add(
            _ line: UnsafeBufferPointer<UInt8>, comparedTo original: UnsafeBufferPointer<UInt8>
        ) -> Bool? {
            hasLines = true
            guard line.allSatisfy({ $0 < 0x80 && !(isList && $0 == 0x22) }) else { return nil }
            guard isList else { return addPiece(line, 0..<line.count, original) }
            var start = 0
            while start < line.count {
                let end = line[start...].firstIndex(of: 0x2C) ?? line.count
                if !line.trimmed(start..<end).isEmpty, !addPiece(line, start..<end, original) { return false }
                start = end + 1
            }
            return true
        }

        private mutating func addPiece(
            _ line: UnsafeBufferPointer<UInt8>, _ piece: Range<Int>, _ original: UnsafeBufferPointer<UInt8>
        ) -> Bool {
            if !isFirst {
                // Separators have two octets.
                let end = position + 2
                guard end <= original.count, original.matches(separator, in: position..<end) else { return false }
                position = end
            }
            isFirst = false
            let content = line.trimmed(piece)
            guard content.count <= original.count - position else { return false }
            for offset in 0..<content.count {
                let byte = line[content.lowerBound + offset]
                let compared = ignoresCase ? UnsafeBufferPointer.lowercased(byte) : byte
                guard compared == original[position + offset] else { return false }
            }
            position += content.count
            return true
        }
    }
}
