import CacheTesting
import Foundation
import Glibc
import Testing
import WireSupport

/// `larder proxy`, asked to end straight after an answer.
@Suite("SIGTERM and SIGINT", .timeLimit(.minutes(60)))
struct InterruptionTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Bodies in the index and in files of their own, with a stated length and without.
    @Sendable private static func answer(_ request: PageOrigin.Request) -> PageOrigin.Answer {
        let number = Int(request.path.dropFirst()) ?? 0
        let body = String(repeating: "x", count: number % 3 == 0 ? 2_000_000 : 2_000)
        let fields = ["Cache-Control": "max-age=600"]
        return number % 2 == 0
            ? PageOrigin.Answer(fields: .init(fields.map { ($0, $1) }), body: body + "END")
            : PageOrigin.Answer(fields: .init(fields.map { ($0, $1) }), body: body, rest: { "END" })
    }

    private func client(_ path: String, _ field: String = "", of proxy: RunningProxy) async throws -> WireClient {
        let port = Int(proxy.address.split(separator: ":").last ?? "") ?? 0
        let client = try await WireClient.open(port: port)
        client.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(field)\r\n")
        return client
    }

    @Test("what a client has got is stored when the proxy ends, however soon it is told to")
    func stored() async throws {
        let origin = try await PageOrigin.start(Self.answer)
        let arguments = ["--store", folder.store, "--reverse", "http://127.0.0.1:\(origin.port)"]
        for round in 1...30 {
            let proxy = try RunningProxy(arguments)
            let client = try await client("/\(round)", of: proxy)
            let answer = try await client.read(until: round % 2 == 0 ? "END" : "0\r\n\r\n")
            proxy.process.signal(round % 2 == 0 ? SIGTERM : SIGINT)
            #expect(await proxy.process.ended() == .exited(0))
            #expect(answer.contains("END"), "\(round)")
        }
        let proxy = try RunningProxy(arguments)
        for round in 1...30 {
            let field = "Cache-Control: only-if-cached\r\n"
            let again = try await client("/\(round)", field, of: proxy).readToEnd()
            #expect(again.hasPrefix("HTTP/1.1 200") && again.contains("Cache-Status: Larder; hit"), "\(round)")
        }
        #expect(origin.requests.count == 30)
    }

    /// What a client gets that has the half of an answer when the proxy is told to end.
    private func interrupted(
        _ arguments: [String], then: (RunningProxy, Latch) async throws -> Void
    ) async throws -> String {
        let gate = Latch()
        let origin = try await PageOrigin.start { _ in
            PageOrigin.Answer(fields: ["Cache-Control": "max-age=600"], body: "half") {
                await gate.pass()
                return "END"
            }
        }
        let proxy = try RunningProxy(
            ["--store", folder.store, "--reverse", "http://127.0.0.1:\(origin.port)"] + arguments)
        let client = try await client("/half", of: proxy)
        await gate.arrived()
        _ = try await client.read(until: "half\r\n")
        proxy.process.signal(SIGTERM)
        try await then(proxy, gate)
        #expect(await proxy.process.ended() == .exited(0))
        return try await client.readToEnd()
    }

    @Test("an answer that is under way reaches its client whole, and nobody else is let in")
    func underWay() async throws {
        let text = try await interrupted(["--grace", "600"]) { proxy, gate in
            // It does not listen any more once it has understood.
            let port = Int(proxy.address.split(separator: ":").last ?? "") ?? 0
            while let late = try? await WireClient.open(port: port) { try? await late.close() }
            gate.open()
        }
        #expect(text.contains("END") && text.hasSuffix("\r\n0\r\n\r\n"))
    }

    @Test("one that takes longer than it may is cut off")
    func unfinished() async throws {
        let text = try await interrupted(["--grace", "0s"]) { proxy, gate in
            // Only then does the rest come.
            _ = await proxy.process.ended()
            gate.open()
        }
        #expect(!text.contains("END"))
    }

    @Test("connections that wait, for a request or in a tunnel, are not waited for")
    func idle() async throws {
        let origin = try await PageOrigin.start(Self.answer)
        let proxy = try RunningProxy(["--store", folder.store, "--no-auth", "--grace", "10m"])
        let port = Int(proxy.address.split(separator: ":").last ?? "") ?? 0
        let waiting = try await WireClient.open(port: port)
        waiting.send("GET http://127.0.0.1:\(origin.port)/2 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        _ = try await waiting.read(until: "END")
        let tunnel = try await WireClient.open(port: port)
        tunnel.send(TunnelBench.connect(to: origin.port))
        _ = try await tunnel.read(until: TunnelBench.established)
        proxy.process.signal(SIGTERM)
        #expect(await proxy.process.ended() == .exited(0))
        _ = (try await waiting.readToEnd(), try await tunnel.readToEnd())
    }
}
