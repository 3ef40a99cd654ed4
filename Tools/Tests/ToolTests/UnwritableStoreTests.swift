import CacheTesting
import ChildPrograms
import Foundation
import Glibc
import Testing
import WireSupport

/// The tool on a store that it can't write. What it asks of the store is tested there, with another store as the
/// writer; here the processes are others.
@Suite("larder on a store that can't be written")
struct UnwritableStoreTests {
    enum Obstacle: CaseIterable, Sendable {
        /// A file system that is mounted for reading.
        case mount
        /// An ordinary user, and no right to write.
        case rights
    }

    enum End: CaseIterable, Sendable {
        case stopped, killed
    }

    private static let setpriv = "/usr/bin/setpriv"
    private static let unshare = "/usr/bin/unshare"
    /// Both need root: for an ordinary user the tests of the store take the rights away.
    private static let isPossible =
        geteuid() == 0 && access(setpriv, X_OK) == 0 && access(unshare, X_OK) == 0 && mayMount

    private static var mayMount: Bool {
        let mount = try? ChildProcess(unshare, ["-m", "mount", "--bind", "-o", "ro", "/tmp", "/tmp"])
        return mount?.wait() == .exited(0)
    }

    /// What stands before the arguments of `larder`.
    private static func command(_ obstacle: Obstacle, _ folder: TemporaryDirectory) throws -> [String] {
        let store = folder.path + "/store"
        switch obstacle {
        case .mount:
            let script = #"mount --bind -o ro "$1" "$1" && shift && exec "$@""#
            return [unshare, "-m", "/bin/sh", "-c", script, "sh", store, ToolProcess.larder]
        case .rights:
            try ToolProcess.copy(to: folder.path + "/larder")
            try #require(chmod(folder.path, 0o755) == 0)
            for path in [store] + (FileManager.default.subpaths(atPath: store) ?? []).map({ store + "/" + $0 }) {
                var status = stat()
                try #require(lstat(path, &status) == 0 && chown(path, 65_534, 65_534) == 0)
                try #require(chmod(path, status.st_mode & 0o500) == 0)
            }
            return [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", folder.path + "/larder"]
        }
    }

    private func fill(_ store: String, _ url: String, _ end: End) async throws {
        let proxy = try RunningProxy(["--no-auth", "--store", store])
        // The second look-up waits until the first answer is stored.
        for path in ["/fixed", "/fixed", "/zeros/200000", "/zeros/200000"] {
            #expect(try await ToolProcess.curl(["-o", "/dev/null", "-x", proxy.address, url + path]).status == 0)
        }
        if end == .stopped { proxy.stop() } else { proxy.killAtOnce() }
    }

    @Test(
        "list, show, stats and verify read it, remove says why it can't, and a proxy serves from it",
        .enabled(if: isPossible), arguments: Obstacle.allCases, End.allCases)
    func reads(_ obstacle: Obstacle, _ end: End) async throws {
        let folder = try TemporaryDirectory()
        let store = folder.path + "/store"
        let origin = try await ScriptedOrigin.start()
        let url = "http://127.0.0.1:\(origin.port)"
        try await fill(store, url, end)
        let command = try Self.command(obstacle, folder)
        func larder(_ arguments: [String], of group: String = "store") async throws -> ToolProcess.Output {
            try await ToolProcess.run(
                command[0], command.dropFirst() + [group] + arguments + ["--store", store])
        }
        #expect(try await larder(["list"]).out.contains(url + "/fixed"))
        let shown = try await larder(["show", "--body", url + "/fixed"])
        #expect(shown.out.hasPrefix("fixed"), "\(shown)")
        #expect(try await larder(["stats", "--json"]).out.contains("\"responses\" : 2"))
        let verified = try await larder(["verify"])
        #expect(verified.status == 0 && verified.out.contains("nothing wrong"), "\(verified)")
        let removed = try await larder(["remove", "--everything"])
        #expect(removed.status == 2 && removed.err.contains("can't be written"), "\(removed)")

        let fetched = try await larder([url + "/page"], of: "preload")
        #expect(
            fetched.status == 2 && fetched.err.contains("can't be written, so nothing can be fetched"), "\(fetched)")

        let errors = try OutputPipe()
        let proxy = try RunningProxy(["--no-auth", "--store", store], by: command, errors: errors)
        for _ in 1...2 {
            let hit = try await ToolProcess.curl(["-i", "-x", proxy.address, url + "/fixed"])
            #expect(hit.out.contains("Cache-Status: Larder; hit"), "\(hit)")
            let miss = try await ToolProcess.curl(["-i", "-x", proxy.address, url + "/page"])
            #expect(miss.out.contains("Cache-Status: Larder; fwd=uri-miss\r\n"), "\(miss)")
        }
        proxy.stop()
        let said = String(decoding: await errors.readAll(), as: UTF8.self)
        #expect(said.components(separatedBy: "can't be written").count == 2, "\(said)")
        await origin.stop()
    }
}
