import HTTPCacheSemantics

/// A web view that nobody sees, for one page. Whoever links a web view implements it.
///
/// Its requests have to reach the network through ``HiddenPageTraffic/transport(over:)``, by a proxy or a scheme
/// handler, and its data store has to be one of its own, empty and not kept.
package protocol HiddenPage: Sendable {
    /// Opens the page by GET, and returns once nothing of it loads any more or it can't be loaded. It also returns, or
    /// throws, soon after ``stop()``.
    ///
    /// - Throws: Where the web view can't be used at all.
    func load(_ url: String) async throws -> HiddenPageResult

    /// The memory that the page's processes hold now; `nil` where that is not known.
    var memory: ByteCount? { get async }

    /// Ends the page at once, whatever it is doing. May be called more than once.
    func stop() async
}

/// How a hidden page has loaded.
package struct HiddenPageResult: Hashable, Sendable {
    /// The document's, behind redirects; `nil` if there is no document.
    package var url: String?
    /// The status of the document's response, if there was one.
    package var status: Int?
    /// Why it did not load, in one sentence; `nil` if it did.
    package var problem: String?

    package init(url: String?, status: Int?, problem: String? = nil) {
        (self.url, self.status, self.problem) = (url, status, problem)
    }
}

/// Limits for a page that is loaded in a hidden web view.
public struct WholePageLimits: Hashable, Sendable {
    /// From its first request until nothing loads any more; 30 s unless set.
    public var time: Duration
    /// The most memory that its processes may hold; 512 MiB unless set. A web view takes 100 to 200 MiB for a page that
    /// does nothing.
    public var memory: ByteCount
    /// How often memory, network and budget are looked at; every 250 ms unless set.
    public var interval = Duration.milliseconds(250)

    public init(time: Duration = .seconds(30), memory: ByteCount = .mebibytes(512)) {
        (self.time, self.memory) = (time, memory)
    }
}
