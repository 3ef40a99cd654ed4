import CWebKitGTK
import WebVisit

/// Removes, by kinds, what WebKit keeps beside Larder's store: cookies, caches, storage.
@MainActor
struct WebsiteData {
    private let manager: UnsafeMutablePointer<WebKitWebsiteDataManager>

    /// The data of views that exist.
    init(_ manager: UnsafeMutablePointer<WebKitWebsiteDataManager>) {
        self.manager = manager
    }

    /// The data in a directory that no view uses. The manager is never freed: the process ends with its task.
    ///
    /// - Throws: ``VisitFailure`` with code `badRequest` if WebKit cannot make a manager for it.
    init(in directory: DataDirectory) throws(VisitFailure) {
        guard let manager = larder_website_data_manager_new(directory.data, directory.cache) else {
            throw VisitFailure(code: .badRequest, message: "WebKitGTK could not use the data directory.")
        }
        self.manager = manager
        directory.keepCookies(webkit_website_data_manager_get_cookie_manager(manager))
    }

    /// Removes data, and returns when it is gone from memory and disk.
    ///
    /// - Parameter limit: The longest time that it may take. Default 60 seconds.
    /// - Throws: ``VisitFailure`` with code `unsupported` for a kind that can't be removed since a time, before
    ///   anything is; `fileSystem` if WebKit says that it failed, or does not answer in time.
    func clear(_ clearing: WebsiteDataClearing, within limit: Duration = .seconds(60)) async throws(VisitFailure) {
        guard !clearing.kinds.isEmpty else { return }
        if let host = clearing.host { return try await clear(clearing.kinds, of: host, within: limit) }
        guard let span = try Self.span(of: clearing) else { return }
        let failure = await Reply<String>.first(within: limit) { reply in
            webkit_website_data_manager_clear(
                manager, Self.types(of: clearing.kinds), span, nil,
                { source, result, data in
                    var error: UnsafeMutablePointer<GError>?
                    let isDone = webkit_website_data_manager_clear_finish(
                        source?.cast(to: WebKitWebsiteDataManager.self), result, &error)
                    let failure = isDone != 0 ? "" : String(taking: error)
                    Reply<String>.take(data) { $0.resolve(failure) }
                }, reply.retainedForCallback())
        }
        try Self.check(failure)
    }

    /// - Parameter failure: Empty where there is none; `nil` where WebKit did not answer in time.
    private static func check(_ failure: String?) throws(VisitFailure) {
        guard failure != "" else { return }
        throw VisitFailure(
            code: .fileSystem, message: "Website data was not removed: " + (failure ?? "WebKit did not answer in time.")
        )
    }

    /// WebKit keeps the data of a registrable domain together.
    private func clear(
        _ kinds: Set<WebsiteDataKind>, of host: String, within limit: Duration
    ) async throws(VisitFailure) {
        let types = Self.types(of: kinds)
        let found = await Reply<Records>.first(within: limit) { reply in
            webkit_website_data_manager_fetch(
                manager, types, nil,
                { source, result, data in
                    let list = webkit_website_data_manager_fetch_finish(
                        source?.cast(to: WebKitWebsiteDataManager.self), result, nil)
                    let records = Records(list: list)
                    Reply<Records>.take(data) { $0.resolve(records) }
                }, reply.retainedForCallback())
        }
        guard let found else { return try Self.check(nil) }
        defer { g_list_free_full(found.list) { webkit_website_data_unref(OpaquePointer($0)) } }
        var own: UnsafeMutablePointer<GList>?
        var next = found.list
        while let record = next {
            let name = String(copying: webkit_website_data_get_name(OpaquePointer(record.pointee.data))) ?? ""
            if host == name || host.hasSuffix("." + name) { own = g_list_prepend(own, record.pointee.data) }
            next = record.pointee.next
        }
        guard let own else { return }
        defer { g_list_free(own) }
        let failure = await Reply<String>.first(within: limit) { reply in
            webkit_website_data_manager_remove(
                manager, types, own, nil,
                { source, result, data in
                    var error: UnsafeMutablePointer<GError>?
                    let isDone = webkit_website_data_manager_remove_finish(
                        source?.cast(to: WebKitWebsiteDataManager.self), result, &error)
                    let failure = isDone != 0 ? "" : String(taking: error)
                    Reply<String>.take(data) { $0.resolve(failure) }
                }, reply.retainedForCallback())
        }
        try Self.check(failure)
    }

    /// A list on its way from the callback to the waiting function, both on the main thread, hence unchecked.
    private struct Records: @unchecked Sendable {
        let list: UnsafeMutablePointer<GList>?
    }

    /// The kinds of which WebKitGTK removes what is newer than a time, and leaves the rest; seen in 2.50.6.
    ///
    /// The others have no times that count. Cookies and the disk cache would stay ("this function
    /// does not currently delete any stored cookies if timespan is nonzero"; cache records are
    /// compared by a time that they lack on Linux), service workers would all go. How it is with
    /// the rest was not seen.
    private static let timed: Set<WebsiteDataKind> = [.fetchCache, .hstsCache, .indexedDBDatabases, .localStorage]

    /// How far back WebKit has to look, in microseconds; `nil` where nothing can be as new as that.
    ///
    /// The call takes a span back from now in which something was modified, and 0 for all there is. So a time that has
    /// just come must not become 0.
    private static func span(of clearing: WebsiteDataClearing) throws(VisitFailure) -> GTimeSpan? {
        guard let since = clearing.modifiedSince else { return 0 }
        let others = clearing.kinds.subtracting(timed).map(\.rawValue).sorted()
        guard others.isEmpty else {
            throw VisitFailure(
                code: .unsupported,
                message: "WebKitGTK can't remove \(others.joined(separator: ", ")) since a time; remove all of it, or "
                    + "leave it out.")
        }
        // WebKit takes the fraction of a second off the times of files (WTF's FileSystem), and counts the span from a
        // little later on.
        let first = clearing.kinds == [.hstsCache] ? since : since.rounded(.down) - 0.5
        let span = Double(g_get_real_time()) - first * 1_000_000
        guard span >= 1, since * 1_000_000 <= Double(g_get_real_time()) else { return nil }
        return GTimeSpan(min(span, 9e18))
    }

    private static func types(of kinds: Set<WebsiteDataKind>) -> WebKitWebsiteDataTypes {
        WebKitWebsiteDataTypes(rawValue: kinds.reduce(0) { $0 | type(of: $1).rawValue })
    }

    private static func type(of kind: WebsiteDataKind) -> WebKitWebsiteDataTypes {
        switch kind {
        case .cookies: WEBKIT_WEBSITE_DATA_COOKIES
        case .diskCache: WEBKIT_WEBSITE_DATA_DISK_CACHE
        case .memoryCache: WEBKIT_WEBSITE_DATA_MEMORY_CACHE
        case .localStorage: WEBKIT_WEBSITE_DATA_LOCAL_STORAGE
        case .sessionStorage: WEBKIT_WEBSITE_DATA_SESSION_STORAGE
        case .indexedDBDatabases: WEBKIT_WEBSITE_DATA_INDEXEDDB_DATABASES
        case .serviceWorkerRegistrations: WEBKIT_WEBSITE_DATA_SERVICE_WORKER_REGISTRATIONS
        case .fetchCache: WEBKIT_WEBSITE_DATA_DOM_CACHE
        case .hashSalt: WEBKIT_WEBSITE_DATA_DEVICE_ID_HASH_SALT
        case .hstsCache: WEBKIT_WEBSITE_DATA_HSTS_CACHE
        case .resourceLoadStatistics: WEBKIT_WEBSITE_DATA_ITP
        }
    }
}
