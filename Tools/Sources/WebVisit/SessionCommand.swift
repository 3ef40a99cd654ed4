/// A step with the number by which its end is told.
package struct SessionCommand: Hashable, Sendable, Codable {
    package var id: Int
    package var step: SessionStep

    package init(id: Int, step: SessionStep) {
        self.id = id
        self.step = step
    }
}
