import CacheEngine
import Foundation
import HTTPCacheSemantics
import Locking
import Manifests
import ResponseStore

/// The memory of preloading, one short file each, in JSON but for `installation` and the lock:
///
///     budget                the day, and what is spent of it
///     installation          a random text; it never leaves the device
///     view-fields           `ViewFields`
///     lock                  empty; held while a process changes one of the others from what it has read
///     manifest-<32 digits>  a manifest's state (`ManifestState`), by the SHA-256 of its id
///     modes                 the modes of web views that a build of the system was found not to carry
///
/// A file appears whole, by rename(2), once it is on the disk. One that is damaged counts as missing, but for a
/// manifest's state: an older head must not take the place of a newer one unnoticed.
package struct PreloadStateFiles: Sendable {
    private static let longest = 65_536

    package let folder: String

    /// - Parameter folder: Made when something is kept.
    package init(folder: String) { self.folder = folder }

    /// The state that an installation has accepted; `nil` before the first. Throws `StoreError` for a damaged file.
    package func manifestState(of id: String) throws -> ManifestState? {
        let name = Self.name(id)
        guard let content = try content(of: name) else { return nil }
        guard let state: ManifestState = Self.value(content) else {
            throw StoreError(
                code: .readFailed,
                message:
                    "'\(folder)/\(name)' is damaged. Remove it to begin anew; then an older manifest may be "
                    + "accepted once.")
        }
        return state
    }

    /// Keeps what the closure makes of the state; nothing is kept where it throws. From its reading until it is kept
    /// nobody else changes it, in this process or another one: an old serial must not follow a newer one, nor a
    /// revocation go. Returns once it is kept: nothing is fetched before.
    package func change<Result>(_ id: String, _ change: (inout ManifestState) throws -> Result) throws -> Result {
        try locked {
            let known = try manifestState(of: id) ?? ManifestState()
            var state = known
            let result = try change(&state)
            if state != known { try put(Self.content(state), as: Self.name(id)) }
            return result
        }
    }

    /// Names that the accepted heads of all manifests turn off (`ManifestHead.turnsOff`), as far as they can be read.
    package var turnedOff: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let states: [ManifestState] = names.filter { $0.hasPrefix("manifest-") }.compactMap { value(of: $0) }
        return Set(states.flatMap(\.turnsOff))
    }

    private static func name(_ id: String) -> String {
        "manifest-" + BodyDigest(of: Array(id.utf8)).description.prefix(32)
    }

    /// The bytes that are spent of a budget on a day.
    private struct Spending: Codable {
        var day: Int64
        var spent: Int64
    }

    package var budget: PreloadBudget? {
        let kept: Spending? = value(of: "budget")
        return kept.flatMap { PreloadBudget(day: $0.day, spentBytes: $0.spent) }
    }

    /// Another process may have spent more meanwhile: the more counts.
    package func keep(_ budget: PreloadBudget) throws {
        try locked {
            if let known = self.budget, (budget.day, budget.spent) < (known.day, known.spent) { return }
            try put(Self.content(Spending(day: budget.day, spent: budget.spent.bytes)), as: "budget")
        }
    }

    package var viewFields: ViewFields? { value(of: "view-fields") }

    package func keep(_ fields: ViewFields) throws {
        if fields != viewFields { try put(Self.content(fields), as: "view-fields") }
    }

    // MARK: Modes

    /// With the build: `Version 26.1 (Build 23B85)`.
    package static var system: String { ProcessInfo.processInfo.operatingSystemVersionString }

    private struct Modes: Codable {
        var build: String
        var faults: [String: String]
    }

    /// Why modes of web views are not to be used on this build of the system, by their names: a sentence each.
    package func modeFaults(onBuild build: String = system) -> [String: String] {
        let known: Modes? = value(of: "modes")
        return known.map { $0.build == build ? $0.faults : [:] } ?? [:]
    }

    package func keep(modeFaults: [String: String], onBuild build: String = system) throws {
        try put(Self.content(Modes(build: build, faults: modeFaults)), as: "modes")
    }

    // MARK: The installation

    /// The same at each call; made at the first. Throws `POSIXError` when it can't be read or kept.
    package func installationID() throws -> String {
        func known() throws -> String? {
            guard let content = try content(of: "installation"), let id = String(data: content, encoding: .utf8),
                UUID(uuidString: id) != nil
            else { return nil }
            return id
        }
        if let id = try known() { return id }
        return try locked {
            // Another process may have been first.
            if let id = try known() { return id }
            let id = UUID().uuidString.lowercased()
            try put(Data(id.utf8), as: "installation")
            return id
        }
    }

    // MARK: Files

    /// - Returns: `nil` for a file that is not there, is too long, or has nothing of this kind.
    private func value<Value: Decodable>(of name: String) -> Value? {
        (try? content(of: name)).flatMap { Self.value($0) }
    }

    /// - Returns: `nil` for what ``content(_:)`` did not make.
    package static func value<Value: Decodable>(_ content: Data) -> Value? {
        guard content.count <= longest else { return nil }
        return try? JSONDecoder().decode(Value.self, from: content)
    }

    /// The content of a value's file.
    package static func content(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    /// - Returns: `nil` for a file that is not there. Of a long one, more than ``longest``.
    private func content(of name: String) throws -> Data? {
        let descriptor = open(folder + "/" + name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let failure = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
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

    fileprivate func makeFolder() throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    private func put(_ content: Data, as name: String) throws {
        try makeFolder()
        // The temporary file has a name of its own: not each of them is kept with the lock.
        try WholeFile.put(Array(content), as: name, in: folder, by: ".\(name).\(UUID().uuidString)")
    }
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
        let digest = BodyDigest(of: Array((account + "\n" + set).utf8)).description
        let path = "\(folder)/turn-\(digest.prefix(32))"
        try? PreloadStateFiles(folder: folder).makeFolder()
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
