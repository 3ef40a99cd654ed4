#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The SHA-256 of content, after content codings such as gzip are undone: a server may compress what it sends.
package struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    private var words: (UInt64, UInt64, UInt64, UInt64)

    /// - Returns: `nil` unless there are exactly 32 bytes.
    package init?(_ bytes: some Sequence<UInt8>) {
        var words: [UInt64] = [0, 0, 0, 0]
        var count = 0
        for byte in bytes {
            guard count < 32 else { return nil }
            words[count / 8] = words[count / 8] << 8 | UInt64(byte)
            count += 1
        }
        guard count == 32 else { return nil }
        self.words = (words[0], words[1], words[2], words[3])
    }

    /// - Parameter text: 64 hexadecimal digits, in lower case only: one digest has one text.
    package init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text) else { return nil }
        self.init(bytes)
    }

    /// The digest of these bytes.
    package init(of bytes: [UInt8]) {
        self.words = (0, 0, 0, 0)
        // A SHA-256 has 32 bytes.
        if let digest = ContentDigest(SHA256.hash(data: bytes)) { self = digest }
    }

    /// 32 bytes.
    package var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }

    /// 64 lower-case hexadecimal digits.
    package var description: String { Hexadecimal.text(bytes) }

    package static func == (one: Self, other: Self) -> Bool { one.words == other.words }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
