#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// `integrity`, Subresource Integrity §3.3: hashes of a content without its codings, the strongest kind counts. A web
/// view refuses a script or style sheet that has none of them.
enum Integrity {
    static let mismatch =
        "The content has another hash than its page states in 'integrity', so web views refuse it; publish the page "
        + "and its files together."

    private enum Kind: String, CaseIterable {
        case sha256, sha384, sha512

        /// In octets.
        var length: Int { self == .sha256 ? 32 : self == .sha384 ? 48 : 64 }
    }

    /// - Returns: `nil` unless one SHA-256 alone decides.
    static func content(_ metadata: String) -> ExpectedContent? {
        guard let (kind, hashes) = strongest(metadata), kind == .sha256, hashes.count == 1,
            let hash = hashes.first, let digest = BodyDigest(hash)
        else { return nil }
        return ExpectedContent(sha256: digest, size: nil)
    }

    /// The hashes of the strongest kind; `nil` where there is none.
    private static func strongest(_ metadata: String) -> (kind: Kind, hashes: Set<[UInt8]>)? {
        let words = metadata.split { $0.isWhitespace }.map { $0.prefix { $0 != "?" } }
        for kind in Kind.allCases.reversed() {
            let found = words.filter { $0.hasPrefix(kind.rawValue + "-") }.map { bytes($0.dropFirst(7), kind.length) }
            if !found.isEmpty { return (kind, Set(found.compactMap(\.self))) }
        }
        return nil
    }

    /// Octets in base64 or base64url, RFC 4648 §4 and §5, with or without padding.
    private static func bytes(_ text: Substring, _ count: Int) -> [UInt8]? {
        let digits = String(text.prefix { $0 != "=" }.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        return Data(base64Encoded: digits + padding).map(Array.init).flatMap { $0.count == count ? $0 : nil }
    }

    /// Hashes a content piece by piece.
    struct Check {
        private let hashes: Set<[UInt8]>
        private var hasher: any HashFunction

        /// - Returns: `nil` where no hash is stated: then any content will do.
        init?(_ metadata: String) {
            guard !metadata.isEmpty, let (kind, hashes) = Integrity.strongest(metadata) else { return nil }
            self.hashes = hashes
            hasher =
                switch kind {
                case .sha256: SHA256()
                case .sha384: SHA384()
                case .sha512: SHA512()
                }
        }

        mutating func update(_ bytes: [UInt8]) { hasher.update(data: bytes) }

        /// Whether a stored content fits; one that is too long to be read does.
        func fits(_ content: StoredContent, _ fields: HTTPFields) -> Bool {
            var check = self
            guard let bytes = content.decoded(by: fields, upTo: OfflineCheck.longest) else { return true }
            check.update(bytes)
            return check.fits
        }

        var fits: Bool { hashes.contains(Self.octets(of: hasher)) }

        private static func octets(of hash: some HashFunction) -> [UInt8] { Array(hash.finalize()) }
    }
}
