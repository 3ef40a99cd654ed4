import Fetching

/// Keeps pages at the app-cache scheme from plain http, as WebKit itself keeps pages at https from
/// it (W3C Mixed Content): content rules, which WebKit asks in each document, frame and worker,
/// however it came to be, and at each redirect.
///
/// As WebKitGTK 2.50 does at https (measured): images, film and sound are asked for by https; everything else is
/// blocked, but for what replaces the page itself or opens a window. `http` at loopback counts as secure for images
/// alone.
///
/// Rules also keep captions of other hosts from a page, which WebKit would let it read without CORS (HTML
/// §4.8.11.11.3). To a rule they are `media`, as film and sound are; so of all media that go past Larder only what is
/// named as film or sound by the end of its path is asked for, and nothing at loopback. Elsewhere `CaptionCheck` looks
/// at the content.
///
/// WebKit does `upgrade-insecure-requests` before these rules, in pages of any scheme, and `block-all-mixed-content` is
/// of no effect at https either.
///
/// Rules can't tell everything that WebKit looks at: an image of `srcset` is upgraded, which WebKit blocks, and one at
/// a port of its own is blocked, which WebKit upgrades.
package enum MixedContentRules {
    /// The rules for all that belongs to a page of the scheme, as JSON text.
    package static let ofPages = text(condition: "if-top-url")

    /// The rules for the scheme's documents in frames of other pages, as JSON, for recent WebKit.
    package static let ofFrames = text(condition: "if-frame-url")

    private static let blocked = [
        "style-sheet", "script", "font", "raw", "svg-document", "ping", "fetch", "websocket", "other", "child-document",
        "csp-report",
    ]
    private static let upgraded = ["image", "media"]
    /// How names of film and sound end, of playlists and of their parts.
    private static let played = [
        "3gp", "aac", "aif", "aiff", "avi", "caf", "flac", "m3u8", "m4a", "m4b", "m4p", "m4s", "m4v", "mkv", "mov",
        "mp3", "mp4", "mpeg", "mpg", "oga", "ogg", "ogv", "opus", "ts", "wav", "weba", "webm",
    ]

    private static func text(condition: String) -> String {
        func rule(_ url: String, _ types: [String], _ action: String) -> String {
            let types = types.map { "\"\($0)\"" }.joined(separator: ",")
            let pattern = url.replacing("\\", with: "\\\\")
            return """
                {"trigger":{"url-filter":"\(pattern)","resource-type":[\(types)],\
                "\(condition)":["^\(AppCacheScheme.name):"]},"action":{"type":"\(action)"}}
                """
        }
        // No rule counts any more for what `ignore-previous-rules` lets pass, so this comes first.
        var rules = [rule("^https?:", ["media"], "block")]
        for name in played {
            for end in ["$", "[?#]"] {
                rules.append(rule(#"^https?://[^?#]*\."# + name + end, ["media"], "ignore-previous-rules"))
            }
        }
        rules += [rule("^http:", blocked, "block"), rule("^ws:", blocked, "block")]
        rules.append(rule("^http:", upgraded, "make-https"))
        // A rule upgrades what is at the port of the scheme. URLs come here in their normal form: with a path, without
        // that port.
        rules.append(rule(#"^http://[^/]*:[0-9]+/"#, upgraded, "block"))
        // Mixed Content §4.1: no address is upgraded.
        for userinfo in ["", "[^/]*@"] {
            rules.append(rule("^http://\(userinfo)" + #"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+/"#, upgraded, "block"))
        }
        for host in ["localhost", #"[^/:@]*\.localhost"#, #"127\.[0-9]+\.[0-9]+\.[0-9]+"#] {
            for port in ["", ":[0-9]+"] {
                rules.append(rule("^http://\(host)\(port)/", ["image"], "ignore-previous-rules"))
            }
        }
        return "[\(rules.joined(separator: ","))]"
    }
}
