/// Why a manifest is not used. What was accepted before stays in force.
public struct ManifestRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    public var code: Code
    /// The failure and its remedy.
    package var message: String

    package init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// `bad-signature: The signature of key … does not fit; …`
    public var description: String { "\(code): \(message)" }

    /// The kind of a refusal. Its description is its name in logs and under `--json`: `serial-older`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case tooLarge = "too-large"
            case malformed
            case duplicateKey = "duplicate-key"
            case unsupported, unsigned
            case unknownKey = "unknown-key"
            case revokedKey = "revoked-key"
            case badSignature = "bad-signature"
            case threshold
            case wrongID = "wrong-id"
            case wrongBase = "wrong-base"
            case expired
            case serialOlder = "serial-older"
            case serialReused = "serial-reused"
            case appTooOld = "app-too-old"
            case paused, off
            case listSize = "list-size"
            case listHash = "list-hash"
            case listMalformed = "list-malformed"
            case pathOutsideBase = "path-outside-base"
            case duplicatePath = "duplicate-path"
            case tooMany = "too-many"
        }
        private var wrapped: Wrapped
        public var description: String { wrapped.rawValue }

        /// The head has more than 64 KiB.
        package static var tooLarge: Self { .init(wrapped: .tooLarge) }
        /// The head is not what its format says, perhaps truncated.
        package static var malformed: Self { .init(wrapped: .malformed) }
        /// An object of the head has a repeated key.
        package static var duplicateKey: Self { .init(wrapped: .duplicateKey) }
        /// The format is newer than this program, or a key that begins with `must-` is unknown to it.
        package static var unsupported: Self { .init(wrapped: .unsupported) }
        /// Keys are pinned, and the head has no signature.
        package static var unsigned: Self { .init(wrapped: .unsigned) }
        /// No signature is by a pinned key.
        package static var unknownKey: Self { .init(wrapped: .unknownKey) }
        /// A signature is by a key that the recovery key has revoked.
        package static var revokedKey: Self { .init(wrapped: .revokedKey) }
        /// A signature by a pinned key does not fit the head.
        package static var badSignature: Self { .init(wrapped: .badSignature) }
        /// Fewer signatures than demanded, keys are revoked without the recovery key's signature, or that key has signed a
        /// head that revokes none.
        package static var threshold: Self { .init(wrapped: .threshold) }
        /// The head is of another site or app.
        package static var wrongID: Self { .init(wrapped: .wrongID) }
        /// The base is no https URL that ends in `/`, or is outside the one that the app expects.
        package static var wrongBase: Self { .init(wrapped: .wrongBase) }
        /// The head is no longer accepted, 24 hours after `expires`. What it brought stays.
        package static var expired: Self { .init(wrapped: .expired) }
        /// A head with a higher serial was accepted before.
        package static var serialOlder: Self { .init(wrapped: .serialOlder) }
        /// A different head with the same serial was accepted before.
        package static var serialReused: Self { .init(wrapped: .serialReused) }
        /// Each release needs a newer app.
        package static var appTooOld: Self { .init(wrapped: .appTooOld) }
        /// The publisher has paused fetching.
        package static var paused: Self { .init(wrapped: .paused) }
        /// The publisher has switched the manifest off.
        package static var off: Self { .init(wrapped: .off) }
        /// The list has another size than the head states, or more than 16 MiB.
        package static var listSize: Self { .init(wrapped: .listSize) }
        /// The list has another SHA-256 than the head states.
        package static var listHash: Self { .init(wrapped: .listHash) }
        /// The list is not what its format says.
        package static var listMalformed: Self { .init(wrapped: .listMalformed) }
        /// A path is not plainly a file below the base.
        package static var pathOutsideBase: Self { .init(wrapped: .pathOutsideBase) }
        /// Two files have the same path.
        package static var duplicatePath: Self { .init(wrapped: .duplicatePath) }
        /// More than 50,000 files, or a million values.
        package static var tooMany: Self { .init(wrapped: .tooMany) }

        /// All codes, in the order in which a head and then a list is checked.
        package static var all: [Code] {
            [
                .tooLarge, .malformed, .duplicateKey, .unsupported, .unsigned, .unknownKey, .revokedKey, .badSignature,
                .threshold, .wrongID, .wrongBase, .expired, .serialOlder, .serialReused, .appTooOld, .paused, .off,
                .listSize, .listHash, .listMalformed, .pathOutsideBase, .duplicatePath, .tooMany,
            ]
        }
    }
}
