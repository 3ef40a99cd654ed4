import CacheTesting
import HTTPCacheSemantics

/// A content that comes in four parts, in an order that its number says; the number also says how many are there.
///
/// The store adds each part to what is there, and puts them into their order with the last one.
struct StressParts: Hashable, Sendable {
    /// Numbers with this bit stand for such contents.
    private static let mark: UInt64 = 1 << 62
    static let all = 4

    /// The content that they are parts of.
    var base: UInt64
    /// How many are there, 1 to 4.
    var count: Int

    init(base: UInt64) {
        self.base = base
        count = 1
    }

    /// - Returns: `nil` for the number of a content that comes as a whole.
    init?(_ number: UInt64) {
        guard number & Self.mark != 0 else { return nil }
        base = (number & ~Self.mark) >> 3
        count = min(Self.all, max(1, Int(number & 7)))
    }

    var number: UInt64 { Self.mark | base << 3 | UInt64(count) }

    /// With one part more.
    var next: StressParts {
        var next = self
        next.count = min(Self.all, count + 1)
        return next
    }

    /// Small enough for a row of the index at first, and too long for one in the end, more often than not.
    var length: Int { Int(8_000 + SplitMix64.first(of: base) % 300_000) }

    /// In the order in which they come.
    private var ranges: [Range<Int64>] {
        var random = SplitMix64(seed: base ^ 0x5AFE)
        let ranges = (0..<Self.all).map { Int64(length * $0 / Self.all)..<Int64(length * ($0 + 1) / Self.all) }
        return ranges.shuffled(using: &random)
    }

    /// Where the last of them lies.
    var last: Range<Int64> { ranges[count - 1] }

    var extent: ContentExtent {
        guard count < Self.all, let first = ranges.first else { return .complete }
        var parts = [first]
        for range in ranges[1..<count] {
            if let last = parts.last, last.upperBound == range.lowerBound {
                parts[parts.count - 1] = last.lowerBound..<range.upperBound
            } else {
                parts.append(range)
            }
        }
        return .partial(parts, completeLength: Int64(length))
    }

    /// The stored part of the whole content.
    func stored(of whole: [UInt8]) -> [UInt8] {
        guard count < Self.all else { return whole }
        return ranges.prefix(count).flatMap { whole[Int($0.lowerBound)..<Int($0.upperBound)] }
    }
}

extension SplitMix64 {
    fileprivate static func first(of seed: UInt64) -> UInt64 {
        var random = SplitMix64(seed: seed)
        return random.next()
    }
}
