@testable import PageSyntax

/// Inputs in pieces, for readers that take them as they come.
enum PagePieces {
    /// In one piece, byte by byte, and in pieces whose lengths the input decides.
    static func cuts(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
        var state = bytes.reduce(1 as UInt32) { $0 &* 31 &+ UInt32($1) }
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            state = state &* 1_664_525 &+ 1_013_904_223
            let end = min(bytes.count, start + 1 + Int(state >> 16) % 40)
            pieces.append(bytes[start..<end])
            start = end
        }
        // One by one, long inputs would take the time of the others.
        let single = bytes.count > 8_192 ? pieces : bytes.indices.map { bytes[$0...$0] }
        return [[bytes[...]], single, pieces]
    }

    /// What was read of an input: in words, or of a long input as a hash, which is made in less time.
    struct Notes {
        private(set) var lines: [String] = []
        private var hasher = Hasher()
        private let isLong: Bool

        init(_ pieces: [ArraySlice<UInt8>]) {
            isLong = (pieces.last?.endIndex ?? 0) > 2_048
        }

        mutating func add(_ kind: String, _ range: Range<Int>, _ value: String) {
            if isLong {
                hasher.combine(kind)
                hasher.combine(range)
                hasher.combine(value)
            } else {
                lines.append("\(kind) \(range) \(value)")
            }
        }

        mutating func add(_ reference: PageReference) {
            let details = "\(reference.isInStyle) \(reference.isInert)"
            add(reference.kind.rawValue, reference.range, isLong ? reference.url : reference.url + details)
        }

        var result: [String] { lines + [String(hasher.finalize())] }
    }

    /// Fails unless every way to cut the input gives the same.
    static func claimSame(_ input: FuzzInput, _ read: ([ArraySlice<UInt8>]) -> [String]) throws(BrokenClaim) {
        let cuts = cuts(of: input.bytes)
        let whole = read(cuts[0])
        for pieces in cuts.dropFirst() {
            let parts = read(pieces)
            if parts == whole { continue }
            let place = zip(parts, whole).prefix { $0 == $1 }.count
            let values = [parts.dropFirst(place).first ?? "nothing", whole.dropFirst(place).first ?? "nothing"]
            try claim(false, "pieces say what the whole says", values + [place])
        }
    }
}
