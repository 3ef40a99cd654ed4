/// Looks whether a page in a web view shows nothing: a white screen. The page's own elements are asked, in a world of
/// scripts that the page has no part in; no picture is taken.
package struct EmptyPage: Hashable, Sendable {
    /// How long after the load a page may take to show something, such as scripts that draw it.
    package static let afterLoad = Duration.seconds(3)
    /// How long after its document began to come, where the load does not end.
    package static let afterCommit = Duration.seconds(10)

    /// The body of a function that returns `""` where something may be seen, or nobody looks; else whether the
    /// document's body has elements.
    ///
    /// Text counts, and boxes of what is replaced or drawn: images, canvases, films, frames, form fields, elements with
    /// a shadow tree, and backgrounds of the first 200 elements. So a canvas on which nothing is drawn counts as
    /// something.
    package static let script = """
        if (document.hidden || !innerWidth || !innerHeight || location.protocol === 'about:') return '';
        const body = document.body;
        if (!body) return 'nothing';
        const isBox = e => { const box = e.getBoundingClientRect(); return box.width > 1 && box.height > 1; };
        if (document.contentType !== 'text/html' && document.contentType !== 'application/xhtml+xml') return '';
        if (body.localName === 'frameset' || body.innerText.trim()) return '';
        const drawn = 'img,svg,canvas,video,audio[controls],iframe,embed,object,input,button,'
            + 'textarea,select,progress,meter,hr';
        if ([...body.querySelectorAll(drawn)].some(isBox)) return '';
        const all = [document.documentElement, body, ...body.querySelectorAll('*')];
        if (all.some(e => (e.shadowRoot || e.localName.includes('-')) && isBox(e))) return '';
        const hasImage = (e, index) => (index < 2 || isBox(e)) && getComputedStyle(e).backgroundImage !== 'none';
        if (all.slice(0, 200).some(hasImage)) return '';
        return body.childElementCount ? 'elements' : 'nothing';
        """

    /// Whether the body of a page that shows nothing has elements, as the script answers; `nil` for a page that shows
    /// something.
    package static func hasElements(_ answer: Any?) -> Bool? {
        switch answer as? String {
        case "elements": true
        case "nothing": false
        default: nil
        }
    }

    /// The page that showed nothing when it was looked at last.
    private var last: String?

    package init() {}

    /// A page was looked at.
    ///
    /// - Returns: Whether the same page showed nothing the last time, too; `nil` where it shows something.
    package mutating func looked(at url: String?, showsNothing: Bool) -> Bool? {
        defer { last = showsNothing ? url ?? "" : nil }
        return showsNothing ? last == url ?? "" : nil
    }
}

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
