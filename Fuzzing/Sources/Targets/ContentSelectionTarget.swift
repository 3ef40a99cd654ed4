import HTTPCacheSemantics
import HTTPTypes

/// The part of a whole or partial response that a range selects, RFC 9111 §3.3: a line with `Range`, a line with the
/// complete length or nothing, then a line `first last` for each part in its stored order.
enum ContentSelectionTarget: FuzzTarget {
    static let name = "content-selection"
    static let shapes = [
        HostileShape("9", after: "bytes=0-"), HostileShape("0-1,", after: "bytes="),
        HostileShape("1\n", after: "bytes=0-5\n\n"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        let length = lines.count > 1 ? Int64(lines[1]).map { max(0, $0) } : nil
        let extent = StoredParts(lines.dropFirst(2).prefix(Combination.greatestCount)).extent(length)
        let stored = extent.stored(length ?? 1_000)
        var response = StoredResponse(
            status: extent == .complete ? .ok : .partialContent, fields: [.eTag: "\"a\""],
            requestTime: WallInstant(unixSeconds: 0), responseTime: WallInstant(unixSeconds: 0))
        response.extent = extent
        for condition in [nil, "\"a\"", "\"b\""] {
            var fields: HTTPFields = [.range: lines[0]]
            fields[.ifRange] = condition
            let request = HTTPRequest(
                method: .get, scheme: "https", authority: "a.test", path: "/", headerFields: fields)
            let selection = ContentSelection(of: response, storedLength: stored, presented: request)
            try check(selection, extent, stored, lines[0])
        }
    }

    private static func check(
        _ selection: ContentSelection, _ extent: ContentExtent, _ stored: Int64, _ range: String
    ) throws(BrokenClaim) {
        switch selection {
        case .whole: try claim(extent == .complete, "the whole of what is stored whole", [range, extent])
        case .notStored: try claim(extent != .complete, "all of it is stored", [range, extent])
        case .notSatisfiable: try claim(extent == .complete, "what is not known is not refused", [range, extent])
        case .part(let part, let length):
            try claim(!part.isEmpty && part.upperBound <= length ?? .max, "a part of the whole", [range, part])
            let regions = extent.regions(of: part) ?? []
            try claim(regions.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= stored }, "is stored", [range, part])
            let count = regions.reduce(Int64(0)) { $0 + Int64($1.count) }
            try claim(count == Int64(part.count), "each byte once", [range, part, regions])
        }
    }
}

/// Parts of a representation as lines of `first last`, without invalid ones and overlaps with earlier ones.
struct StoredParts {
    var parts: [Range<Int64>] = []

    init(_ lines: some Sequence<String>) {
        for line in lines {
            guard let part = Self.part(line), !parts.contains(where: { $0.overlaps(part) }) else { continue }
            parts.append(part)
        }
    }

    static func part(_ line: String) -> Range<Int64>? {
        let words = line.split(separator: " ")
        guard words.count == 2, let first = Int64(words[0]), let last = Int64(words[1]), first >= 0, last >= first,
            last < .max
        else { return nil }
        return first..<last + 1
    }

    /// The extent with this complete length, unless a part exceeds it.
    func extent(_ length: Int64?) -> ContentExtent {
        guard !parts.isEmpty else { return .complete }
        let end = parts.map(\.upperBound).max() ?? 0
        return .partial(parts, completeLength: length.flatMap { $0 < end ? nil : $0 })
    }
}

extension ContentExtent {
    /// The stored bytes; a given length for ``complete``.
    func stored(_ length: Int64) -> Int64 {
        guard case .partial(let parts, _) = self else { return length }
        return parts.reduce(0) { $0 + Int64($1.count) }
    }
}
