/// The script that turns, in pages at the app-cache scheme, the addresses that scripts write: ``AddressRewriting``
/// turns what stands in documents and style sheets.
///
/// A page reads back its addresses as it wrote them. Pages of other schemes are left as they are.
/// docs/rewriting.md states the coverage.
package struct AddressScript: Sendable {
    private let rewriting: AddressRewriting
    private let unpatched: [String: Set<PagePatch>]
    /// The name of the two scripts' events; no page knows it either.
    private let signal = UploadScript.randomToken()

    /// - Parameters:
    ///   - rewriting: The one of the view's ``WebViewResponder``.
    ///   - unpatched: What is left to the web view, by host; nothing unless set.
    package init(_ rewriting: AddressRewriting = AddressRewriting(), unpatched: [String: Set<PagePatch>] = [:]) {
        (self.rewriting, self.unpatched) = (rewriting, unpatched)
    }

    /// Run it at the start of every document, in all frames, in the page's own world, behind other scripts that replace
    /// functions.
    package var script: String {
        ScriptStart.once(
            "addresses", "(\(Self.source))(\(values), \(PagePatch.leftOut(unpatched)), '\(signal)', false);")
    }

    /// Run it in the same documents, in a world of its own: it finds what got past ``script``, turns what can still be
    /// turned, and counts both. Without it nothing is counted.
    ///
    /// - Parameter hook: The view's own. Its ``UploadScript/Mark/addresses`` are the counts.
    package func isolatedWorldScript(_ hook: UploadScript) -> String {
        ScriptStart.once("addresses", "(\(Self.isolatedWorldSource))(\(values), '\(signal)', '\(hook.mark)', false);")
    }

    /// The hosts, and whether film and sound are turned.
    private var values: String {
        let hosts = rewriting.hosts.sorted().filter(PagePatch.isHost).map { "'\($0)'" }
        return "[\(hosts.joined(separator: ", "))], \(rewriting.includesMedia)"
    }
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
