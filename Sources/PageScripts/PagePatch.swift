/// A part of the scripts that Larder injects into pages where a scheme handler answers: it stands in for some functions
/// of the web view. Each can be left out on the pages of a host with which it clashes, see `WebViewOptions.unpatched`.
public enum PagePatch: String, Hashable, CaseIterable, Sendable, Codable {
    /// The contents that `fetch`, `XMLHttpRequest` and `sendBeacon` send. Left out, what they send with content is
    /// refused, as nothing tells whether it holds a Blob; at the app-cache scheme what they get comes without cookies;
    /// and `response.url` is not that behind a redirect.
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

/// How often the injected scripts have stood in for something, for the report of a session.
package struct ScriptCounts: Hashable, Sendable {
    /// Requests that it has marked or sent content for.
    package private(set) var touched: [PagePatch: Int] = [:]
    /// Faults of its own, after which a request was left to the web view as it was.
    package private(set) var faults: [PagePatch: Int] = [:]

    /// Addresses that got past ``AddressScript``.
    package private(set) var addresses = AddressCounts()

    package init() {}

    /// - Parameter mark: The mark of a request that has come.
    package mutating func note(_ mark: UploadScript.Mark) {
        if let fault = mark.fault { faults[fault, default: 0] += 1 }
        if let concern = mark.concern { touched[concern, default: 0] += 1 }
        if let addresses = mark.addresses { self.addresses.add(addresses) }
        // A form's own request has no mark.
        switch mark.upload {
        case .begin(_, _, isForm: true), .hold: touched[.form, default: 0] += 1
        default: break
        }
    }
}

/// Counts the addresses that got past ``AddressScript`` on pages at the app-cache scheme.
package struct AddressCounts: Hashable, Sendable {
    /// Addresses in documents that no one had turned, and that were turned when they were there. Some were asked for
    /// before.
    package private(set) var repaired = 0
    /// Requests that went to a named host itself. Where the page goes, beacons and sockets are not meant to be turned,
    /// nor counted; nor is what workers ask for.
    package private(set) var escaped = 0
    /// Faults of the scripts, each of which left an address as it was.
    package private(set) var faults = 0
    /// Documents on which nothing is turned any more: there were 8 faults, or 100 of ``repaired`` and ``escaped``.
    package private(set) var fallbacks = 0

    package init() {}

    /// Limits what one report may add to each count.
    static let mostInReport = 1_000

    /// - Parameter report: `repaired.escaped.faults.fallbacks`, each since the last report of its document.
    ///
    /// Returns `nil` for anything else.
    init?(report: Substring) {
        let counts = report.split(separator: ".", omittingEmptySubsequences: false).map { UInt16($0).map(Int.init) }
        guard counts.count == 4, let repaired = counts[0], let escaped = counts[1], let faults = counts[2],
            let fallbacks = counts[3]
        else { return nil }
        self.repaired = min(repaired, Self.mostInReport)
        self.escaped = min(escaped, Self.mostInReport)
        self.faults = min(faults, Self.mostInReport)
        self.fallbacks = min(fallbacks, 1)
    }

    mutating func add(_ other: Self) {
        repaired += other.repaired
        escaped += other.escaped
        faults += other.faults
        fallbacks += other.fallbacks
    }
}
