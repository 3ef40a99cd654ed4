import CacheEngine
import CacheTesting
import CachingProxy
import ChildPrograms
import Foundation
import Glibc
import HTTPCacheSemantics
import Testing

/// The certificate authority in a store's directory, seen from outside: whatever `larder proxy` presents verifies with
/// the `ca.pem` that is there.
@Suite("the authority's files", .timeLimit(.minutes(60)))
struct AuthorityFilesTests {
    let folder: TemporaryDirectory
    private var authority: String { folder.store + "/authority" }
    private var bundle: String { authority + "/ca-key.pem" }
    private var certificate: String { authority + "/ca.pem" }

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Interception of a host whose origin refuses every connection: the answer is an error, inside verified TLS.
    private var arguments: [String] {
        [
            "--store", folder.store, "--no-auth", "--intercept-tls", "shop.test", "--resolve",
            "shop.test:443:127.0.0.1:1",
        ]
    }

    /// What curl has against the certificate that a proxy presents; empty where it verifies.
    private func complaint(_ address: String) async throws -> String {
        let answer = try await ToolProcess.curl([
            "-o", "/dev/null", "-x", address, "--cacert", certificate, "https://shop.test/",
        ])
        return answer.status == 0 ? "" : "\(answer.status): \(answer.err)"
    }

    private func expectVerified(_ comment: Comment) async throws {
        let proxy = try RunningProxy(arguments)
        #expect(try await complaint(proxy.address) == "", comment)
        proxy.stop()
        #expect(try mode(bundle) == 0o600, comment)
    }

    private func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return status.st_mode & 0o777
    }

    @Test("several proxies that start at once on a fresh directory have one authority")
    func startedAtOnce() async throws {
        for round in 1...5 {
            let outputs = try (1...3).map { _ in try OutputPipe() }
            let processes = try outputs.map {
                try ChildProcess(ToolProcess.larder, ["proxy"] + arguments, output: .pipe($0))
            }
            for output in outputs {
                let line = String(decoding: await output.readAll { $0.contains(0x0A) }, as: UTF8.self)
                let address = line.trimmingCharacters(in: .whitespacesAndNewlines)
                #expect(address.hasPrefix("http://"), "round \(round): it did not start")
                #expect(try await complaint(address) == "", "round \(round)")
            }
            for process in processes { process.terminate() }
            for process in processes { await process.ended() }
            try await expectVerified("round \(round), the next start")
            try FileManager.default.removeItem(atPath: authority)
        }
    }

    @Test("killed at each change while they are made: nobody else can read the key, and the next start is whole")
    func killed() async throws {
        var deaths = 0
        for change in 1...100 {
            let faults = [
                "LD_PRELOAD": ToolProcess.folder + "/libFaultyFiles.so", "FAULTY_ROOT": authority,
                "FAULTY_KILL_AT": "\(change)",
            ]
            let output = try OutputPipe()
            // Nothing of the mode comes from the umask.
            let process = try ChildProcess(
                "/bin/sh", ["-c", #"umask 0; exec "$@""#, "sh", ToolProcess.larder, "proxy"] + arguments,
                environment: ProcessInfo.processInfo.environment.merging(faults) { $1 }, output: .pipe(output))
            let line = await output.readAll { $0.contains(0x0A) }
            process.terminate()
            let ending = await process.ended()
            for name in (try? FileManager.default.contentsOfDirectory(atPath: authority)) ?? [] {
                let path = authority + "/" + name
                guard try String(contentsOfFile: path, encoding: .utf8).contains("PRIVATE") else { continue }
                #expect(try mode(path) & 0o077 == 0, "\(name) at change \(change)")
            }
            guard ending == .signalled(SIGKILL), line.isEmpty else { break }
            deaths += 1
            try await expectVerified("killed at change \(change)")
            try FileManager.default.removeItem(atPath: authority)
        }
        #expect(deaths > 3, "too few changes were seen")
    }

    /// What an earlier version kept in the file: the key alone.
    private func keepKeyAlone() throws {
        let text = try String(contentsOfFile: bundle, encoding: .utf8)
        let end = try #require(text.firstRange(of: "END PRIVATE KEY-----"))
        try (text[..<end.upperBound] + "\n").write(toFile: bundle, atomically: false, encoding: .utf8)
    }

    private func make(in directory: String, daysAgo: Int = 0) throws {
        let now = EngineClock.system.wallTime().unixSeconds
        _ = try CertificateAuthority(
            directory: directory,
            clock: EngineClock(
                wallTime: { WallInstant(unixSeconds: now - Int64(daysAgo) * 86_400) },
                uptime: EngineClock.system.uptime))
    }

    @Test("a certificate that is not the key's is not used", arguments: [false, true])
    func unequal(_ keyIsAlone: Bool) async throws {
        try make(in: authority)
        try make(in: folder.path + "/other")
        if keyIsAlone { try keepKeyAlone() }
        try FileManager.default.removeItem(atPath: certificate)
        try FileManager.default.copyItem(atPath: folder.path + "/other/ca.pem", toPath: certificate)
        try await expectVerified("the other's certificate")
    }

    @Test("one file alone is not used", arguments: ["ca.pem", "ca-key.pem"])
    func half(_ name: String) async throws {
        try make(in: authority)
        if name == "ca.pem" { try keepKeyAlone() }
        try FileManager.default.removeItem(atPath: authority + "/" + name)
        try await expectVerified("without \(name)")
    }

    @Test("what has expired, is about to, or is not valid yet is made anew", arguments: [4_000, 3_600, -4_000])
    func expired(_ daysAgo: Int) async throws {
        try make(in: authority, daysAgo: daysAgo)
        let before = try String(contentsOfFile: certificate, encoding: .utf8)
        try await expectVerified("made \(daysAgo) days ago")
        #expect(try String(contentsOfFile: certificate, encoding: .utf8) != before)
    }

    @Test("what is good stays, also where an earlier version has made it", arguments: [false, true])
    func kept(_ keyIsAlone: Bool) async throws {
        try make(in: authority, daysAgo: 1_000)
        if keyIsAlone { try keepKeyAlone() }
        try #require(chmod(bundle, 0o644) == 0)
        let before = try String(contentsOfFile: certificate, encoding: .utf8)
        try await expectVerified("kept")
        #expect(try String(contentsOfFile: certificate, encoding: .utf8) == before)
    }
}
