/// Which absolute addresses of pages at the app-cache scheme go through the cache.
///
/// A page at `app-cache-https://shop.test/` loads relative addresses from the cache by itself. An absolute one,
/// `https://shop.test/a.png`, would go past it, and would be another origin's. So what the page loads is turned in its
/// documents, style sheets and scripts as they are delivered; the store keeps the original. See docs/rewriting.md.
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
