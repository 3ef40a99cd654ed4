/// The script that turns, in pages at the app-cache scheme, the addresses that scripts write: ``AddressRewriting``
/// turns what stands in documents and style sheets.
///
/// A page reads back its addresses as it wrote them. Pages of other schemes are left as they are.
/// docs/rewriting.md states the coverage.
package struct AddressScript: Sendable {
    /// A part of the script that can be left out by itself, with the sinks that it covers.
    package enum Concern: String, Sendable, CaseIterable {
        /// `setAttribute` and `Attr` nodes.
        case attributes
        /// `img.src` and the like.
        case properties
        /// `innerHTML`, `document.write` and the like.
        case markup
        /// `querySelector('[src="…"]')`.
        case selectors
        /// `fetch`, `XMLHttpRequest`, `EventSource`, `Worker`.
        case requests
        /// Inline styles, rules and fonts.
        case styles
        /// `pushState` and `replaceState`.
        case history
        /// `postMessage`.
        case messages
    }

    private let rewriting: AddressRewriting
    private let leftOut: [Concern]
    /// The name of the two scripts' events; no page knows it either.
    private let signal = UploadScript.randomToken()

    /// - Parameters:
    ///   - rewriting: The one of the view's ``WebViewResponder``.
    ///   - leftOut: Concerns that are left to the web view; none unless set.
    package init(_ rewriting: AddressRewriting = AddressRewriting(), leavingOut leftOut: Set<Concern> = []) {
        self.rewriting = rewriting
        self.leftOut = Concern.allCases.filter(leftOut.contains)
    }

    /// Run it at the start of every document, in all frames, in the page's own world, behind other scripts that replace
    /// functions.
    package var script: String {
        ScriptStart.once(
            .addresses, "(\(Self.source))(\(values), \(Self.list(leftOut.map(\.rawValue))), '\(signal)', false);")
    }

    /// Run it in the same documents, in a world of its own: it finds what got past ``script``, turns what can still be
    /// turned, and counts both. Without it nothing is counted.
    ///
    /// - Parameter hook: The view's own. Its ``UploadScript/Mark/addresses`` are the counts.
    package func isolatedWorldScript(_ hook: UploadScript) -> String {
        ScriptStart.once(.addresses, "(\(Self.isolatedWorldSource))(\(values), '\(signal)', '\(hook.mark)', false);")
    }

    /// The hosts, and whether film and sound are turned.
    private var values: String {
        // Names of hosts have no quotes; others are no hosts.
        let hosts = rewriting.hosts.sorted().filter { $0.utf8.allSatisfy { $0 > 0x20 && $0 != 0x27 && $0 != 0x5C } }
        return "\(Self.list(hosts)), \(rewriting.includesMedia)"
    }

    private static func list(_ names: [String]) -> String { "[\(names.map { "'\($0)'" }.joined(separator: ", "))]" }
}

/// Which absolute addresses of pages at the app-cache scheme go through the cache.
///
/// A page at `app-cache-https://shop.test/` loads relative addresses from the cache by itself. An absolute one,
/// `https://shop.test/a.png`, would go past it, and would be another origin's. So what the page loads is turned in its
/// documents and style sheets as they are delivered; the store keeps the original. Imports of scripts with absolute
/// addresses stay, and are another origin's. See docs/rewriting.md.
public struct AddressRewriting: Hashable, Sendable {
    /// Hosts whose addresses are turned besides the page's own and that of the file itself; in lower case, with a port
    /// where it is not 443. None unless set. A page can load such a file only as it can load other origins' files.
    public var hosts: Set<String>
    /// Whether film and sound are turned; `true` unless set. Media players of WebKitGTK load nothing from an app's own
    /// scheme.
    public var includesMedia: Bool

    /// Rewriting for these hosts.
    public init(hosts: Set<String> = [], includesMedia: Bool = true) {
        self.hosts = hosts
        self.includesMedia = includesMedia
    }
}
