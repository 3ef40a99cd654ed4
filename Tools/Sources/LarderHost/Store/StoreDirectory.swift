import Foundation
import ResponseStore

/// Where the tool keeps its store unless told otherwise.
package enum StoreDirectory {
    /// `$XDG_CACHE_HOME/larder`, else `~/Library/Caches/larder` on macOS and `~/.cache/larder` elsewhere.
    package static func standard(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let cache = environment["XDG_CACHE_HOME"], !cache.isEmpty { return cache + "/larder" }
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?.path
        return (caches ?? NSHomeDirectory() + "/.cache") + "/larder"
    }

    package static func isStore(_ directory: String) -> Bool {
        FileManager.default.fileExists(atPath: directory + "/index.sqlite")
    }

    /// Opens a store that is there.
    ///
    /// - Throws: ``HostError`` where there is none, `StoreError` where it can't be opened.
    static func open(_ directory: String) throws -> DiskResponseStore {
        guard isStore(directory) else {
            let files = FileManager.default
            guard !files.fileExists(atPath: directory) || files.isReadableFile(atPath: directory) else {
                throw HostError(
                    code: .badUse,
                    message: "The folder '\(directory)' can't be read; permit it, or name another with --store.")
            }
            throw HostError(
                code: .badUse,
                message: "There is no store in '\(directory)'; name one with --store, or fill it with larder open.")
        }
        return try DiskResponseStore(directory: directory, budget: budget)
    }

    /// A computer has more room than a phone, and developers want long media stored as well.
    static let budget = StoreBudget(total: .mebibytes(8_192))
}
