import CacheEngine
import Foundation
import Locking
import Manifests
import ResponseStore

/// The memory of preloading, one short text a file:
///
///     budget                the day, and what is spent of it (`PreloadBudget`)
///     installation          a random text; it never leaves the device
///     view-fields           `ViewFields`
///     lock                  empty; held while a process changes one of the others from what it has read
///     manifest-<32 digits>  a manifest's state (`ManifestState`), by the SHA-256 of its id
///     modes                 the modes of web views that a build of the system was found not to carry
///
/// A file appears whole, by rename(2), once it is on the disk. One that is damaged counts as missing, but for a
/// manifest's state: an older head must not take the place of a newer one unnoticed.
package struct PreloadStateFiles: ManifestStateStorage, PreloadStateStorage {
    private static let longest = 65_536

    package let folder: String

    /// - Parameter folder: Made when something is kept.
    package init(folder: String) { self.folder = folder }

    /// - Throws: `StoreError` for a damaged file.
    package func manifestState(of id: String) throws -> ManifestState? {
        let name = Self.name(id)
        guard let content = try content(of: name) else { return nil }
        guard let text = Self.text(content), let state = ManifestState(text: text) else {
            throw StoreError(
                code: .readFailed,
                message:
                    "'\(folder)/\(name)' is damaged. Remove it to begin anew; then an older manifest may be "
                    + "accepted once."
            )
        }
        return state
    }

    package func change<Result>(_ id: String, _ change: (inout ManifestState) throws -> Result) throws -> Result {
        try locked {
            let known = try manifestState(of: id) ?? ManifestState()
            var state = known
            let result = try change(&state)
            if state != known { try put(state.text, as: Self.name(id)) }
            return result
        }
    }

    /// Names that the accepted heads turn off (`ManifestHead.turnsOff`), of all manifests; a state that can't be read
    /// says nothing.
    package var turnedOff: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let states = names.filter { $0.hasPrefix("manifest-") }.map { try? text(of: $0).flatMap(ManifestState.init) }
        return Set(states.flatMap { $0?.turnsOff ?? [] })
    }

    private static func name(_ id: String) -> String {
        "manifest-" + ContentDigest(of: Array(id.utf8)).description.prefix(32)
    }

    package var budget: PreloadBudget? { (try? text(of: "budget")).flatMap { PreloadBudget($0) } }

    /// Another process may have spent more meanwhile: the more counts.
    package func keep(_ budget: PreloadBudget) throws {
        try locked {
            if let known = self.budget, (budget.day, budget.spent) < (known.day, known.spent) { return }
            try put(budget.description, as: "budget")
        }
    }

    package var viewFields: ViewFields? { (try? text(of: "view-fields")).flatMap { ViewFields(text: $0) } }

    package func keep(_ fields: ViewFields) throws {
        if fields != viewFields { try put(fields.text, as: "view-fields") }
    }

    // MARK: Modes

    /// Why modes of web views are not to be used on this build of the system, by their names: a sentence each.
    package func modeFaults(onBuild build: String) -> [String: String] {
        let lines = ((try? text(of: "modes")) ?? "").split(separator: "\n")
        guard lines.first.map(String.init) == Self.modesLine(build) else { return [:] }
        return Dictionary(
            lines.dropFirst().map { line in
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                return (parts[0], parts.count > 1 ? parts[1] : "")
            }, uniquingKeysWith: { $1 })
    }

    package func keep(modeFaults: [String: String], onBuild build: String) throws {
        let lines = modeFaults.sorted { $0.key < $1.key }.map { name, fault in
            name + " " + fault.replacingOccurrences(of: "\n", with: " ")
        }
        try put(([Self.modesLine(build)] + lines).joined(separator: "\n") + "\n", as: "modes")
    }

    private static func modesLine(_ build: String) -> String { "larder-modes 1 " + build }

    // MARK: The installation

    /// The same at each call; made at the first.
    ///
    /// - Throws: `POSIXError` when it can't be read or kept.
    package func installationID() throws -> String {
        func known() throws -> String? {
            try text(of: "installation").flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
        }
        if let id = try known() { return id }
        return try locked {
            // Another process may have been first.
            if let id = try known() { return id }
            let id = UUID().uuidString.lowercased()
            try put(id, as: "installation")
            return id
        }
    }

    // MARK: Files

    /// - Returns: `nil` for a file that is not there, is too long, or is not UTF-8.
    private func text(of name: String) throws -> String? { try content(of: name).flatMap(Self.text) }

    private static func text(_ content: Data) -> String? {
        content.count <= longest ? String(data: content, encoding: .utf8) : nil
    }

    /// - Returns: `nil` for a file that is not there. Of a long one, more than ``longest``.
    private func content(of name: String) throws -> Data? {
        let descriptor = open(folder + "/" + name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let failure = Self.failure
            var status = stat()
            // A link whose file is missing is not nothing: what it led to may be lost.
            guard errno == ENOENT || errno == ENOTDIR, lstat(folder + "/" + name, &status) != 0 else { throw failure }
            return nil
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return try file.read(upToCount: Self.longest + 1) ?? Data()
    }

    /// Runs the closure while no other process, and no other thread of this one, does the same with this folder.
    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try makeFolder()
        return try FileLock.holding(folder + "/lock", body)
    }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func put(_ text: String, as name: String) throws {
        try makeFolder()
        let (path, temporary) = (folder + "/" + name, folder + "/." + name + "." + UUID().uuidString)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure }
        do {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try file.write(contentsOf: Data(text.utf8))
            try file.synchronize()
            guard rename(temporary, path) == 0 else { throw Self.failure }
        } catch {
            unlink(temporary)
            throw error
        }
        try synchronizeFolder()
    }

    /// The new name is on the disk only then.
    private func synchronizeFolder() throws {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Self.failure }
    }

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

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
