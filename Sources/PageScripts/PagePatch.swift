/// A part of the scripts that Larder injects into pages where a scheme handler answers: it stands in for some functions of
/// the web view. Each can be left out on the pages of a host with which it clashes, see `WebViewOptions.unpatched`.
public enum PagePatch: String, Hashable, CaseIterable, Sendable, Codable {
    /// The contents that `fetch`, `XMLHttpRequest` and `sendBeacon` send. Left out, one with a Blob, File or stream is
    /// refused, and `response.url` is not that behind a redirect.
    case fetch, xhr, beacon
    /// Forms that the web view sends by itself as multipart/form-data. Left out, those with files are refused.
    case form
    /// The cookies of an `EventSource` of another origin. Left out, it has none.
    case eventSource

    /// Absolute addresses in `setAttribute` and `Attr` nodes. Left out, this and the next ones go past Larder.
    case attributes
    /// Those in `img.src` and the like.
    case properties
    /// Those in `innerHTML`, `document.write` and the like.
    case markup
    /// Those in `querySelector('[src="…"]')`.
    case selectors
    /// Those that `fetch`, `XMLHttpRequest`, `EventSource` and `Worker` are given.
    case requests
    /// Those in inline styles, rules and fonts.
    case styles
    /// Those in `pushState` and `replaceState`.
    case history
    /// The target of `postMessage`.
    case messages

    /// An object of JavaScript with a member for each patch that is left out on the page that runs the script.
    static func leftOut(_ unpatched: [String: Set<PagePatch>]) -> String {
        let hosts = unpatched.filter { isHost($0.key) }.sorted { $0.key < $1.key }.map { host, patches in
            let members = allCases.filter(patches.contains).map { ", \($0.rawValue): true" }.joined()
            return ", '\(host)': {__proto__: null\(members)}"
        }
        if hosts.isEmpty { return "{__proto__: null}" }
        // A frame without an address has the origin of its page.
        return "({__proto__: null\(hosts.joined())})"
            + "[location.host || origin.slice(origin.indexOf('//') + 2)] ?? {__proto__: null}"
    }

    /// Names of hosts have no quotes; others are no hosts.
    static func isHost(_ name: String) -> Bool {
        name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x27 && $0 != 0x5C }
    }
}
