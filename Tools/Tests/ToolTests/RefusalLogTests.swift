import CacheTesting
import ChildPrograms
import Foundation
import Testing
import WireSupport

/// `larder proxy --log`: what the proxy answers itself, without a cache.
@Suite("The log has requests that the proxy refused")
struct RefusalLogTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// Octets that a client sends; `AUTH` stands for a line with the proxy's credentials.
        var request: String
        var status: Int
        /// What stands between status and reason.
        var what: String
        var reason: String
        var arguments: [String] = []
        var testDescription: String { "\(status) \(what)" }
    }

    private static let reverse = ["--reverse", "http://127.0.0.1:1"]

    static let rows = [
        Row(
            request: "GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n", status: 407, what: "GET http://a.test/x",
            reason: "user name and password"),
        Row(
            request: "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n", status: 407,
            what: "CONNECT a.test:443", reason: "user name and password"),
        Row(
            request: "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n", status: 400, what: "GET /x (Host: a.test)",
            reason: "set it as the HTTP proxy", arguments: ["--no-auth"]),
        Row(
            request: "no request\r\n\r\n", status: 400, what: "- -", reason: "can't be understood",
            arguments: ["--no-auth"]),
        Row(
            request: "GET http://a.test/ HTTP/1.1\r\nX: " + String(repeating: "x", count: 300_000), status: 431,
            what: "- -", reason: "can't be understood", arguments: ["--no-auth"]),
        Row(
            request: "GET /x HTTP/1.1\r\nHost: evil.test\r\n\r\n", status: 421, what: "GET /x (Host: evil.test)",
            reason: "does not answer to the name", arguments: reverse),
        // A tunnel that can't be opened.
        Row(
            request: "CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", status: 504,
            what: "CONNECT 127.0.0.1:1", reason: "127.0.0.1", arguments: ["--no-auth"]),
    ]

    private func log(_ row: Row, _ arguments: [String]) async throws -> String {
        let folder = try TemporaryDirectory()
        let errors = try OutputPipe()
        let proxy = try RunningProxy(
            ["--store", folder.store, "--rules", "none", "--log"] + row.arguments + arguments, errors: errors)
        let port = try #require(proxy.address.firstMatch(of: #/127\.0\.0\.1:([0-9]+)/#).flatMap { Int($0.1) })
        let client = try await WireClient.open(port: port)
        client.send(row.request)
        let said = await errors.readAll { $0.contains(0x0A) }
        return String(decoding: said, as: UTF8.self)
    }

    @Test("in words, with the time where it is asked for", arguments: rows)
    func text(_ row: Row) async throws {
        let plain = try await log(row, [])
        #expect(plain.hasPrefix("\(row.status) \(row.what)  refused: ") && plain.contains(row.reason), "\(plain)")
        let timed = try await log(row, ["--log-time"])
        let time = try #require(timed.firstMatch(of: #/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /#))
        #expect(timed[time.range.upperBound...] == plain)
    }

    @Test("as a line of JSON", arguments: rows)
    func json(_ row: Row) async throws {
        let line = try await log(row, ["--json"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["status"] as? Int == row.status && object["outcome"] as? String == "refused", "\(line)")
        #expect((object["reason"] as? String)?.contains(row.reason) == true, "\(line)")
        #expect((object["time"] as? String)?.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil)
        let isRead = row.what != "- -"
        #expect((object["method"] is String) == isRead && (object["url"] is String) == isRead, "\(line)")
    }

    @Test("the time of lines without the lines is wrong use")
    func timeAlone() async throws {
        let folder = try TemporaryDirectory()
        // It would listen, were it accepted: a port that nobody may have ends it.
        let result = try await ToolProcess.run(
            ToolProcess.larder, ["proxy", "--store", folder.store, "--log-time", "--listen", "10.255.255.1:0"])
        #expect(result.status == 2 && result.err.contains("--log-time"), "\(result)")
    }

    @Test("lines of exchanges have the time, the rule and what the response was for")
    func exchange() async throws {
        let folder = try TemporaryDirectory()
        let rules = try folder.write("rules.json", #"{ "rules": [ { "name": "mine", "verdict": "permanent" } ] }"#)
        let origin = try await ScriptedOrigin.start()
        let errors = try OutputPipe()
        let proxy = try RunningProxy(
            ["--store", folder.store, "--no-auth", "--rules", rules, "--log", "--json"], errors: errors)
        let address = try #require(proxy.address.firstMatch(of: #/http://[0-9.:]+/#)).0
        #expect(proxy.address.contains(#""policy":"\#(rules)""#))
        for _ in 1...2 {
            _ = try await ToolProcess.curl([
                "-x", String(address), "-H", "Sec-Fetch-Dest: script", "http://127.0.0.1:\(origin.port)/fixed",
            ])
        }
        let said = await errors.readAll { $0.count { $0 == 0x0A } == 2 }
        for line in String(decoding: said, as: UTF8.self).split(separator: "\n") {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["rule"] as? String == "mine" && object["destination"] as? String == "script", "\(line)")
            #expect((object["time"] as? String)?.hasSuffix("Z") == true, "\(line)")
        }
        // The number stays in JSON; people are told in words.
        #expect(String(decoding: said, as: UTF8.self).contains("hit; ttl=31"))
        proxy.stop()
        let again = try OutputPipe()
        let words = try RunningProxy(
            ["--store", folder.store, "--no-auth", "--rules", rules, "--log"], errors: again)
        _ = try await ToolProcess.curl(["-x", words.address, "http://127.0.0.1:\(origin.port)/fixed"])
        let line = String(decoding: await again.readAll { $0.contains(0x0A) }, as: UTF8.self)
        #expect(line.contains("no time limit") && !line.contains("ttl="), "\(line)")
        await origin.stop()
    }
}
