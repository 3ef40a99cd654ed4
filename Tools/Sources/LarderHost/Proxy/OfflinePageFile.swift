import CacheEngine
import Foundation

/// The file that `--offline-page` names.
public enum OfflinePageFile {
    /// The most that such a page may have; it is kept in memory.
    static let sizeLimit = 1 << 20

    /// Reads the page, an HTML file in UTF-8.
    ///
    /// - Throws: `HostError`, code `badUse`: the file can't be read, or is longer than 1 MiB.
    public static func read(_ path: String) throws -> OfflinePage {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw HostError(
                code: .badUse, message: "--offline-page '\(path)' can't be read; name an HTML file.", cause: error)
        }
        guard data.count <= sizeLimit else {
            throw HostError(
                code: .badUse,
                message: "--offline-page '\(path)' has \(data.count) bytes; it may have \(sizeLimit).")
        }
        return OfflinePage(Array(data))
    }
}
