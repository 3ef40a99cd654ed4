import Foundation
import Glibc
import WebVisit

/// A data store for one visit: empty at first, gone afterwards.
///
/// It is a temporary directory and not WebKit's ephemeral kind of store, because sessions of that kind write no console
/// messages. Like that kind it has no disk cache, so that every use of a resource is asked for, save those that the web
/// process's memory cache answers.
struct DataDirectory {
    private let path: String

    /// Where cookies, storage and service workers are kept.
    var data: String { path + "/data" }
    /// Where caches are kept.
    var cache: String { path + "/cache" }

    /// Makes a directory that only this user can read, in `TMPDIR` or `/tmp`.
    ///
    /// - Throws: ``VisitFailure`` with code `fileSystem` if it cannot be made.
    init() throws(VisitFailure) {
        var template = Array((NSTemporaryDirectory() + "/larder-webview-XXXXXX").utf8CString)
        guard let made = String(copying: mkdtemp(&template)) else { throw Self.failure(errno) }
        path = made
        // WebKit keeps its disk cache in a directory of this name; where a file is, it goes without.
        guard mkdir(cache, 0o700) == 0 else { throw Self.failure(errno) }
        let file = open(cache + "/WebKitCache", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(errno) }
        close(file)
    }

    /// Deletes the directory; what cannot be deleted stays for whoever cleans the temporary directory.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    private static func failure(_ number: Int32) -> VisitFailure {
        VisitFailure(
            code: .fileSystem,
            message: "No directory can be made in '\(NSTemporaryDirectory())' (errno \(number)); set TMPDIR to a "
                + "directory that can be written.")
    }
}
