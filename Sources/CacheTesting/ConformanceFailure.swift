/// A guarantee that an implementation does not keep.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The guarantee's name, such as `replacesSameVariant`.
    public var guarantee: String
    /// What was observed instead.
    public var message: String

    public init(guarantee: String, message: String) {
        self.guarantee = guarantee
        self.message = message
    }

    /// Both in one line.
    public var description: String { "\(guarantee): \(message)" }
}
