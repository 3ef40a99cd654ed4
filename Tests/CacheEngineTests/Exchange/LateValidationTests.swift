import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

/// Issue 12: an answer that confirms a stored response, and comes late, does not undo what clients saw meanwhile
/// (docs/decisions/0012-order-of-responses.md).
@Suite("304s and answers to HEAD that arrive late", .timeLimit(.minutes(5)))
struct LateValidationTests {
    private static func fields(_ tag: String) -> HTTPFields {
        [.cacheControl: "max-age=60", .eTag: "\"\(tag)\"", .vary: "Accept-Language"]
    }

    @Test("a late 304 that names another variant does not take the place of a newer response")
    func otherVariant() async throws {
        let bench = try Bench()
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { request in
            let fields = request.head.headerFields
            if fields[.acceptLanguage] == "de" { return ScriptedTransport.answer(200, Self.fields("de"), body: "de") }
            if fields[.from] == "late" {
                // A stored variant that does not match is offered all the same (RFC 9111 §4.3.1).
                guard fields[.ifNoneMatch] == "\"de\"" else { return ScriptedTransport.answer(500) }
                try await gate.pass()
                return ScriptedTransport.answer(304, Self.fields("de"))
            }
            let text = fields[.from] ?? "en"
            return ScriptedTransport.answer(200, Self.fields(text), body: text)
        }
        _ = try await bench.text("/a", [.acceptLanguage: "de"])
        async let late = bench.text("/a", [.acceptLanguage: "en", .from: "late"])
        try await bench.transport.requests(atLeast: 2)
        let reload: HTTPFields = [.acceptLanguage: "en", .from: "new", .cacheControl: "no-cache"]
        #expect(try await bench.text("/a", reload).text == "new")
        await bench.cache.waitForBackgroundWork()
        gate.open()
        #expect(try await late.text == "de")
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.text("/a", [.acceptLanguage: "en", .from: "newest"]).text == "newest")
    }

    @Test("a late 304 does not make fresh again what an answer to HEAD has outdated")
    func afterHead() async throws {
        let bench = try Bench()
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { request in
            if request.head.method == .head { return ScriptedTransport.answer(200, Self.fields("new")) }
            switch request.head.headerFields[.from] {
            case "late":
                try await gate.pass()
                return ScriptedTransport.answer(304, Self.fields("old"))
            case let name:
                return ScriptedTransport.answer(200, Self.fields(name ?? "old"), body: name ?? "old")
            }
        }
        #expect(try await bench.text("/a").text == "old")
        async let late = bench.text("/a", [.from: "late", .cacheControl: "no-cache"])
        try await bench.transport.requests(atLeast: 2)
        _ = try await bench.text("/a", [.cacheControl: "no-cache"], method: .head)
        gate.open()
        #expect(try await late.text == "old")
        #expect(try await bench.text("/a", [.from: "new"]).text == "new")
    }

    @Test("two 304s at the same time leave the response fresh")
    func both() async throws {
        let bench = try Bench()
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { request in
            guard request.head.headerFields.contains(.ifNoneMatch) else {
                return ScriptedTransport.answer(200, Self.fields("a"), body: "a")
            }
            try await gate.pass()
            return ScriptedTransport.answer(304, Self.fields("a"))
        }
        _ = try await bench.text("/a")
        async let first = bench.text("/a", [.cacheControl: "no-cache"])
        async let second = bench.text("/a", [.cacheControl: "no-cache"])
        try await bench.transport.requests(atLeast: 3)
        gate.open()
        #expect(try await (first.text, second.text) == ("a", "a"))
        #expect(try await bench.text("/a").text == "a")
        #expect(bench.transport.requests.count == 3)
    }
}
