/// A picture of the visible part of the page.
package struct Screenshot: Hashable, Sendable, Codable {
    /// The PNG file.
    package var path: String
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int
    /// Every pixel has the same colour: most likely a blank page.
    package var uniform: Bool

    /// A picture that was written.
    package init(path: String, width: Int, height: Int, uniform: Bool) {
        self.path = path
        self.width = width
        self.height = height
        self.uniform = uniform
    }
}
