import HTTPCacheSemantics

/// What a look at everything that is stored has found.
public struct StoreVerification: Sendable {
    /// Something that is not as it was stored. It is never served: reading it finds the same, and drops it.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The URI of the response; `nil` where it is not about one.
        public var uri: String?
        /// What is wrong, in one sentence.
        public var message: String

        public var description: String { uri.map { "\($0): \(message)" } ?? message }
    }

    public var entries = 0
    public var bodies = 0
    /// Heads and bodies.
    public var bytes = ByteCount.zero
    public var problems: [Problem] = []
}
