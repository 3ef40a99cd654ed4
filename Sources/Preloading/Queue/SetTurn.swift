import CacheEngine
import Foundation
import Locking
import ResponseStore

/// The turn to fetch a set into a store, and to put it in place: one process at a time has it, whoever it is. Of two at
/// once, each would put files in place before the other's documents. The turn of a process ends with it.
package final class SetTurn: Sendable {
    /// How soon it is looked whether the other one is done.
    private static let interval = Duration.milliseconds(100)

    private let lock: LockedBox<HeldFileLock?>

    private init(_ lock: HeldFileLock?) { self.lock = LockedBox(lock) }

    /// Lets others have it, before this is forgotten: iOS ends an app that is suspended with a lock.
    package func end() { lock.withLock { $0 = nil } }

    /// Waits for others. Where nobody can take turns, because the folder can't be written, it does not wait.
    ///
    /// - Parameters:
    ///   - folder: The same for all that fetch into the store.
    ///   - waiting: Is called once where somebody else has the turn.
    /// - Throws: `CancellationError`.
    package static func take(
        _ set: String, of account: String, in folder: String, _ cache: ResponseCache, waiting: () -> Void = {}
    ) async throws -> SetTurn {
        var hasher = SHA256Hasher()
        hasher.update(Array((account + "\n" + set).utf8))
        let path = "\(folder)/turn-\((hasher.digest()?.description ?? "set").prefix(32))"
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var isWaiting = false
        while true {
            do {
                if let lock = try FileLock.take(path) { return SetTurn(lock) }
            } catch {
                return SetTurn(nil)
            }
            if !isWaiting { waiting() }
            isWaiting = true
            try await cache.sleep(interval)
        }
    }
}
