import ArgumentParser
import Foundation
import ResponseStore

/// Files that a command writes when its work is done: looked at before the work begins.
enum FilesToWrite {
    /// Only the user can read it.
    ///
    /// - Throws: `ExitCode` 74 where it can't be written.
    static func write(_ bytes: Data, to path: String, _ option: String) throws {
        let (files, url) = (FileManager.default, URL(fileURLWithPath: path).resolvingSymlinksInPath())
        let folder = url.deletingLastPathComponent().path
        do {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let isFile = try? files.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType == .typeRegular
            if isFile ?? !files.fileExists(atPath: path), files.isWritableFile(atPath: folder) {
                // A full disk costs no older file.
                try WholeFile.put(
                    Array(bytes), as: url.lastPathComponent, in: folder, by: ".larder-\(UUID().uuidString)")
            } else {
                // A device, or a file in a folder that takes no other.
                if isFile == true { try? files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path) }
                try bytes.write(to: URL(fileURLWithPath: path))
            }
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
