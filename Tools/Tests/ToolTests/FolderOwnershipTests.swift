import CacheTesting
import CachingProxy
import Foundation
import Glibc
import Testing

/// Whoever can write in a store or an authority decides what pages are made of, and who is believed to be whom.
@Suite("Folders that others own or may write in")
struct FolderOwnershipTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    enum Change: CaseIterable, Sendable {
        case anotherOwner, groupWrites, allWrite

        func make(to path: String) -> Bool {
            switch self {
            case .anotherOwner: chown(path, 65_534, 65_534) == 0
            case .groupWrites: chmod(path, 0o770) == 0
            case .allWrite: chmod(path, 0o1777) == 0
            }
        }

        var says: String { self == .anotherOwner ? "another user (65534)" : "chmod 700" }
        static let possible = allCases.filter { $0 != .anotherOwner || geteuid() == 0 }
    }

    @Test(
        "larder refuses them with status 2, as a store, as the authority in it, as --data and as --state",
        arguments: Change.possible, ["--store", "authority", "--data", "--state"])
    func refused(_ change: Change, _ place: String) async throws {
        let proxy = try RunningProxy(["--store", folder.store, "--no-auth", "--intercept-tls", "shop.test"])
        proxy.stop()
        let other = folder.path + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        let arguments: [String]
        let path: String
        switch place {
        case "--store":
            (path, arguments) = (folder.store, ["proxy", "--store", folder.store, "--intercept-tls", "shop.test"])
        case "authority":
            (path, arguments) = (
                folder.store + "/authority", ["proxy", "--store", folder.store, "--intercept-tls", "shop.test"]
            )
        case "--data":
            (path, arguments) = (other, ["open", "http://127.0.0.1:1/", "--store", folder.store, "--data", other])
        default:
            (path, arguments) = (other, ["preload", "http://127.0.0.1:1/", "--store", folder.store, "--state", other])
        }
        try #require(change.make(to: path))
        let output = try await ToolProcess.run(ToolProcess.larder, arguments)
        #expect(output.status == 2 && output.err.contains(change.says), "\(output)")
    }

    @Test(
        "a store whose files another user owns, or are pipes, is refused with status 2", .timeLimit(.minutes(5)),
        arguments: ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "changes"],
        geteuid() == 0 ? [true, false] : [true])
    func files(_ name: String, _ isPipe: Bool) async throws {
        try RunningProxy(["--store", folder.store]).stop()
        let path = folder.store + "/" + name
        if isPipe {
            try? FileManager.default.removeItem(atPath: path)
            try #require(mkfifo(path, 0o600) == 0)
        } else {
            if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
            try #require(chown(path, 65_534, 65_534) == 0)
        }
        let output = try await ToolProcess.run(
            ToolProcess.larder, ["preload", "http://127.0.0.1:1/", "--store", folder.store])
        let words = isPipe ? "is a pipe" : "another user (65534)"
        #expect(output.status == 2 && output.err.contains(words) && output.err.contains(name), "\(output)")
    }

    @Test("an authority's key that another user has put there is not used", .enabled(if: geteuid() == 0))
    func foreignKey() throws {
        let directory = folder.path + "/authority"
        _ = try CertificateAuthority(directory: directory)
        try #require(chown(directory + "/ca-key.pem", 65_534, 65_534) == 0)
        #expect(throws: ProxyError.self) { try CertificateAuthority(directory: directory) }
    }

    @Test("a store that others may read is made private when it is opened")
    func readable() async throws {
        try RunningProxy(["--store", folder.store]).stop()
        try #require(chmod(folder.store, 0o755) == 0)
        try RunningProxy(["--store", folder.store]).stop()
        var status = stat()
        try #require(stat(folder.store, &status) == 0)
        let mode = status.st_mode & 0o7777
        #expect(mode == 0o700)
    }
}
