import CacheTesting
import ChildPrograms
import Foundation
import Testing
import WireSupport

/// `larder proxy --log`: what the proxy serves past the cache has a line as well, once it is over.
@Suite("The log has tunnels, protocol switches, and what the proxy answers as the last recipient")
struct UncachedLogTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        /// `PORT` stands for the origin's.
        var request: String
        /// What the client waits for before it sends ``then``.
        var answer: String
        var then = ""
        /// Waited for after that.
        var last = ""
        /// The line without the time that it took; of one that is over.
        var line: String
        /// Its fields under `--json`.
        var outcome: String
        var bytes: Int64
        var bytesFromClient: Int64?
        var testDescription: String { name }
    }

    private static let upgrade =
        "GET http://127.0.0.1:PORT/live HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"

    static let rows = [
        Row(
            name: "a tunnel", request: "CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
            answer: TunnelBench.established, then: "ping\r\n\r\n", last: "pong!",
            line: "200 CONNECT 127.0.0.1:PORT 5 B # ms  tunnel; 8 B from the client", outcome: "tunnel", bytes: 5,
            bytesFromClient: 8),
        Row(
            name: "a tunnel without a byte", request: "CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
            answer: TunnelBench.established,
            line: "200 CONNECT 127.0.0.1:PORT 0 B # ms  tunnel; 0 B from the client", outcome: "tunnel", bytes: 0,
            bytesFromClient: 0),
        Row(
            name: "a protocol switch", request: upgrade + "\r\n", answer: "\r\n\r\n", then: "ping\r\n\r\n",
            last: "pong!",
            line: "101 GET http://127.0.0.1:PORT/live 5 B # ms  upgraded; 8 B from the client", outcome: "upgrade",
            bytes: 5, bytesFromClient: 8),
        Row(
            name: "no protocol switch", request: upgrade + "X-Status: 403\r\n\r\n", answer: "no",
            line: "403 GET http://127.0.0.1:PORT/live 2 B # ms  not upgraded", outcome: "upgrade", bytes: 2),
        Row(
            name: "Max-Forwards",
            request:
                "OPTIONS http://127.0.0.1:PORT/a HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nMax-Forwards: 0\r\n\r\n",
            answer: "\r\n\r\n", line: "200 OPTIONS http://127.0.0.1:PORT/a 0 B # ms  Larder; detail=max-forwards",
            outcome: "max-forwards", bytes: 0),
        Row(
            name: "TRACE",
            request:
                "TRACE http://127.0.0.1:PORT/a HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nMax-Forwards: 0\r\n\r\n",
            answer: "\r\n\r\n", line: "405 TRACE http://127.0.0.1:PORT/a 0 B # ms  Larder; detail=max-forwards",
            outcome: "max-forwards", bytes: 0),
        // Whatever the content, the exchange has begun.
        Row(
            name: "content that breaks off",
            request:
                "POST http://127.0.0.1:PORT/a HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "no number\r\n",
            answer: "",
            line: "400 POST http://127.0.0.1:PORT/a 54 B # ms  Larder; fwd=method; detail=invalid-request",
            outcome: "failed", bytes: 54),
    ]

    /// The port of the origin, and all that is written for a row.
    private func log(_ row: Row, _ arguments: [String]) async throws -> (port: Int, lines: [String]) {
        let folder = try TemporaryDirectory()
        let origin = try await WireOrigin.start { request, _ in
            if request.hasPrefix("ping") { return .init(text: "pong!") }
            if request.contains("X-Status: 403") {
                return .init(text: "HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno")
            }
            return .init(text: TunnelBench.switching)
        }
        let errors = try OutputPipe()
        let proxy = try RunningProxy(
            ["--store", folder.store, "--no-auth", "--rules", "none", "--log"] + arguments, errors: errors)
        let port = try #require(proxy.address.firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#).flatMap { Int($0.1) })
        let client = try await WireClient.open(port: port)
        client.send(row.request.replacing("PORT", with: "\(origin.port)"))
        _ = try await client.read(until: row.answer)
        if !row.then.isEmpty {
            client.send(row.then)
            _ = try await client.read(until: row.last)
        }
        try? await client.close()
        let first = await errors.readAll { $0.contains(0x0A) }
        proxy.stop()
        let said = String(decoding: first + (await errors.readAll()), as: UTF8.self)
        return (origin.port, said.split(separator: "\n").map { String($0) })
    }

    @Test("in words: one line", arguments: rows)
    func text(_ row: Row) async throws {
        let (port, lines) = try await log(row, [])
        let said = lines.map { $0.replacing(#/ [0-9]+ ms /#, with: " # ms ") }
        #expect(said == [row.line.replacing("PORT", with: "\(port)")])
    }

    @Test("as one line of JSON", arguments: rows)
    func json(_ row: Row) async throws {
        let (port, lines) = try await log(row, ["--json"])
        #expect(lines.count == 1, "\(lines)")
        let line = try #require(lines.first)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let words = row.line.replacing("PORT", with: "\(port)").split(separator: " ")
        #expect(object["status"] as? Int == Int(words[0]) && object["method"] as? String == String(words[1]), "\(line)")
        #expect(object["url"] as? String == String(words[2]) && object["outcome"] as? String == row.outcome, "\(line)")
        #expect(object["bytes"] as? Int64 == row.bytes, "\(line)")
        #expect(object["bytesFromClient"] as? Int64 == row.bytesFromClient, "\(line)")
        #expect(object["milliseconds"] is Int && (object["time"] as? String)?.hasSuffix("Z") == true, "\(line)")
    }
}
