import HTTPCacheSemantics
import HTTPTypes

/// `Range`, RFC 9110 §14.2: a line with the value, then a line with a length.
enum ByteRangeTarget: FuzzTarget {
    static let name = "byte-range"
    static let shapes = [
        HostileShape("9", after: "bytes="), HostileShape("9", after: "bytes=-"), HostileShape("0-1,", after: "bytes="),
        HostileShape("-", after: "bytes="), HostileShape(" ", after: "bytes="), HostileShape(",", after: "bytes="),
        HostileShape("a"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        let length = FuzzInput.Message(lines.dropFirst()).number(0)
        guard let ranges = ByteRange.list([.range: lines[0]]) else { return }
        try claim(!ranges.isEmpty, "one range at least", [lines[0]])
        let printed = "bytes=" + ranges.map(\.description).joined(separator: ", ")
        try claim(ByteRange.list([.range: printed]) == ranges, "what is printed is read again", [printed])
        let two = HTTPFields([HTTPField(name: .range, value: lines[0]), HTTPField(name: .range, value: lines[0])])
        try claim(ByteRange.list(two) == nil, "two lines are no Range", [lines[0]])
        for range in ranges { try check(range, length) }
        for length in [length, 0, 1, 1_000] where length >= 0 { try check(ranges, length) }
    }

    private static func check(_ range: ByteRange, _ length: Int64) throws(BrokenClaim) {
        for length in [length, 0, 1, .max, -1] {
            guard let part = range.resolve(length: length) else { continue }
            try claim(!part.isEmpty, "a part is not empty", [range, length])
            try claim(part.lowerBound >= 0 && part.upperBound <= length, "within the length", [range, length, part])
        }
        switch range {
        case .from(let first, let last):
            try claim(first >= 0 && (last ?? first) >= first, "the last is not before the first", [range])
        case .suffix(let count):
            try claim(count >= 0, "a suffix has a length", [range])
            guard length > 0, count > 0 else { return }
            let part = range.resolve(length: length)
            try claim(part == max(0, length - count)..<length, "the last bytes (§14.1.2)", [range, length])
        }
    }

    /// RFC 9110 §15.3.7.2: the requested bytes are sent, each of them once.
    private static func check(_ ranges: [ByteRange], _ length: Int64) throws(BrokenClaim) {
        let selection = RangeSelection(ranges, length: length)
        let wanted = ranges.prefix(RangeSelection.greatestCount).compactMap { $0.resolve(length: length) }
        let parts: [Range<Int64>]
        switch selection {
        case .whole: return
        case .notSatisfiable:
            try claim(wanted.isEmpty, "416 where nothing overlaps (§15.5.17)", [ranges, length])
            return
        case .single(let part): parts = [part]
        case .several(let several): parts = several
        }
        try claim(parts.count != 1 || selection == .single(parts[0]), "several are two at least", [selection])
        let sorted = parts.sorted { $0.lowerBound < $1.lowerBound }
        let isApart = zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
        try claim(isApart, "parts neither overlap nor touch", [ranges, length, selection])
        try claim(
            wanted.allSatisfy { range in
                parts.contains { $0.contains(range.lowerBound) && range.upperBound <= $0.upperBound }
            },
            "every byte that was asked for", [ranges, length, selection])
        try claim(
            parts.allSatisfy { part in wanted.contains { $0.lowerBound == part.lowerBound } }
                && parts.allSatisfy { part in wanted.contains { $0.upperBound == part.upperBound } }, "and no other",
            [ranges, length, selection])
    }
}
