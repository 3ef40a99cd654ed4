import HTTPCacheSemantics
import ResponseStore

/// What a manifest says about a content, without its codings.
public struct ExpectedContent: Hashable, Sendable {
    public var sha256: BodyDigest
    /// `nil` if only the hash is known: then it may have ``PreloadConfiguration/largestContent``.
    public var size: ByteCount?

    public init(sha256: BodyDigest, size: ByteCount?) {
        self.sha256 = sha256
        self.size = size
    }
}
