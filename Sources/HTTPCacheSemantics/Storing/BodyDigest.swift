/// The SHA-256 of a content: stored bodies are named by it, and manifests and seeds promise it.
package struct BodyDigest: Hashable, Sendable, CustomStringConvertible {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// The first 32 bytes of a hash; what is shorter ends with zeros.
    package init(hash: some Sequence<UInt8>) {
        withUnsafeMutableBytes(of: &words) { words in
            for (place, byte) in zip(words.indices, hash) { words[place] = byte }
        }
    }

    /// - Returns: `nil` unless there are exactly 32 bytes.
    package init?(_ bytes: some Sequence<UInt8>) {
        let hash = Array(bytes.prefix(33))
        guard hash.count == 32 else { return nil }
        self.init(hash: hash)
    }

    /// 32 bytes.
    package var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    /// 64 lower-case hexadecimal digits.
    package var description: String { Hexadecimal.text(bytes) }

    package static func == (one: Self, other: Self) -> Bool { one.words == other.words }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
