import HTTPCacheSemantics

/// The result of verifying everything that is stored.
package struct StoreVerification: Sendable {
    /// Stored data that is damaged. It is never served: reading it finds the same damage and drops it.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The URI of the response; `nil` if the problem does not concern a single one.
        package var uri: String?
        /// What is wrong, in one sentence.
        package var message: String

        package var description: String { uri.map { "\($0): \(message)" } ?? message }
    }

    package var entries = 0
    package var bodies = 0
    /// The bytes of heads and bodies.
    package var bytes = ByteCount.zero
    package var problems: [Problem] = []
}
