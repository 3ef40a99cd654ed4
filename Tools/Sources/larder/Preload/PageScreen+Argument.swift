import ArgumentParser
import PageSyntax

extension PageScreen {
    /// `390x844@3`: width and height in CSS pixels, and the device's pixels for one of them, 1 unless given.
    ///
    /// - Throws: `ValidationError` for what is no size.
    init(argument: String) throws {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false)
        let sides = parts[0].lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        let density = parts.count == 2 ? Double(parts[1]) : 1
        guard parts.count < 3, sides.count == 2, let width = sides[0], let height = sides[1], let density,
            (1...1e5).contains(width), (1...1e5).contains(height), (0.1...100).contains(density)
        else {
            throw ValidationError("'\(argument)' is no screen; write width, height and density, such as 390x844@3.")
        }
        self.init(width: width, height: height, density: density)
    }
}
