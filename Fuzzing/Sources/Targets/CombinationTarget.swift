import HTTPCacheSemantics

@testable import ResponseStore

/// Joining parts as they arrive, RFC 9111 §3.4, and finding the stored bytes: a line with the complete length or
/// nothing, then a line `first last` for each part in the order of arrival.
enum CombinationTarget: FuzzTarget {
    static let name = "combination"
    static let shapes = [
        HostileShape("9", after: "9\n0 "), HostileShape("0 0\n", after: "\n"), HostileShape("5 9\n", after: "10\n"),
    ]
    /// More than the most separate parts.
    private static let mostParts = 1_200

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        let length = Int64(lines[0])
        let parts = lines.dropFirst().prefix(mostParts).compactMap { StoredParts.part($0) }
        guard let first = parts.first, var extent = ContentExtent(first, completeLength: length) else { return }
        for part in parts.dropFirst() {
            guard let combination = Combination(extent, with: part, completeLength: length) else { continue }
            try check(combination, extent, part)
            extent = combination.extent
            let stored = extent.stored(length ?? 0)
            let block = ExtentBlock.write(extent)
            try claim(block.isEmpty == (extent == .complete), "parts have a block", [extent])
            try claim(ExtentBlock.read(block, storedLength: stored) == extent, "is read as written", [extent])
        }
    }

    private static func check(
        _ combination: Combination, _ before: ContentExtent, _ part: Range<Int64>
    ) throws(BrokenClaim) {
        guard let known = before.parts else { return }
        let after = combination.extent.parts ?? [0..<(before.completeLength(storedLength: 0) ?? .max)]
        let isAdded = combination.added != []
        if isAdded, combination.extent != .complete {
            try claim(covers(after, part), "the part is stored", [before, part, combination])
        }
        try claim(known.allSatisfy { covers(after, $0) }, "nothing is lost", [before, part, combination])
        let old = before.stored(0)
        var count: Int64 = 0
        for piece in combination.pieces {
            switch piece {
            case .stored(let region):
                count += Int64(region.count)
                try claim(region.lowerBound >= 0 && region.upperBound <= old, "of what is stored", [combination])
            case .received(let region):
                count += Int64(region.count)
                let isInside = region.lowerBound >= 0 && region.upperBound <= Int64(part.count)
                try claim(isInside && !region.isEmpty, "of what arrived", [combination])
            }
        }
        if combination.extent != .complete {
            try claim(count == combination.extent.stored(0), "the pieces are the content", [before, part, combination])
        }
        let common = known.reduce(Int64(0)) { $0 + Int64($1.clamped(to: part).count) }
        let shared = combination.shared.reduce(Int64(0)) { $0 + Int64($1.stored.count) }
        try claim(shared == common, "what both have", [before, part, combination])
        for (mine, arrived) in combination.shared {
            try claim(mine.count == arrived.count, "of one length", [combination])
            let place = arrived.lowerBound + part.lowerBound..<arrived.upperBound + part.lowerBound
            try claim(before.regions(of: place) == [mine], "in one place", [before, part, combination])
        }
        if case .partial(let kept, _) = combination.extent {
            try claim(kept.count <= Combination.greatestCount, "so many parts are kept", [kept.count])
        }
    }

    private static func covers(_ parts: [Range<Int64>], _ part: Range<Int64>) -> Bool {
        parts.contains { $0.lowerBound <= part.lowerBound && part.upperBound <= $0.upperBound }
    }
}
