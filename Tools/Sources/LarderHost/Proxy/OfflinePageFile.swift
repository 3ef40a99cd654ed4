import CacheEngine

/// The file that `--offline-page` names.
package enum OfflinePageFile {
    /// The most that such a page may have; it is kept in memory.
    static let sizeLimit = 1 << 20

    /// Reads the page, an HTML file in UTF-8.
    ///
    /// - Throws: `HostError`, code `badUse`: the file can't be read, or is longer than 1 MiB.
    package static func read(_ path: String) throws -> OfflinePage {
        let data: [UInt8]
        do throws(OrdinaryFile.Obstacle) {
            data = try OrdinaryFile.bytes(path, upTo: sizeLimit + 1)
        } catch {
            throw HostError(
                code: .badUse, message: "--offline-page '\(path)' can't be read (\(error.reason)); name an HTML file.")
        }
        guard data.count <= sizeLimit else {
            throw HostError(
                code: .badUse,
                message: "--offline-page '\(path)' is longer than \(sizeLimit) bytes.")
        }
        return OfflinePage(data)
    }
}
