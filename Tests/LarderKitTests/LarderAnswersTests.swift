import CacheEngine
import CacheRules
import CacheTesting
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import LarderKit

/// What an app gets that asks for content, and about a page that a view has stored.
@Suite("Larder's own requests", .timeLimit(.minutes(5)))
struct LarderAnswersTests {
    private static let page = "https://shop.example/"
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600", .contentType: "text/html"]
    /// "hello, hello, hello" by gzip -9n.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8,
        0x40, 0xA2, 0x00, 0x9F, 0xA1, 0xCA, 0x09, 0x13, 0x00, 0x00, 0x00,
    ]

    private func temporary(_ body: (Larder, ScriptedTransport) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let transport = ScriptedTransport()
        try await body(
            try Larder(LarderConfiguration(directory: URL(fileURLWithPath: directory.store)), transport: transport),
            transport)
    }

    private func request(_ path: String, _ fields: HTTPFields) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "https", authority: "shop.example", path: path, headerFields: fields)
    }

    private func ask(_ larder: Larder, _ path: String, _ fields: HTTPFields) async throws -> EngineResponse {
        let answer = await larder.cache.respond(to: larder.engineRequest(request(path, fields)))
        _ = try await answer.body.collect(upTo: .kibibytes(64))
        // Asks once what has arrived is stored.
        _ = try await larder.isAvailableOffline(URL(test: Self.page + path.dropFirst()))
        return answer
    }

    @Test("content comes decoded, from the origin and from what a view has stored, also without a network")
    func decoded() async throws {
        try await temporary { larder, transport in
            let page = Self.page
            transport.on(page) { _ in
                var fields = Self.fresh
                (fields[.contentEncoding], fields[.vary]) = ("gzip", "Accept-Encoding")
                return ScriptedTransport.answer(200, fields, body: Self.gzip)
            }
            _ = try await ask(larder, "/", [.acceptEncoding: "gzip, deflate, br"])
            larder.connectivityOverride = .disconnected
            #expect(try await larder.text(page) == "hello, hello, hello")
            larder.connectivityOverride = .connected
            #expect(transport.requests.count == 1)
            transport.on(page + "b") { _ in
                ScriptedTransport.answer(200, [.contentEncoding: "gzip"], body: Self.gzip)
            }
            #expect(try await larder.text(page + "b") == "hello, hello, hello")
        }
    }

    @Test("redirects are followed, twenty at most, to http and https alone")
    func redirects() async throws {
        try await temporary { larder, transport in
            func redirect(_ url: String, to location: String, _ status: Int = 302) {
                transport.on(url) { _ in ScriptedTransport.answer(status, [.location: location]) }
            }
            transport.on("https://other.example/end") { _ in ScriptedTransport.answer(200, Self.fresh, body: "end") }
            redirect(Self.page + "a", to: "/b#part", 301)
            redirect(Self.page + "b", to: "https://other.example/end", 308)
            let end = try await larder.text(Self.page + "a")
            #expect(end == "end")
            redirect(Self.page + "loop", to: "/loop")
            redirect(Self.page + "mail", to: "mailto:a@b.example")
            for path in ["loop", "mail"] {
                await #expect(throws: EngineError.self) { try await larder.text(Self.page + path) }
            }
            #expect(transport.requests(to: Self.page + "loop").count == 21)
            transport.on(Self.page + "choice") { _ in ScriptedTransport.answer(300, [:], body: "choose") }
            let choice = try await larder.text(Self.page + "choice")
            #expect(choice == "choose")
        }
    }

    @Test("what is thrown is an EngineError, whatever broke")
    func errors() async throws {
        try await temporary { larder, transport in
            transport.on(Self.page) { _ in
                let body = ScriptedBody([[1, 2]], ends: false)
                body.end(throwing: TransportError(code: .closedEarly, message: "cut"))
                return ScriptedTransport.answer(200, Self.fresh, streaming: body, length: 4)
            }
            await #expect(throws: EngineError.self) { try await larder.text(Self.page) }
            await #expect(throws: EngineError.self) { try await larder.refresh(URL(test: Self.page)) }
            // Content that is not what its coding says.
            transport.on(Self.page + "b") { _ in
                ScriptedTransport.answer(200, [.contentEncoding: "gzip"], body: "no gzip")
            }
            await #expect(throws: EngineError.self) { try await larder.text(Self.page + "b") }
        }
    }

    @Test("a refresh replaces every stored variant, and makes no other one")
    func refreshed() async throws {
        try await temporary { larder, transport in
            func origin(_ text: String) {
                transport.on(Self.page) { request in
                    var fields = Self.fresh
                    fields[.vary] = "Accept-Encoding"
                    let coding = request.head.headerFields[.acceptEncoding] ?? "none"
                    return ScriptedTransport.answer(200, fields, body: "\(text) for \(coding)")
                }
            }
            origin("old")
            for coding in ["gzip", "br"] {
                _ = try await ask(larder, "/", [.acceptEncoding: coding])
            }
            origin("new")
            #expect(try await larder.refresh(URL(test: Self.page)).statusCode == 200)
            #expect(try await count(larder) == 2)
            larder.connectivityOverride = .disconnected
            for coding in ["gzip", "br"] {
                let answer = await larder.cache.respond(
                    to: larder.engineRequest(request("/", [.acceptEncoding: coding])))
                let text = try await answer.body.collect(upTo: .kibibytes(1))
                #expect(String(decoding: text, as: UTF8.self) == "new for \(coding)")
            }
            #expect(try await larder.isAvailableOffline(URL(test: Self.page)))
        }
    }

    @Test("what a new version's rules forbid to store is removed when it starts")
    func forbidden() async throws {
        let directory = try TemporaryDirectory()
        let first = try Larder(
            LarderConfiguration(directory: URL(fileURLWithPath: directory.store)), transport: ScriptedTransport())
        for path in ["account", "account/a", "shop"] {
            try await first.store(Data([1]), for: URL(test: Self.page + path), fields: Self.fresh)
        }
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        configuration.rules = RuleList {
            RuleList.webViewSafeguards
            Rule("account", .neverStore, when: .path("/account/**"))
            RuleList.webViewDefaults
        }
        let second = try Larder(configuration, transport: ScriptedTransport())
        second.connectivityOverride = .disconnected
        await #expect(throws: EngineError.self) { try await second.text(Self.page + "account") }
        while try await count(second) > 1 { await Task.yield() }
        let content = try await second.data(for: .init(patient: Self.page + "shop")).0
        #expect(content == Data([1]))
    }

    private func count(_ larder: Larder) async throws -> Int {
        let usage = try await larder.usage
        return usage.responses
    }

    struct Origins: Sendable, CustomTestStringConvertible {
        var stored: String?
        var first: String?
        var second: String?
        var isHit: Bool
        var testDescription: String {
            "\(stored ?? "none") stored for \(first ?? "none"), asked by \(second ?? "none")"
        }
    }

    @Test(
        "a response that names an origin answers requests of that origin",
        arguments: [
            Origins(stored: "https://a.example", first: "https://a.example", second: "https://a.example", isHit: true),
            Origins(stored: "https://a.example", first: "https://a.example", second: "https://b.example", isHit: false),
            Origins(stored: "null", first: "null", second: "https://b.example", isHit: false),
            Origins(stored: "*", first: "https://a.example", second: "https://b.example", isHit: true),
            Origins(stored: nil, first: nil, second: "https://b.example", isHit: false),
            Origins(stored: nil, first: nil, second: nil, isHit: true),
            Origins(stored: nil, first: nil, second: "https://shop.example", isHit: true),
            Origins(stored: "https://a.example", first: "https://a.example", second: nil, isHit: true),
        ])
    func allowedOrigins(_ row: Origins) async throws {
        try await temporary { larder, transport in
            transport.on(Self.page) { request in
                var fields = Self.fresh
                fields[.eTag] = "\"1\""
                let origin = request.head.headerFields[.origin]
                fields[.accessControlAllowOrigin] = row.stored == "*" ? "*" : origin
                if request.head.headerFields[.ifNoneMatch] != nil { return ScriptedTransport.answer(304, [:]) }
                return ScriptedTransport.answer(200, fields, body: "for \(origin ?? "none")")
            }
            func fields(_ origin: String?) -> HTTPFields { origin.map { [.origin: $0] } ?? [:] }
            _ = try await ask(larder, "/", fields(row.first))
            let answer = try await ask(larder, "/", fields(row.second))
            #expect(answer.cacheStatus.isHit == row.isHit)
            if !row.isHit {
                #expect(answer.head.headerFields[.accessControlAllowOrigin] == row.second)
                let again = try await ask(larder, "/", fields(row.second))
                #expect(again.cacheStatus.isHit)
            }
        }
    }
}
