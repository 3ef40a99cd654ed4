import HTTPCacheSemantics

@testable import ResponseStore

/// The head of a stored response, and the numbers of an index: the bytes of a head.
enum EntryHeadTarget: FuzzTarget {
    static let name = "entry-head"
    static let shapes = [HostileShape("\u{0}"), HostileShape("a"), HostileShape("\u{1}\u{0}")]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let bytes = input.bytes
        try checkNumbers(bytes)
        guard let head = bytes.withUnsafeBytes({ EntryHead($0) }) else { return }
        let stored = head.stored
        let again = stored.withUnsafeBytes { EntryHead(stored: $0) }
        try claim(again?.digest == head.digest && again?.length == head.length, "is read as it was written", [head])
        try claim(again?.key == head.key, "under its key", [head])
        try claim(again?.response.extent == head.response.extent, "with its parts", [head])
        // A found response answers: its age, its date and its order among others are computed.
        let now = WallInstant(unixSeconds: 1_700_000_000)
        try claim(head.response.currentAge(at: now) >= .zero, "an age is none before zero", [head])
        _ = HTTPDate.print(head.response.responseTime)
        _ = EntryRow.milliseconds(WallInstant(sinceEpoch: head.response.responseTime - head.response.requestTime))
        let total = StoreTotals(bytes: .max, order: GreedyDualSizeFrequency()).adding(head.length.bytes)
        try claim(total.bytes == .max, "an account stops at its end", [head])
        for part in head.response.extent.parts ?? [] {
            try claim(head.response.extent.regions(of: part) != nil, "what is stored is found", [head])
        }
    }

    /// Twenty-four bytes as three numbers of a row.
    private static func checkNumbers(_ bytes: [UInt8]) throws(BrokenClaim) {
        let numbers = bytes.withUnsafeBytes { bytes in
            var reader = BlockReader(bytes)
            return (0..<3).map { _ in reader.number(Int64.self) ?? 0 }
        }
        let instant = WallInstant(sinceEpoch: .milliseconds(numbers[0]))
        try claim(EntryRow.milliseconds(instant) == numbers[0], "a moment is read as it was written", numbers)
        let distance = instant - WallInstant(sinceEpoch: .milliseconds(numbers[1]))
        _ = EntryRow.milliseconds(WallInstant(sinceEpoch: distance))
        _ = HTTPDate.print(instant)
        let sum = ByteCount(numbers[0]) + ByteCount(numbers[1]) - ByteCount(numbers[2])
        _ = sum.description
    }
}
