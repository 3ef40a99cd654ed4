import Foundation

/// Where the parts of a store lie in its directory, and the making of that directory.
struct StoreLayout: Sendable {
    let directory: String

    var index: String { directory + "/index.sqlite" }
    var incoming: String { directory + "/incoming" }

    func body(_ digest: BodyDigest) -> String {
        let name = digest.description
        return "\(directory)/bodies/\(name.prefix(2))/\(name.dropFirst(2))"
    }

    /// Tells this process from an earlier one with the same number.
    private static let processToken = String(UInt64.random(in: .min ... .max), radix: 36)

    /// A new path for a body that is being received.
    func incomingBody() -> String {
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        return "\(incoming)/\(SystemCalls.processID).\(Self.processToken).\(name)"
    }

    /// Creates what is missing, readable by the owner alone. The mode of a directory that was there stays.
    func prepare() throws {
        let manager = FileManager.default
        do {
            for path in [directory, directory + "/bodies", incoming] {
                try manager.createDirectory(
                    atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            guard manager.isWritableFile(atPath: directory) else {
                throw CocoaError(.fileWriteNoPermission)
            }
            // SQLite would make it readable by everyone, and gives its other files the mode of this one.
            let descriptor = SystemCalls.open(index, SystemCalls.createExclusively)
            if descriptor >= 0 {
                SystemCalls.close(descriptor)
            } else {
                try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: index)
            }
        } catch {
            throw StoreError(
                code: .directoryUnusable,
                message: "The store directory '\(directory)' can't be created or written; choose another one.",
                cause: error)
        }
    }

    func makeBodyDirectory(_ digest: BodyDigest) throws {
        let path = (body(digest) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Removes received bodies that no living process owns: what a crash left behind.
    func sweepIncoming() {
        let manager = FileManager.default
        for name in (try? manager.contentsOfDirectory(atPath: incoming)) ?? [] {
            let parts = name.split(separator: ".")
            guard parts.count > 1, let owner = Int32(parts[0]) else { continue }
            // The first process of a container always has the same number; only the token tells it from the last one.
            let isAlive =
                owner == SystemCalls.processID
                ? parts[1] == Self.processToken : SystemCalls.processExists(owner)
            if isAlive { continue }
            _ = SystemCalls.unlink(incoming + "/" + name)
        }
    }

    /// The digests of the body files that are there.
    func bodyFiles() -> [(digest: String, path: String)] {
        let root = directory + "/bodies"
        let manager = FileManager.default
        return ((try? manager.contentsOfDirectory(atPath: root)) ?? []).flatMap { prefix in
            ((try? manager.contentsOfDirectory(atPath: "\(root)/\(prefix)")) ?? []).map {
                (prefix + $0, "\(root)/\(prefix)/\($0)")
            }
        }
    }
}
