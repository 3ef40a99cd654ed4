/// Which part of the installations get a release.
package struct Rollout: Hashable, Sendable {
    /// Of 10,000 installations; 0 to 10,000.
    package var permyriad: Int
    /// A new one for each release, so that it is not always the same installations that go first; it stays the same while
    /// the release's part grows, so that nobody who has the release loses it again.
    package var salt: String

    package init(permyriad: Int, salt: String) {
        (self.permyriad, self.salt) = (min(max(permyriad, 0), 10_000), salt)
    }

    /// - Parameters:
    ///   - installID: A random text that this installation made at its first start, and keeps.
    ///   - manifestID: The ``ManifestHead/id``.
    package func includes(installID: String, manifestID: String) -> Bool {
        Self.bucket(installID: installID, manifestID: manifestID, salt: salt) < permyriad
    }

    /// The first eight octets of SHA-256(`larder-rollout-1` 0 install id 0 manifest id 0 salt), most significant first,
    /// modulo 10,000.
    package static func bucket(installID: String, manifestID: String, salt: String) -> Int {
        let texts = ["larder-rollout-1", installID, manifestID, salt]
        let digest = ContentDigest(of: Array(texts.map { Array($0.utf8) }.joined(separator: [0])))
        let number = digest.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % 10_000)
    }
}
