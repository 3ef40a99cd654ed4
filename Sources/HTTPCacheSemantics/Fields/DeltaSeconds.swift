/// A non-negative number of whole seconds, RFC 9111 §1.2.2.
package enum DeltaSeconds {
    /// Greater values count as this one: "the cache MUST consider the value to be 2147483648 (2^31) or the greatest
    /// positive integer it can conveniently represent".
    package static let greatest: Int64 = 2_147_483_648

    /// - Parameter text: `1*DIGIT`, nothing else: no sign, no fraction, no white space.
    /// - Returns: `nil` for any other text.
    package static func parse(_ text: some StringProtocol) -> Duration? {
        text.utf8.withContiguousStorageIfAvailable(seconds) ?? seconds(text.utf8)
    }

    private static func seconds(_ digits: some Sequence<UInt8>) -> Duration? {
        var seconds: Int64?
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            seconds = min(greatest, (seconds ?? 0) * 10 + Int64(byte - 0x30))
        }
        return seconds.map { .seconds($0) }
    }
}
