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

/// Judges by a picture whether a page that has finished loading shows nothing: a "white screen".
///
/// A page decides about its own pixels and elements, so the verdict is only a hint for the app; nothing that protects
/// other origins depends on it.
package enum BlankPicture {
    /// The fewest pixels that say anything.
    private static let fewestPixels = 64
    /// How far two pixels of one colour may be apart in each channel, of 255.
    private static let tolerance = 2
    /// How many of a thousand pixels may differ from the others, for a scroll bar or a cursor.
    private static let greatestDeviation = 5

    /// Whether the body of a page that shows one colour has elements: an empty drawing, or a page that is not drawn
    /// yet. `nil` where the pixels differ, are too few, or the page did not answer.
    ///
    /// - Parameters:
    ///   - pixels: A sample of the snapshot's pixels in any order, 32 bits each, four channels of 8 bits.
    ///   - bodyChildCount: `document.body.childElementCount`; `nil` if the page did not answer in time.
    package static func hasElements(pixels: [UInt32], bodyChildCount: Int?) -> Bool? {
        guard pixels.count >= fewestPixels else { return nil }
        // The colour of the middle of the sorted pixels: if nearly all are alike, it is theirs.
        let common = pixels.sorted()[pixels.count / 2]
        let others = pixels.count { !isAlike($0, common) }
        guard others <= pixels.count * greatestDeviation / 1_000 else { return nil }
        return bodyChildCount.map { $0 > 0 }
    }

    private static func isAlike(_ one: UInt32, _ other: UInt32) -> Bool {
        [0, 8, 16, 24].allSatisfy { shift in
            let left = Int((one >> UInt32(shift)) & 0xFF)
            let right = Int((other >> UInt32(shift)) & 0xFF)
            return abs(left - right) <= tolerance
        }
    }
}
