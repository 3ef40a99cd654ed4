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
        guard let range = ByteRange([.range: lines[0]]) else { return }
        try claim(ByteRange([.range: "bytes=\(range)"]) == range, "what is printed is read again", [range])
        let two = HTTPFields([HTTPField(name: .range, value: lines[0]), HTTPField(name: .range, value: lines[0])])
        try claim(ByteRange(two) == nil, "two lines are no Range", [lines[0]])
        try check(range, length)
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
}
