/// Why a manifest is not used. What was accepted before stays in force.
public struct ManifestRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    public var code: Code
    /// The failure and its remedy.
    package var message: String

    package init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// `bad-signature: The signature of key … does not fit; …`
    public var description: String { "\(code): \(message)" }

    /// The kind of a refusal, in the order in which a head and then a list is checked. Its description is its name in
    /// logs and under `--json`: `serial-older`.
    public enum Code: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// The head has more than 64 KiB.
        case tooLarge = "too-large"
        /// The head is not what its format says, perhaps truncated.
        case malformed
        /// An object of the head has a repeated key.
        case duplicateKey = "duplicate-key"
        /// The format is newer than this program, or a key that begins with `must-` is unknown to it.
        case unsupported
        /// Keys are pinned, and the head has no signature.
        case unsigned
        /// No signature is by a pinned key.
        case unknownKey = "unknown-key"
        /// A signature is by a key that the recovery key has revoked.
        case revokedKey = "revoked-key"
        /// A signature by a pinned key does not fit the head.
        case badSignature = "bad-signature"
        /// Fewer signatures than demanded, keys are revoked without the recovery key's signature, or that key has
        /// signed a head that revokes none.
        case threshold
        /// The head is of another site or app.
        case wrongID = "wrong-id"
        /// The base is no https URL that ends in `/`, or is outside the one that the app expects.
        case wrongBase = "wrong-base"
        /// A head with a higher serial was accepted before.
        case serialOlder = "serial-older"
        /// A different head with the same serial was accepted before.
        case serialReused = "serial-reused"
        /// The head is no longer accepted, 24 hours after `expires`. What it brought stays.
        case expired
        /// Each release needs a newer app.
        case appTooOld = "app-too-old"
        /// The publisher has paused fetching.
        case paused
        /// The publisher has switched the manifest off.
        case off
        /// The list has another size than the head states, or more than 16 MiB.
        case listSize = "list-size"
        /// The list has another SHA-256 than the head states.
        case listHash = "list-hash"
        /// The list is not what its format says.
        case listMalformed = "list-malformed"
        /// A path is not plainly a file below the base.
        case pathOutsideBase = "path-outside-base"
        /// Two files have the same path.
        case duplicatePath = "duplicate-path"
        /// More than 50,000 files, or a million values.
        case tooMany = "too-many"

        public var description: String { rawValue }
    }
}
