import CacheEngine
import HTTPCacheSemantics
import WebVisit

/// The data that web views keep in one directory, for ``LocalProxy/clear(_:and:in:since:)``.
///
/// WebKit wants to be alone with a directory: no page that uses it may be open.
package struct WebViewData: WebsiteDataStore {
    private let directory: String
    private let display: Display

    /// - Parameters:
    ///   - directory: The absolute path of the data directory.
    ///   - display: The display that the web view paints on.
    package init(directory: String, display: Display) {
        (self.directory, self.display) = (directory, display)
    }

    /// - Throws: ``HostError``: nothing was removed, with ``HostError/Code/badUse`` where the web view has no way to.
    package func removeData(of kinds: Set<WebsiteDataKind>, host: String?, since: WallInstant?) async throws {
        let clearing = WebsiteDataClearing(
            kinds, host: host, modifiedSince: host == nil ? since.map { $0.sinceEpoch / .seconds(1) } : nil,
            dataDirectory: directory)
        try await WebViewProcess(display: display).clear(clearing)
    }
}
