import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.

/// How much a ``Larder`` holds.
public struct LarderUsage: Hashable, Sendable {
    /// The number of stored responses.
    public var responses: Int
    /// The bytes of their content, equal content counted once.
    public var content: ByteCount
    /// What the files of the store take up on the disk: what to show to a user. Index and heads included.
    public var onDisk: ByteCount
}
