/// Keeps captions of another origin from a page, which reads the text of each cue.
///
/// A `<track>` without `crossorigin` may have files of its document's own origin only (HTML §4.8.11.11.3: mode "same-origin").
/// WebKit 2.50 asks for others too, without CORS, and lets the page read them, also from its own network.
package enum CaptionCheck {
    /// Bytes that tell.
    package static let headerLength = 9

    /// Whether content begins as captions must, WebVTT §4.1; what does not, WebKit reads no cue of.
    package static func areCaptions(_ bytes: some Sequence<UInt8>) -> Bool {
        let start = Array(bytes.prefix(headerLength))
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        return text.starts(with: "WEBVTT".utf8)
    }

    package static let refusal = FetchError(
        code: .crossOrigin,
        message: "Captions of another origin need the attribute crossorigin, and that origin's permission.")
}
