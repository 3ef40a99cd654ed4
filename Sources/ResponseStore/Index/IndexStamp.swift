/// Identifies a state of the index, whichever process changed it.
///
/// The header of the wal-index, the first 48 bytes of `index.sqlite-shm`: SQLite writes it at every commit, before the
/// commit returns and in every process, and its readers rely on it (sqlite.org/walformat.html, §2.1). See
/// ``IndexStampSource``.
struct IndexStamp: Hashable, Sendable {
    static let length = 48

    /// Counts the commits, modulo 2^32.
    let change: UInt32
    private let low: SIMD2<UInt64>
    private let middle: SIMD2<UInt64>
    private let high: SIMD2<UInt64>

    /// - Returns: `nil` unless there are 48 bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.length else { return nil }
        change = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        low = bytes.loadUnaligned(fromByteOffset: 0, as: SIMD2<UInt64>.self)
        middle = bytes.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self)
        high = bytes.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self)
    }

    /// A state that is identified in another way, without commits of ours.
    init(low: SIMD2<UInt64>, middle: SIMD2<UInt64>, high: SIMD2<UInt64>) {
        (change, self.low, self.middle, self.high) = (0, low, middle, high)
    }

    /// Whether exactly one commit is between the two.
    func isNext(after stamp: IndexStamp) -> Bool { change == stamp.change &+ 1 }
}
