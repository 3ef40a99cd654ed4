/// Why a manifest is not used. What was accepted before stays in force.
public struct ManifestRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    public var code: Code
    /// What happened, and what helps.
    public var message: String

    public init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

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
        public static var tooLarge: Self { .init(wrapped: .tooLarge) }
        /// The head is not what its format says, perhaps truncated.
        public static var malformed: Self { .init(wrapped: .malformed) }
        /// An object of the head has a repeated key.
        public static var duplicateKey: Self { .init(wrapped: .duplicateKey) }
        /// The format is newer than this program, or a key that begins with `must-` is unknown to it.
        public static var unsupported: Self { .init(wrapped: .unsupported) }
        /// Keys are pinned, and the head has no signature.
        public static var unsigned: Self { .init(wrapped: .unsigned) }
        /// No signature is by a pinned key.
        public static var unknownKey: Self { .init(wrapped: .unknownKey) }
        /// A signature is by a key that the recovery key has revoked.
        public static var revokedKey: Self { .init(wrapped: .revokedKey) }
        /// A signature by a pinned key does not fit the head.
        public static var badSignature: Self { .init(wrapped: .badSignature) }
        /// Fewer signatures than demanded, keys are revoked without the recovery key's signature, or that key has signed a
        /// head that revokes none.
        public static var threshold: Self { .init(wrapped: .threshold) }
        /// The head is of another site or app.
        public static var wrongID: Self { .init(wrapped: .wrongID) }
        /// The base is no https URL that ends in `/`, or is outside the one that the app expects.
        public static var wrongBase: Self { .init(wrapped: .wrongBase) }
        /// The head is no longer accepted, 24 hours after `expires`. What it brought stays.
        public static var expired: Self { .init(wrapped: .expired) }
        /// A head with a higher serial was accepted before.
        public static var serialOlder: Self { .init(wrapped: .serialOlder) }
        /// A different head with the same serial was accepted before.
        public static var serialReused: Self { .init(wrapped: .serialReused) }
        /// Each release needs a newer app.
        public static var appTooOld: Self { .init(wrapped: .appTooOld) }
        /// The publisher has paused fetching.
        public static var paused: Self { .init(wrapped: .paused) }
        /// The publisher has switched the manifest off.
        public static var off: Self { .init(wrapped: .off) }
        /// The list has another size than the head states, or more than 16 MiB.
        public static var listSize: Self { .init(wrapped: .listSize) }
        /// The list has another SHA-256 than the head states.
        public static var listHash: Self { .init(wrapped: .listHash) }
        /// The list is not what its format says.
        public static var listMalformed: Self { .init(wrapped: .listMalformed) }
        /// A path is not plainly a file below the base.
        public static var pathOutsideBase: Self { .init(wrapped: .pathOutsideBase) }
        /// Two files have the same path.
        public static var duplicatePath: Self { .init(wrapped: .duplicatePath) }
        /// More than 50,000 files, or a million values.
        public static var tooMany: Self { .init(wrapped: .tooMany) }

        /// All codes, in the order in which a head and then a list is checked.
        public static var all: [Code] {
            [
                .tooLarge, .malformed, .duplicateKey, .unsupported, .unsigned, .unknownKey, .revokedKey, .badSignature,
                .threshold, .wrongID, .wrongBase, .expired, .serialOlder, .serialReused, .appTooOld, .paused, .off,
                .listSize, .listHash, .listMalformed, .pathOutsideBase, .duplicatePath, .tooMany,
            ]
        }
    }
}
