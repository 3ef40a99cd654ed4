/// Why a manifest can't be built, signed or compared: bad use, or a file that is missing or damaged.
public struct ManifestToolError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, and what helps.
    public var message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
