/// Why a seed is not used. Nothing of it is stored then.
public struct SeedError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to branch on.
    public var code: Code
    /// What happened, and what helps.
    package var message: String
    /// The error underneath, if there was one.
    public var cause: (any Error)?

    package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        (self.code, self.message, self.cause) = (code, message, cause)
    }

    /// `truncated: The seed ends …`
    public var description: String { "\(code): \(message)" }

    /// The kind of an error. Its description is its name in logs and under `--json`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case unreadable, notASeed = "not-a-seed", unsupported, tooLarge = "too-large", truncated, damaged
            case malformed, tooMany = "too-many", duplicateURL = "duplicate-url", manifest, state
        }
        private var wrapped: Wrapped
        /// The code's name.
        public var description: String { wrapped.rawValue }

        /// The file is missing, or can't be read.
        package static var unreadable: Self { .init(wrapped: .unreadable) }
        /// The file does not begin as a seed does.
        package static var notASeed: Self { .init(wrapped: .notASeed) }
        /// The format is newer than this program, or a key that begins with `must-` is unknown to it.
        package static var unsupported: Self { .init(wrapped: .unsupported) }
        /// The index has more than 32 MiB, the list of the manifest more than 16 MiB, or its head more than 64 KiB.
        package static var tooLarge: Self { .init(wrapped: .tooLarge) }
        /// The file ends before what it announces.
        package static var truncated: Self { .init(wrapped: .truncated) }
        /// The index has another SHA-256 than the file states.
        package static var damaged: Self { .init(wrapped: .damaged) }
        /// The index is not what its format says.
        package static var malformed: Self { .init(wrapped: .malformed) }
        /// More than 50,000 files, or a million values.
        package static var tooMany: Self { .init(wrapped: .tooMany) }
        /// Two files have the same URL.
        package static var duplicateURL: Self { .init(wrapped: .duplicateURL) }
        /// The manifest in the seed is refused, or says other things than the index; the cause is a `ManifestRefusal`
        /// in the first case.
        package static var manifest: Self { .init(wrapped: .manifest) }
        /// What was accepted of the manifest before can't be read, or what the seed brings can't be kept.
        package static var state: Self { .init(wrapped: .state) }

        /// All codes, in the order in which a seed is checked.
        package static var all: [Code] {
            [
                .unreadable, .notASeed, .unsupported, .tooLarge, .truncated, .damaged, .malformed, .tooMany,
                .duplicateURL, .manifest, .state,
            ]
        }
    }
}
