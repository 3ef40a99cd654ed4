/// Judges whether a page that has finished loading shows nothing: a "white screen".
///
/// A page decides about its own pixels and elements, so the verdict is only a hint for the app; nothing that protects
/// other origins depends on it.
package struct BlankPageDetection: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case blank
        case notBlank(Evidence)
        case unknown(Doubt)
    }

    package enum Evidence: String, CaseIterable, Sendable {
        case pixelsDiffer = "pixels-differ"
    }

    package enum Doubt: String, CaseIterable, Sendable {
        /// Too few pixels, or none.
        case tooFewPixels = "too-few-pixels"
        /// The page did not answer how many elements its body has.
        case noAnswerOfPage = "no-answer"
        /// One colour everywhere, but the body has elements: an empty drawing, or a page that is not drawn yet.
        case elementsWithoutPixels = "elements-without-pixels"
    }

    /// The fewest pixels that say anything; 64 by default.
    package let fewestPixels: Int
    /// How far two pixels of one colour may be apart in each channel, of 255; 2 by default.
    package let tolerance: UInt8
    /// How many of a thousand pixels may differ from the first, for a scroll bar or a cursor; 5 by default.
    package let greatestDeviation: Int

    package init(fewestPixels: Int = 64, tolerance: UInt8 = 2, greatestDeviation: Int = 5) {
        self.fewestPixels = max(fewestPixels, 1)
        self.tolerance = tolerance
        self.greatestDeviation = min(max(greatestDeviation, 0), 1_000)
    }

    /// - Parameters:
    ///   - pixels: A sample of the snapshot's pixels in any order, 32 bits each, four channels of 8 bits.
    ///   - bodyChildCount: `document.body.childElementCount`; `nil` if the page did not answer in time.
    package func judge(pixels: [UInt32], bodyChildCount: Int?) -> Verdict {
        guard pixels.count >= fewestPixels else { return .unknown(.tooFewPixels) }
        let common = commonColour(pixels)
        let others = pixels.reduce(into: 0) { count, pixel in if !isAlike(pixel, common) { count += 1 } }
        // As divisions, so that no product can overflow.
        if others > pixels.count / 1_000 * greatestDeviation + pixels.count % 1_000 * greatestDeviation / 1_000 {
            return .notBlank(.pixelsDiffer)
        }
        switch bodyChildCount {
        case nil: return .unknown(.noAnswerOfPage)
        case .some(let count): return count > 0 ? .unknown(.elementsWithoutPixels) : .blank
        }
    }

    /// The colour of the middle of the sorted pixels: if nearly all are alike, it is theirs.
    private func commonColour(_ pixels: [UInt32]) -> UInt32 {
        let sorted = pixels.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    private func isAlike(_ one: UInt32, _ other: UInt32) -> Bool {
        [0, 8, 16, 24].allSatisfy { shift in
            let left = Int((one >> UInt32(shift)) & 0xFF)
            let right = Int((other >> UInt32(shift)) & 0xFF)
            return abs(left - right) <= Int(tolerance)
        }
    }
}
