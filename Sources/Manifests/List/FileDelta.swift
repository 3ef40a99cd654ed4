import HTTPCacheSemantics
import StrictJSON

/// A way to make a file of an earlier version of it: `zstd -D OLD` reads it (RFC 9842 §5.2, `dcz`). Read and checked as
/// the files are, and not applied yet.
package struct FileDelta: Hashable, Sendable {
    /// The earlier content.
    package var from: ContentDigest
    /// Relative to the base.
    package var path: String
    /// Of the delta.
    package var size: ByteCount

    package init(from: ContentDigest, path: String, size: ByteCount) {
        (self.from, self.path, self.size) = (from, path, size)
    }

    var json: JSONValue {
        .members([("from", .string("\(from)")), ("path", .string(path)), ("size", .number("\(size.bytes)"))])
    }
}
