import CacheTesting
import CachingProxy
import Foundation
import Testing
import WireSupport

/// Wrong use, ended processes and large bodies.
@Suite("larder, when things go wrong", .timeLimit(.minutes(60)))
struct FaultTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    struct WrongUse: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var arguments: [String]
        var status: Int32
        var says: String
    }

    @Test(
        "wrong use is one sentence that says what to do, and the status for it (DESIGN §10)",
        arguments: [
            WrongUse(testDescription: "bad URL", arguments: ["open", "ftp://x"], status: 2, says: "http or https URL"),
            WrongUse(
                testDescription: "bad host map", arguments: ["open", "http://x.test/", "--resolve", "x"], status: 2,
                says: "host:port:address"),
            WrongUse(
                testDescription: "beyond loopback", arguments: ["proxy", "--listen", "0.0.0.0:0"], status: 2,
                says: "listen on 127.0.0.1"),
            WrongUse(
                testDescription: "unusable directory", arguments: ["proxy", "--store", "/dev/null/x"], status: 2,
                says: "choose another"),
            WrongUse(
                testDescription: "missing authorities", arguments: ["proxy", "--origin-ca", "/nowhere.pem"], status: 2,
                says: "PEM file"),
            WrongUse(
                testDescription: "too long a grace", arguments: ["proxy", "--grace", "2h"], status: 2,
                says: "at most one hour"),
            WrongUse(
                testDescription: "no duration", arguments: ["proxy", "--grace", "soon"], status: 2, says: "grace"),
            WrongUse(
                testDescription: "unknown option", arguments: ["proxy", "--lisen", "x"], status: 2, says: "--listen"),
        ])
    func wrongUse(_ row: WrongUse) async throws {
        let needsStore = row.arguments.first == "proxy" && !row.arguments.contains("--store")
        let result = try await ToolProcess.run(
            ToolProcess.larder, row.arguments + (needsStore ? ["--store", folder.path + "/s"] : []))
        #expect(result.status == row.status)
        #expect(result.err.contains(row.says), "\(result.err)")
        #expect(result.err.split(separator: "\n").count == 1, "\(result.err)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/s"), "a store is left behind")
    }

    @Test("a port that is taken: status 2, and the other program is left alone")
    func portTaken() async throws {
        let first = try RunningProxy(["--store", folder.path + "/a", "--no-auth"])
        let port = first.address.split(separator: ":").last ?? ""
        let second = try await ToolProcess.run(
            ToolProcess.larder, ["proxy", "--store", folder.path + "/b", "--listen", "127.0.0.1:\(port)"])
        #expect(second.status == 2)
        #expect(second.err.contains("is taken"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/b"), "a store is left behind")
        #expect(first.process.ending == nil)
    }

    @Test("no Xvfb: status 2 and how to get it")
    func noDisplay() async throws {
        let result = try await ToolProcess.run(
            ToolProcess.larder, ["open", "http://x.test/", "--store", folder.path + "/s"],
            environment: ["PATH": "/nowhere"])
        #expect(result.status == 2)
        #expect(result.err.contains("scripts/setup"))
    }

    @Test("an origin that can't be reached: status 1, and the page says so")
    func unreachable() async throws {
        let result = try await ToolProcess.run(
            ToolProcess.larder,
            ["open", "http://x.test/", "--store", folder.path + "/s", "--resolve", "x.test:80:127.0.0.1:1"])
        #expect(result.status == 1)
        #expect(result.out.contains("failed          http://x.test/: nothing answers at x.test"))
    }

    @Test("an expired origin certificate is refused and named")
    func expired() async throws {
        let old = try CertificateAuthority(
            directory: folder.path + "/old",
            clock: .init(wallTime: { .init(unixSeconds: 1_600_000_000) }, uptime: { .zero }))
        let origin = try await ScriptedOrigin.start(tls: try old.makeIdentity(names: ["shop.test"]))
        let result = try await ToolProcess.run(
            ToolProcess.larder,
            [
                "open", "https://shop.test/", "--store", folder.path + "/s", "--origin-ca", folder.path + "/old/ca.pem",
                "--resolve", "shop.test:443:127.0.0.1:\(origin.port)",
            ])
        #expect(result.status == 1)
        #expect(
            result.out.contains("failed          https://shop.test/: the certificate of 'shop.test' is not trusted"))
    }

    @Test("killed in the middle of a transfer: afterwards the whole is fetched, nothing half is served")
    func killed() async throws {
        let origin = try await ScriptedOrigin.start()
        let arguments = ["--store", folder.path + "/s", "--no-auth"]
        let base = "http://127.0.0.1:\(origin.port)"
        let first = try RunningProxy(arguments)
        // The second one waits until the first is stored.
        for _ in 1...2 {
            _ = try await ToolProcess.curl(["-o", "/dev/null", "-x", first.address, base + "/zeros/100000"])
        }
        // Half of this one arrives, and stays on its way for ever.
        let half = try UnfinishedTransfer(first.address, base + "/stall")
        try half.read(upTo: 1_000_000)
        first.killAtOnce()
        half.end()

        let second = try RunningProxy(arguments)
        let kept = try await ToolProcess.curl([
            "-i", "-o", "/dev/null", "-D", "-", "-x", second.address, base + "/zeros/100000",
        ])
        #expect(kept.out.contains("Larder; hit"))
        let stalled = try UnfinishedTransfer(second.address, base + "/stall")
        let head = try stalled.read(upTo: 500)
        #expect(head.contains("fwd=uri-miss"))
        stalled.end()
        // What the first one has left is removed while the second one works already.
        while try FileManager.default.contentsOfDirectory(atPath: folder.path + "/s/incoming").count > 1 {
            await Task.yield()
        }
    }

    @Test("memory stays within 32 MiB while 1 GiB passes through, is stored, and is served from the store")
    func flatMemory() async throws {
        let origin = try await ScriptedOrigin.start()
        let proxy = try RunningProxy(["--store", folder.path + "/s", "--no-auth"])
        let base = "http://127.0.0.1:\(origin.port)"
        _ = try await ToolProcess.curl(["-o", "/dev/null", "-x", proxy.address, base + "/zeros/1000000"])
        let before = try #require(proxy.memory("VmHWM"))
        let size = 1_073_741_824
        var seen: [String] = []
        // A request that comes before the first one is committed shares its body; a later one is a hit.
        while seen.count < 6, seen.last?.contains("Larder; hit") != true {
            let result = try await ToolProcess.curl([
                "-o", "/dev/null", "-D", "-", "-w", "%{size_download}", "-x", proxy.address, base + "/zeros/\(size)",
            ])
            #expect(result.out.hasSuffix("\(size)"))
            seen.append(result.out)
        }
        #expect(seen.first?.contains("fwd=uri-miss; stored") == true)
        #expect(seen.last?.contains("Larder; hit") == true)
        let after = try #require(proxy.memory("VmHWM"))
        #expect(after - before <= 32 * 1_024, "\(before) KiB before, \(after) KiB after")
    }

    @Test("an upload streams through: nothing is kept, every byte arrives")
    func upload() async throws {
        let origin = try await ScriptedOrigin.start()
        let proxy = try RunningProxy(["--store", folder.path + "/s", "--no-auth"])
        let base = "http://127.0.0.1:\(origin.port)"
        _ = try await ToolProcess.curl(["-o", "/dev/null", "-x", proxy.address, base + "/fixed"])
        let before = try #require(proxy.memory("VmHWM"))
        let file = folder.path + "/upload"
        let size = 268_435_456
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        try #require(FileHandle(forWritingAtPath: file)).truncate(atOffset: UInt64(size))
        for framing in [[], ["-H", "Transfer-Encoding: chunked"]] {
            let result = try await ToolProcess.curl(["-T", file, "-x", proxy.address, base + "/echo"] + framing)
            #expect(result.out == "\(size)")
        }
        let after = try #require(proxy.memory("VmHWM"))
        #expect(after - before <= 32 * 1_024, "\(before) KiB before, \(after) KiB after")
    }
}
