import CWebKitGTK
import Foundation
import Glibc
import WebVisit

/// A data store on disk: for one visit, empty at first and gone afterwards, or kept in a directory that has a name.
///
/// It is never WebKit's ephemeral kind of store, because sessions of that kind write no console messages. Like that
/// kind it has no disk cache unless the visit wants one, so that every use of a resource is asked for, save those that
/// the web process's memory cache answers.
struct DataDirectory {
    private let path: String
    /// Whether it outlives the process.
    let isKept: Bool

    /// Where cookies, storage and service workers are kept.
    var data: String { path + "/data" }
    /// Where caches are kept.
    var cache: String { path + "/cache" }
    /// WebKit keeps its disk cache in a directory of this name; where a file is, it goes without.
    private var diskCache: String { cache + "/WebKitCache" }

    /// The directory that a visit names, or a new one in `TMPDIR` or `/tmp`; only this user can read what is made here.
    ///
    /// - Throws: ``VisitFailure`` with code `fileSystem` if it cannot be made, `badRequest` if its path is not
    ///   absolute.
    init(for request: VisitRequest) throws(VisitFailure) {
        if let directory = request.dataDirectory {
            try self.init(kept: directory)
            try request.usesDiskCache ? allowDiskCache() : refuseDiskCache()
        } else {
            var template = Array((NSTemporaryDirectory() + "/larder-webview-XXXXXX").utf8CString)
            guard let made = String(copying: mkdtemp(&template)) else { throw Self.failure(NSTemporaryDirectory()) }
            self.init(path: made, isKept: false)
            guard mkdir(cache, 0o700) == 0 else { throw Self.failure(made) }
            try refuseDiskCache()
        }
    }

    /// A directory that is kept, with what it has.
    ///
    /// - Throws: As ``init(for:)``.
    init(kept directory: String) throws(VisitFailure) {
        guard directory.hasPrefix("/") else {
            throw VisitFailure(code: .badRequest, message: "The data directory '\(directory)' is no absolute path.")
        }
        self.init(path: directory, isKept: true)
        do {
            try FileManager.default.createDirectory(
                atPath: cache, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Self.failure(directory)
        }
    }

    private init(path: String, isKept: Bool) {
        (self.path, self.isKept) = (path, isKept)
    }

    private func refuseDiskCache() throws(VisitFailure) {
        try? FileManager.default.removeItem(atPath: diskCache)
        let file = open(diskCache, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(cache) }
        close(file)
    }

    private func allowDiskCache() throws(VisitFailure) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: diskCache, isDirectory: &isDirectory), !isDirectory.boolValue
        else {
            return
        }
        guard unlink(diskCache) == 0 else { throw Self.failure(cache) }
    }

    /// Makes WebKit write cookies down, which it does for nobody who does not ask. Those without a lifetime it never
    /// does.
    @MainActor
    func keepCookies(_ cookies: UnsafeMutablePointer<WebKitCookieManager>?) {
        guard isKept else { return }
        webkit_cookie_manager_set_persistent_storage(
            cookies, path + "/cookies.sqlite", WEBKIT_COOKIE_PERSISTENT_STORAGE_SQLITE)
    }

    /// Deletes the directory; what cannot be deleted stays for whoever cleans the temporary directory.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static func failure(_ directory: String) -> VisitFailure {
        VisitFailure(
            code: .fileSystem,
            message: "Nothing can be made in '\(directory)' (errno \(errno)); name a directory that can be written.")
    }
}
