import ArgumentParser
import Foundation

/// Files that a command writes when its work is done: looked at before the work begins.
enum FilesToWrite {
    /// Only the user can read it.
    ///
    /// - Throws: `ExitCode` 74 where it can't be written.
    static func write(_ bytes: Data, to path: String, _ option: String) throws {
        let url = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            // With these rights from its first byte on; an older file keeps its own until then.
            let isThere = FileManager.default.fileExists(atPath: url.path)
            if isThere {
                try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
            } else {
                _ = FileManager.default.createFile(
                    atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
            }
            try bytes.write(to: url)
        } catch {
            Console.note("larder: \(option): '\(path)' can't be written; check the free space and its permissions.")
            throw ExitCode(74)
        }
    }

    /// A folder that is missing is made later, in the first one above it that exists.
    ///
    /// - Throws: `ValidationError` where no file can be written.
    static func check(_ path: String, _ option: String) throws {
        var url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            throw ValidationError("\(option) takes a file, and '\(path)' is a folder.")
        }
        let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
        // Nobody may read what is written to a pipe, and its writer would wait for ever.
        if let type, [.typeUnknown, .typeSocket, .typeBlockSpecial].contains(type) {
            throw ValidationError("\(option) takes a file, and '\(path)' is a pipe or a device.")
        }
        if FileManager.default.isWritableFile(atPath: url.path) { return }
        repeat {
            url.deleteLastPathComponent()
        } while url.path != "/" && !FileManager.default.fileExists(atPath: url.path)
        _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        let isWritable = FileManager.default.isWritableFile(atPath: url.path)
        guard isWritable, isFolder.boolValue else {
            throw ValidationError(
                "\(option): '\(path)' can't be written; '\(url.path)' is \(isWritable ? "no folder" : "not writable").")
        }
    }
}
