import CacheTesting
import ChildPrograms
import Foundation
import Glibc
import Testing
import WireSupport

/// What a client of `larder proxy --rules` sees of what is stored, from a socket.
@Suite("What the store must not answer, from outside", .timeLimit(.minutes(60)))
struct StoredAnswersTests {
    let folder: TemporaryDirectory
    private static let script = "/assets/app.5d60c2ed348e2db0.js"

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func proxy(
        _ origin: PageOrigin, rules: String = "default", _ more: [String] = [], errors: OutputPipe? = nil
    ) throws -> RunningProxy {
        try RunningProxy(
            ["--store", folder.store, "--reverse", "http://127.0.0.1:\(origin.port)", "--rules", rules] + more,
            errors: errors)
    }

    /// Sends a GET with fields and returns the answer, its head included.
    private func get(_ proxy: RunningProxy, _ path: String, _ fields: [String] = []) async throws -> String {
        let address = proxy.address.firstMatch(of: #/http://[0-9.:]+/#).map { String($0.0) } ?? ""
        return try await ToolProcess.curl(["-i", address + path] + fields.flatMap { ["-H", $0] }).out
    }

    private func larder(_ arguments: [String]) async throws -> ToolProcess.Output {
        try await ToolProcess.run(ToolProcess.larder, arguments + ["--store", folder.store])
    }

    /// What a server sends in the place of a script that it does not have yet.
    struct Wrong: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var answer: PageOrigin.Answer
        var kind = "private"
    }

    static let wrong = [
        Wrong(testDescription: "the page for unknown paths", answer: .page("shell")),
        Wrong(testDescription: "that page, in a shared cache", answer: .page("shell of anna"), kind: "shared"),
        Wrong(testDescription: "nothing", answer: .init(fields: ["Content-Type": "text/javascript"])),
        Wrong(testDescription: "a redirect", answer: .redirect(301, to: "/sign-in")),
    ]

    @Test("what came in the place of a script is fetched again", arguments: wrong)
    func hashedName(_ row: Wrong) async throws {
        let counter = RequestCounter()
        let origin = try await PageOrigin.start { _ in
            counter.next() == 1
                ? row.answer : PageOrigin.Answer(fields: ["Content-Type": "text/javascript"], body: "right()")
        }
        let proxy = try proxy(origin, ["--cache-kind", row.kind])
        _ = try await get(proxy, Self.script)
        #expect(try await get(proxy, Self.script).hasSuffix("right()"))
        #expect(try await get(proxy, Self.script).contains("Larder; hit"))
        #expect(origin.requests.count == 2)
        await origin.stop()
    }

    @Test("never-store removes what it covers at the start and on SIGHUP, and comes before disconnected")
    func neverStore() async throws {
        let origin = try await PageOrigin.start { .page($0.path, "", ["Cache-Control": "max-age=600"]) }
        let rules = try folder.write("rules.json", #"{ "rules": [ { "include": "web-view-defaults" } ] }"#)
        func forbid(_ path: String) throws {
            let rule = "{ \"name\": \"account\", \"verdict\": \"never-store\", \"when\": { \"path\": \"\(path)\" } }"
            let text =
                #"{ "rules": [ { "include": "web-view-safeguards" }, \#(rule), { "include": "web-view-defaults" } ] }"#
            _ = try folder.write("rules.json", text)
        }
        func stored() async throws -> [String] {
            let list = try await larder(["store", "list", "--json"])
            return ["/account", "/account/a", "/orders/1", "/shop"].filter { list.out.contains("\($0)\"") }
        }
        func stored(becomes expected: [String]) async throws {
            while try await stored() != expected {}
        }
        let errors = try OutputPipe()
        do {
            let proxy = try proxy(origin, rules: rules, errors: errors)
            for path in ["/account", "/account/a", "/orders/1", "/shop"] { _ = try await get(proxy, path) }
            try await stored(becomes: ["/account", "/account/a", "/orders/1", "/shop"])
            try forbid("/account/**")
            proxy.process.signal(SIGHUP)
            try await stored(becomes: ["/orders/1", "/shop"])
            proxy.stop()
        }
        try forbid("/orders/**")
        let offline = try proxy(origin, rules: rules, ["--offline"])
        #expect(try await get(offline, "/orders/1").hasPrefix("HTTP/1.1 504"))
        #expect(try await get(offline, "/shop").hasPrefix("HTTP/1.1 200"))
        try await stored(becomes: ["/shop"])
        await origin.stop()
    }

    @Test("a refresh without the view's fields replaces what the view has, and explaining knows it")
    func refresh() async throws {
        let counter = RequestCounter()
        let origin = try await PageOrigin.start { request in
            .page(
                "for \(request.fields["Accept-Encoding"].first ?? "none"): \(counter.next())", "",
                ["Cache-Control": "max-age=600", "Vary": "Accept-Encoding"])
        }
        let view = "Accept-Encoding: gzip, deflate, br"
        let url = "http://127.0.0.1:\(origin.port)/"
        do {
            let proxy = try proxy(origin)
            #expect(try await get(proxy, "/", [view]).contains("for gzip, deflate, br: 1"))
        }
        let explained = try await larder(["explain", url, "--as", "data"])
        #expect(explained.status == 0 && explained.out.contains("accept-encoding"), "\(explained)")
        #expect(try await larder(["store", "refresh", url]).status == 0)
        #expect(try await larder(["store", "stats"]).out.contains("one response"))
        let proxy = try proxy(origin, ["--offline"])
        #expect(try await get(proxy, "/", [view]).contains("for gzip, deflate, br: 2"))
        await origin.stop()
    }

    @Test(
        "a response for one origin is not given to another; RFC 9111 alone does not look",
        arguments: ["default", "none"])
    func origins(_ rules: String) async throws {
        let origin = try await PageOrigin.start { request in
            let allowed = request.fields["Origin"].first ?? "none"
            return .page(
                "for \(allowed)", "", ["Cache-Control": "max-age=600", "Access-Control-Allow-Origin": allowed])
        }
        let proxy = try proxy(origin, rules: rules)
        for name in ["a", "b", "b"] {
            let seen = try await get(proxy, "/font.woff2", ["Origin: https://\(name).test"])
            #expect(seen.contains("for https://\(rules == "none" ? "a" : name).test"), "\(seen)")
        }
        #expect(origin.requests.count == (rules == "none" ? 1 : 2))
        await origin.stop()
    }

    @Test("an event stream is not stored, and explaining says so")
    func eventStream() async throws {
        let origin = try await PageOrigin.start { _ in
            PageOrigin.Answer(
                fields: ["Content-Type": "text/event-stream", "Cache-Control": "max-age=600"], body: "data: 1\n\n")
        }
        let errors = try OutputPipe()
        let proxy = try proxy(origin, ["--log"], errors: errors)
        #expect(try await get(proxy, "/live").contains("detail=event-stream"))
        #expect(try await get(proxy, "/live", ["Accept: text/event-stream"]).contains("detail=event-stream-request"))
        let explained = try await larder(["explain", "http://127.0.0.1:\(origin.port)/live"])
        #expect(explained.status == 1 && explained.out.contains("event-stream"), "\(explained)")
        #expect(origin.requests.count == 2)
        await origin.stop()
    }

    @Test("the log says 499 of a client that left before there was an answer, and true of one that has the whole")
    func log() async throws {
        let gate = Latch()
        let origin = try await PageOrigin.start { request in
            if request.path == "/slow" { await gate.pass() }
            return .page("page", "", ["Cache-Control": "no-store"])
        }
        let errors = try OutputPipe()
        let proxy = try proxy(origin, ["--log", "--json"], errors: errors)
        let port = proxy.address.firstMatch(of: #/:([0-9]+)/#).flatMap { Int($0.1) } ?? 0
        #expect(try await get(proxy, "/").contains("<h1>page</h1>"))
        let client = try await WireClient.open(port: port)
        client.send("GET /slow HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        await gate.arrived()
        try await client.close()
        let said = await errors.readAll { $0.count { $0 == UInt8(ascii: "\n") } >= 2 }
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines[0].contains(#""complete":true"#) && lines[0].contains(#""status":200"#), "\(lines)")
        #expect(lines[1].contains(#""complete":false"#) && lines[1].contains(#""status":499"#), "\(lines)")
        gate.open()
        await origin.stop()
    }
}
