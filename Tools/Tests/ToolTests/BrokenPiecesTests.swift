import CacheTesting
import CachingProxy
import ChildPrograms
import Foundation
import Glibc
import Testing

/// Each piece that Larder keeps on the disk, broken before a visit: the page comes all the same, whole and new.
@Suite("A page opens whatever piece of Larder is broken", .timeLimit(.minutes(10)))
struct BrokenPiecesTests {
    enum Piece: CaseIterable, Sendable {
        case index, log, sharedMemory, tables, bodies, noBodies, shortBodies, changes, preloading, authority,
            noAuthority
        case incoming, readOnly, fullDisk, locked

        /// Said of the visit; `nil` where nothing that was stored is lost.
        var words: String? {
            switch self {
            case .index: "The store's index was damaged"
            case .bodies, .noBodies, .shortBodies: "/large.js: damaged on the disk; fetched again"
            case .readOnly: "can't be written"
            case .fullDisk, .locked: "not stored"
            // SQLite takes a log that it can't read for one that was not written (its file format, §4.1).
            case .log, .tables, .sharedMemory, .changes, .preloading, .authority, .noAuthority, .incoming: nil
            }
        }

        /// What needs the rights of root.
        var isMounted: Bool { self == .readOnly || self == .fullDisk }
    }

    private static let modes = ["proxy", "appScheme"]
    /// Another process that is stopped in the middle of a change of the index holds its lock.
    private static let holder = """
        import sqlite3, subprocess, sys
        index = sqlite3.connect(sys.argv[1] + "/index.sqlite", isolation_level=None)
        index.execute("BEGIN IMMEDIATE")
        sys.exit(subprocess.run(sys.argv[2:]).returncode)
        """
    private static let unshare = "/usr/bin/unshare"
    private static let mayMount: Bool = {
        let mount = try? ChildProcess(unshare, ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"])
        return mount?.wait() == .exited(0)
    }()

    private let folder: TemporaryDirectory
    private let authority: CertificateAuthority

    init() throws {
        folder = try TemporaryDirectory()
        authority = try CertificateAuthority(directory: folder.path + "/origin")
    }

    private func origin() async throws -> PageOrigin {
        try await PageOrigin.start(tls: authority.makeIdentity(names: ["shop.test"])) { request in
            switch request.path {
            case "/":
                return .page("wrong", "<h1>Shop</h1><script src=/app.js></script><script src=/large.js></script>")
            case "/app.js": return .init(fields: ["Content-Type": "text/javascript"], body: "var a = 'running'")
            case "/large.js":
                return .init(
                    fields: ["Content-Type": "text/javascript", "Cache-Control": "max-age=600"],
                    body: "document.title = a // " + String(repeating: "x", count: 150_000))
            default: return .notFound
            }
        }
    }

    private func open(_ origin: PageOrigin, _ mode: String, _ piece: Piece? = nil) async throws -> ToolProcess.Output {
        let words = [
            "open", "https://shop.test/", "--through", mode, "--store", folder.store, "--resolve",
            "shop.test:443:127.0.0.1:\(origin.port)", "--origin-ca", folder.path + "/origin/ca.pem",
        ]
        let script: String
        switch piece {
        case .locked:
            return try await ToolProcess.run(
                "/usr/bin/python3", ["-B", "-c", Self.holder, folder.store, ToolProcess.larder] + words)
        case .readOnly: script = #"mount --bind -o ro "$1" "$1""#
        case .fullDisk:
            script =
                #"cp -a "$1" "$1.copy" && mount -t tmpfs -o size=4m,mode=700 tmpfs "$1" && cp -a "$1.copy/." "$1" && "#
                + #"{ dd if=/dev/zero of="$1/filled" bs=1k || true; } 2>/dev/null"#
        default: return try await ToolProcess.run(ToolProcess.larder, words)
        }
        return try await ToolProcess.run(
            Self.unshare,
            ["-m", "/bin/sh", "-c", script + #" && shift && exec "$@""#, "sh", folder.store, ToolProcess.larder] + words
        )
    }

    private func `break`(_ piece: Piece) throws {
        let noise = Data((0..<20_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) })
        let (store, manager) = (folder.store + "/", FileManager.default)
        func files(_ part: String) throws -> [String] {
            try manager.contentsOfDirectory(atPath: store + part).map { store + part + "/" + $0 }
        }
        func overwrite(_ paths: [String]) throws {
            #expect(!paths.isEmpty)
            for path in paths { try noise.write(to: URL(fileURLWithPath: path)) }
        }
        switch piece {
        case .index:
            // SQLite would take from its log what stands there and not yet in the index, which may be all of it.
            try? manager.removeItem(atPath: store + "index.sqlite-wal")
            try overwrite([store + "index.sqlite"])
        case .log: try overwrite([store + "index.sqlite-wal"])
        case .sharedMemory: try overwrite([store + "index.sqlite-shm"])
        case .tables:
            // The description of the tables, in the first page.
            let file = try #require(FileHandle(forUpdatingAtPath: store + "index.sqlite"))
            try file.seek(toOffset: 2_000)
            try file.write(contentsOf: noise.prefix(2_000))
            try file.close()
        case .bodies: try overwrite(try files("bodies"))
        case .noBodies: try manager.removeItem(atPath: store + "bodies")
        case .shortBodies: for path in try files("bodies") { #expect(truncate(path, 10) == 0) }
        case .changes: try overwrite([store + "changes"])
        case .preloading: try overwrite(["preload/state", "preload/turns", "preload/view-fields"].map { store + $0 })
        case .authority: try overwrite(try files("authority").filter { $0.hasSuffix(".pem") })
        case .noAuthority: try manager.removeItem(atPath: store + "authority")
        case .incoming: try overwrite(["1.x.y", "1.x.y.head", "999999999.x.z.head"].map { store + "incoming/" + $0 })
        case .readOnly, .fullDisk, .locked: break
        }
    }

    @Test("the page runs, its files are whole, and it is said what was damaged", arguments: Piece.allCases, modes)
    func opens(_ piece: Piece, _ mode: String) async throws {
        if piece.isMounted, !Self.mayMount { return }
        let origin = try await origin()
        // The schemes have none.
        if [.authority, .noAuthority].contains(piece), mode != "proxy" { return }
        let first = try await open(origin, mode)
        try #require(first.status == 0 && first.out.hasPrefix("running: opened"), "\(first)")
        if FileManager.default.fileExists(atPath: folder.store + "/preload") == false {
            try FileManager.default.createDirectory(
                atPath: folder.store + "/preload", withIntermediateDirectories: true)
        }
        try `break`(piece)
        let second = try await open(origin, mode, piece)
        #expect(second.status == 0 && second.out.hasPrefix("running: opened"), "\(second)")
        if let words = piece.words { #expect(second.out.contains(words), "\(second)") }
        await origin.stop()
    }
}
