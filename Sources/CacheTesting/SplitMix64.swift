import Foundation

/// Random numbers that are the same in every run with the same seed, so that a failed test can be repeated.
///
/// After G. L. Steele, D. Lea and C. H. Flood, "Fast Splittable Pseudorandom Number Generators", 2014: neighbouring
/// seeds give sequences that do not resemble each other. Not for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    /// - Parameter seed: Any number; it determines the whole sequence.
    @inlinable
    package init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    @inlinable
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Tests that play random orders of calls.
package enum RandomOrders {
    /// How many orders each of them plays: `LARDER_ORDERS` of the environment, 10,000 unless set.
    package static let count = UInt64(ProcessInfo.processInfo.environment["LARDER_ORDERS"] ?? "") ?? 10_000
}

/// Content in which every octet depends on its place, so that each mix-up shows; made of blocks, which a debug build
/// copies a hundred times as fast as single octets.
package enum PatternedContent {
    /// Its length is a prime, so that no usual block begins at the same octet twice.
    private static let block = (0..<65_521).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }

    /// The octets of a range of it.
    package static func octets(_ range: Range<Int64>) -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(range.count)
        var place = Int(range.lowerBound) % block.count
        while octets.count < range.count {
            octets += block[place..<min(block.count, place + range.count - octets.count)]
            place = 0
        }
        return octets
    }

    /// As many from its beginning.
    package static func octets(_ count: Int) -> [UInt8] { octets(0..<Int64(count)) }
}

extension Sequence<[UInt8]> {
    /// All pieces in one, as `Array(joined())` has them, but not octet by octet.
    package func joinedOctets() -> [UInt8] { reduce(into: []) { $0 += $1 } }
}
