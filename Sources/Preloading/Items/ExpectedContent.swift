import HTTPCacheSemantics
import ResponseStore

/// What a manifest says about a content, without its codings.
package struct ExpectedContent: Hashable, Sendable {
    package var sha256: BodyDigest
    /// `nil` if only the hash is known: then it may have ``PreloadConfiguration/largestContent``.
    package var size: ByteCount?

    package init(sha256: BodyDigest, size: ByteCount?) {
        self.sha256 = sha256
        self.size = size
    }
}
