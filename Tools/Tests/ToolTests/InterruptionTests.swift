import CacheTesting
import Foundation
import Glibc
import Testing

/// `larder proxy`, asked to end straight after an answer.
@Suite("SIGTERM and SIGINT", .timeLimit(.minutes(10)))
struct InterruptionTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Bodies in the index's segments and in files of their own, with a stated length and without.
    @Sendable private static func answer(_ request: PageOrigin.Request) -> PageOrigin.Answer {
        let number = Int(request.path.dropFirst()) ?? 0
        let body = String(repeating: "x", count: number % 3 == 0 ? 2_000_000 : 2_000)
        let fields = ["Cache-Control": "max-age=600"]
        return number % 2 == 0
            ? PageOrigin.Answer(fields: .init(fields.map { ($0, $1) }), body: body + "END")
            : PageOrigin.Answer(fields: .init(fields.map { ($0, $1) }), body: body, rest: { "END" })
    }

    private func client(_ path: String, _ field: String = "", of proxy: RunningProxy) async throws -> WireClient {
        let client = try await WireClient.open(port: Int(proxy.address.split(separator: ":").last ?? "") ?? 0)
        client.send("GET \(path) HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\(field)\r\n")
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
            kill(proxy.process.processIdentifier, round % 2 == 0 ? SIGTERM : SIGINT)
            proxy.process.waitUntilExit()
            #expect(proxy.process.terminationReason == .exit && proxy.process.terminationStatus == 0)
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

    @Test("what is still arriving keeps the proxy from ending no moment longer")
    func unfinished() async throws {
        let gate = Gate()
        let origin = try await PageOrigin.start { _ in
            PageOrigin.Answer(fields: ["Cache-Control": "max-age=600"], body: "half") {
                await gate.pass()
                return "END"
            }
        }
        let proxy = try RunningProxy([
            "--store", folder.store, "--reverse", "http://127.0.0.1:\(origin.port)",
        ])
        let client = try await client("/half", of: proxy)
        await gate.arrived()
        kill(proxy.process.processIdentifier, SIGTERM)
        // Only then does the rest come.
        proxy.process.waitUntilExit()
        gate.open()
        #expect(proxy.process.terminationStatus == 0)
        #expect(try await !client.readToEnd().contains("END"))
    }
}
