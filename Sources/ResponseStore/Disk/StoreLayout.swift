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

    /// Creates what is missing, readable by the owner alone.
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
            guard let owner = name.split(separator: ".").first.flatMap({ Int32($0) }) else { continue }
            if owner == SystemCalls.processID || SystemCalls.processExists(owner) { continue }
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
