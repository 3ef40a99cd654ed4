/// A picture of the visible part of the page.
public struct Screenshot: Hashable, Sendable, Codable {
    /// The PNG file.
    public var path: String
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// Every pixel has the same colour: most likely a blank page.
    public var uniform: Bool

    /// A picture that was written.
    public init(path: String, width: Int, height: Int, uniform: Bool) {
        self.path = path
        self.width = width
        self.height = height
        self.uniform = uniform
    }
}
