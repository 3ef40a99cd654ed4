/// A step with the number by which its end is told.
public struct SessionCommand: Hashable, Sendable, Codable {
    public var id: Int
    public var step: SessionStep

    public init(id: Int, step: SessionStep) {
        self.id = id
        self.step = step
    }
}
