/// A body that is being received: written at its end by one pump, read by any number of readers meanwhile.
///
/// Nothing of it is visible in the store before ``ResponseStorage/commit(_:key:response:)``. Letting go of it without
/// a commit leaves nothing behind.
public protocol PendingBody: Sendable {
    /// Adds bytes at the end. After an error, or a commit, nothing more is accepted, and what was written before stays
    /// readable.
    func append(_ bytes: [UInt8]) throws

    /// Bytes that were appended before, from an offset; fewer than asked for at the end, none at or after it.
    func read(from offset: Int64, upTo count: Int) throws -> [UInt8]
}
