import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("A silent origin is waited for no longer than stated", .timeLimit(.minutes(5)))
struct SilentOriginTests {
    private static let noCache: HTTPFields = [.cacheControl: "no-cache", .eTag: "\"1\""]

    @Test("half a minute, where a stored response may answer; then it does (RFC 9111 §4.2.4)")
    func fallback() async throws {
        let bench = try Bench()
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, [.cacheControl: "max-age=1", .eTag: "\"1\""], body: "old") },
                { request in
                    #expect(request.timeout == .seconds(30))
                    throw TransportError(code: .timedOut, message: "The test says so.")
                },
            ])
        try await bench.fill("/a")
        #expect(bench.transport.requests.last?.timeout == nil, "the transport's own limit")
        bench.clock.advance(by: .seconds(10))
        #expect(try await bench.text("/a").text == "old")
    }

    @Test("a rule's or an app's own time-out holds where it is shorter")
    func shorter() async throws {
        let bench = try Bench { $0.limits.beforeFallback = .seconds(5) }
        bench.answer("/a", 200, Self.noCache, body: "x")
        try await bench.fill("/a")
        _ = try await bench.text("/a")
        #expect(bench.transport.requests.last?.timeout == .seconds(5))
        var context = ExchangeContext()
        context.timeout = .seconds(2)
        _ = try await bench.text("/a", context: context)
        #expect(bench.transport.requests.last?.timeout == .seconds(2))
    }

    @Test("content that stops coming is broken off after two minutes; one that comes slowly is not")
    func content() async throws {
        let bench = try Bench()
        let body = ScriptedBody([Array("go".utf8)], ends: false)
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "no-store"], streaming: body)
        }
        let source = await bench.send("/a").body.makeSource()
        #expect(try await source.next() == Array("go".utf8))
        try await bench.clock.sleepers(atLeast: 1)
        bench.clock.advance(by: .seconds(100))
        let rest = Task { try await source.next() }
        try await body.pulls(atLeast: 2)
        // The piece was asked for 20 seconds before.
        bench.clock.advance(by: .seconds(20))
        try await bench.clock.sleepers(atLeast: 2)
        #expect(!body.isCancelled)
        bench.clock.advance(by: .seconds(120))
        await #expect(throws: TransportError.self) { try await rest.value }
        #expect(body.isCancelled)
    }

    @Test("streams of events may be silent", arguments: ["text/event-stream", "Text/Event-Stream; charset=utf-8"])
    func events(_ type: String) async throws {
        let bench = try Bench()
        let body = ScriptedBody([Array("data: 1\n\n".utf8)], ends: false)
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.contentType: type, .cacheControl: "no-store"], streaming: body)
        }
        let response = await bench.send("/a")
        guard case .stream(let source, _) = response.body else { Issue.record("no stream"); return }
        #expect(try await source.next()?.isEmpty == false)
        async let rest = source.next()
        try await body.pulls(atLeast: 2)
        bench.clock.advance(by: .seconds(86_400))
        #expect(!body.isCancelled)
        source.cancel()
        _ = try? await rest
    }
}
