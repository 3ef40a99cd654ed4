import Foundation
import HTTPCacheSemantics
import Manifests
import Preloading
import ResponseStore

/// Keeps the memory of preloading from run to run, as small files in one folder: what was accepted
/// of each manifest, an id of this installation, and what is spent of the day's budget.
struct PreloadRecords: ManifestStateStorage {
    let folder: URL

    /// - Throws: ``HostError`` where the folder can't be made.
    init(folder path: String) throws {
        folder = URL(fileURLWithPath: path, isDirectory: true)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw HostError(
                code: .badUse, message: "The folder '\(path)' can't be made; choose another --state.", cause: error)
        }
        if let refusal = FolderOwnership.refusal(of: path) {
            throw HostError(code: .badUse, message: "--state: the folder '\(path)' \(refusal.words).")
        }
    }

    func manifestState(of id: String) throws -> ManifestState? {
        guard let text = try text("\(id).state") else { return nil }
        guard let state = ManifestState(text: text) else {
            throw HostError(
                code: .badUse,
                message: "'\(folder.appendingPathComponent("\(id).state").path)' is damaged. Remove it to begin anew; "
                    + "then an older manifest may be accepted once.")
        }
        return state
    }

    func change<Result>(_ id: String, _ change: (inout ManifestState) throws -> Result) throws -> Result {
        try locked {
            let known = try manifestState(of: id) ?? ManifestState()
            var state = known
            let result = try change(&state)
            if state != known { try write(state.text, "\(id).state") }
            return result
        }
    }

    /// A random text that stays the same; it decides which part of a staged rollout this installation is.
    func installID() throws -> String {
        func known() throws -> String? {
            try text("installation")?.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        if let id = try known(), !id.isEmpty { return id }
        return try locked {
            // Another process may have been first.
            if let id = try known(), !id.isEmpty { return id }
            let id = UUID().uuidString.lowercased()
            try write(id + "\n", "installation")
            return id
        }
    }

    /// The budget as spent today; an unspent one where that can't be read.
    var budget: PreloadBudget {
        (try? text("budget")).flatMap { $0 }.flatMap { PreloadBudget($0) } ?? PreloadBudget()
    }

    func keep(_ budget: PreloadBudget) throws {
        try locked {
            // Another process may have spent more since.
            let known = self.budget
            let isLess = (budget.day, budget.spent) < (known.day, known.spent)
            try write((isLess ? known : budget).description, "budget")
        }
    }

    /// The fields of the web view that was last open over this store; `nil` where none was.
    var viewFields: ViewFields? { (try? text("view-fields")).flatMap { $0 }.flatMap { ViewFields(text: $0) } }

    func keep(_ fields: ViewFields) throws {
        guard fields != viewFields else { return }
        try locked { try write(fields.text, "view-fields") }
    }

    /// Runs the closure while no other process does the same with this folder.
    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try FileLock.holding(folder.appendingPathComponent("lock").path, body)
        } catch let error as POSIXError {
            throw HostError(
                code: .badUse,
                message: "The folder '\(folder.path)' can't be written; check its permissions, or choose another "
                    + "--state.", cause: error)
        }
    }

    /// Limits the length of one of these files; they are far shorter.
    private static let mostBytes = 1 << 20

    private func text(_ name: String) throws -> String? {
        let path = folder.appendingPathComponent(name).path
        // A link whose file is missing is not nothing: what it led to may be lost.
        guard (try? FileManager.default.attributesOfItem(atPath: path)) != nil else { return nil }
        do throws(OrdinaryFile.Obstacle) {
            return String(decoding: try OrdinaryFile.bytes(path, upTo: Self.mostBytes), as: UTF8.self)
        } catch {
            throw HostError(
                code: .badUse,
                message: "'\(path)' can't be read (\(error.reason)); remove it, or choose another --state.")
        }
    }

    /// Only under ``locked(_:)``.
    private func write(_ text: String, _ name: String) throws {
        // The lock is held, so nobody else has this name now; what a killed process left there is written over.
        let (file, new) = (folder.appendingPathComponent(name), folder.appendingPathComponent("." + name + ".new"))
        do {
            try Data(text.utf8).write(to: new)
            let handle = try FileHandle(forUpdating: new)
            try handle.synchronize()
            try handle.close()
            guard rename(new.path, file.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        } catch {
            throw HostError(
                code: .badUse,
                message:
                    "'\(file.path)' can't be written; check the free space and the folder's permissions, or choose "
                    + "another --state.", cause: error)
        }
    }
}
