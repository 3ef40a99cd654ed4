import HTTPCacheSemantics

/// The result of verifying everything that is stored.
public struct StoreVerification: Sendable {
    /// Stored data that is damaged. It is never served: reading it finds the same damage and drops it.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The URI of the response; `nil` if the problem does not concern a single one.
        public var uri: String?
        /// What is wrong, in one sentence.
        public var message: String

        public var description: String { uri.map { "\($0): \(message)" } ?? message }
    }

    public var entries = 0
    public var bodies = 0
    /// The bytes of heads and bodies.
    public var bytes = ByteCount.zero
    public var problems: [Problem] = []
}
