import CacheEngine
import CacheTesting
import HTTPTypes
import NIOTransport
import Testing
import WireSupport

/// What becomes of a request that its origin has not processed, or whose stream or connection ends early.
@Suite("RFC 9113 §8.7 Request Reliability", .serialized, .timeLimit(.minutes(60)))
struct RefusedStreamTests {
    private typealias Frame = FrameOrigin.Frame
    typealias Step = FrameOrigin.Step

    struct Row: Sendable, CustomTestStringConvertible {
        var says: String
        var method = "POST"
        var content: Int? = 5
        /// For the second request of the first connection; the others get `ok`.
        var steps: @Sendable (UInt32) -> [Step]
        var answer = "ok"
        var failure: TransportError.Code?
        /// How often the request goes out.
        var times = 2
        /// How many requests go by HTTP/1.1, the next one with them.
        var plain = 0
        var testDescription: String { says }
    }

    static func ok(_ stream: UInt32) -> [Step] {
        [.frame(.head(on: stream)), .frame(.data("ok", on: stream))]
    }

    static let rows: [Row] = [
        Row(says: "REFUSED_STREAM") { [.frame(.reset(.refusedStream, on: $0))] },
        Row(says: "REFUSED_STREAM, without content", method: "PATCH", content: nil) {
            [.frame(.reset(.refusedStream, on: $0))]
        },
        Row(
            says: "content that is too long to be kept goes once", content: 70_000,
            steps: {
                [.frame(.reset(.refusedStream, on: $0))]
            }, answer: "", failure: .closedEarly, times: 1),
        Row(says: "GOAWAY below the stream") { [.frame(.goAway(last: $0 - 2))] },
        Row(says: "GOAWAY below the stream, and the end") { [.frame(.goAway(last: $0 - 2)), .close] },
        Row(says: "GOAWAY for an error, below the stream") {
            [.frame(.goAway(.enhanceYourCalm, last: $0 - 2)), .close]
        },
        Row(
            says: "GOAWAY above the stream: it goes on",
            steps: {
                [.frame(.goAway(last: $0))] + ok($0)
            }, times: 1),
        Row(
            says: "GOAWAY within the response: it goes on",
            steps: {
                [.frame(.head(on: $0)), .frame(.goAway(last: $0)), .frame(.data("ok", on: $0))]
            }, times: 1),
        Row(
            says: "GOAWAY above the stream, and the end",
            steps: {
                [.frame(.goAway(last: $0)), .close]
            }, answer: "", failure: .closedEarly, times: 1),
        Row(says: "GOAWAY above the stream, and the end, for what is idempotent", method: "GET", content: nil) {
            [.frame(.goAway(last: $0)), .close]
        },
        Row(says: "the end of the connection", steps: { _ in [.close] }, answer: "", failure: .closedEarly, times: 1),
        Row(says: "the end of the connection, for what is idempotent", method: "GET", content: nil) { _ in [.close] },
        Row(
            says: "another error of the stream", method: "GET", content: nil,
            steps: {
                [.frame(.reset(.internalError, on: $0))]
            }, answer: "", failure: .closedEarly, times: 1),
        Row(
            says: "an error within the content", method: "GET", content: nil,
            steps: {
                [
                    .frame(.head(on: $0)), .frame(.data("hal", on: $0, isLast: false)),
                    .frame(.reset(.internalError, on: $0)),
                ]
            }, answer: "hal", failure: .closedEarly, times: 1),
        Row(
            says: "§8.1: NO_ERROR after the whole response",
            steps: {
                ok($0) + [.frame(.reset(.noError, on: $0))]
            }, times: 1),
        Row(
            says: "§7 HTTP_1_1_REQUIRED", steps: { [.frame(.reset(.http11Required, on: $0))] }, answer: "one", times: 1,
            plain: 2),
        Row(
            says: "§7 HTTP_1_1_REQUIRED of the connection, below the stream",
            steps: {
                [.frame(.goAway(.http11Required, last: $0 - 2)), .close]
            }, answer: "one", times: 1, plain: 2),
        Row(
            says: "§7 HTTP_1_1_REQUIRED of the connection, above the stream",
            steps: {
                [.frame(.goAway(.http11Required, last: $0)), .close]
            }, answer: "", failure: .closedEarly, times: 1, plain: 1),
        Row(
            says: "§7 HTTP_1_1_REQUIRED of the connection, above the stream, for what is idempotent", method: "GET",
            content: nil,
            steps: {
                [.frame(.goAway(.http11Required, last: $0)), .close]
            }, answer: "one", times: 1, plain: 2),
    ]

    @Test("the second request of a connection", arguments: rows)
    func second(_ row: Row) async throws {
        let origin = try await FrameOrigin.start { request in
            request.number == 2 ? row.steps(request.stream) : Self.ok(request.stream)
        }
        let bench = try FrameBench(origin)
        #expect(await bench.send().content == "ok")
        let body = row.content.map {
            RequestBody(ScriptedBody([[UInt8](repeating: 7, count: $0)]), length: Int64($0))
        }
        let outcome = await bench.send(row.method, "/again", body: body)
        #expect(outcome.failure == row.failure && outcome.content == row.answer, "\(outcome)")
        let again = origin.requests.filter { $0.path == "/again" }
        #expect(again.count == row.times)
        #expect(again.allSatisfy { $0.content == row.content ?? 0 })
        // The origin is there for the next one, whatever has happened.
        let next = await bench.send("GET", "/next")
        #expect(next.content == (row.plain > 0 ? "one" : "ok"))
        #expect(origin.plain == row.plain)
    }

    @Test("§6.10: a head longer than a frame goes by HTTP/1.1, and ends no connection")
    func longHead() async throws {
        let origin = try await FrameOrigin.start { Self.ok($0.stream) }
        let bench = try FrameBench(origin)
        #expect(await bench.send().content == "ok")
        let outcome = await bench.send("GET", "/" + String(repeating: "a~", count: 9_000))
        #expect(outcome.content == "one" && outcome.failure == nil && origin.plain == 1)
    }

    @Test("an origin that refuses without end gets a request four times")
    func withoutEnd() async throws {
        let origin = try await FrameOrigin.start { [.frame(.reset(.refusedStream, on: $0.stream))] }
        let bench = try FrameBench(origin)
        #expect(await bench.send().failure == .closedEarly)
        #expect(origin.requests.count == 4)
    }

    @Test("an origin that leaves each connection at once")
    func leaving() async throws {
        let origin = try await FrameOrigin.start { _ in [.frame(.goAway(last: 0)), .close] }
        let bench = try FrameBench(origin)
        #expect(await bench.send(count: 10).allSatisfy { $0.failure == .closedEarly })
    }

    @Test("GOAWAY while nothing is under way: the next request goes on a new connection")
    func idle() async throws {
        let origin = try await FrameOrigin.start { Self.ok($0.stream) }
        let bench = try FrameBench(origin)
        #expect(await bench.send().content == "ok")
        try await origin.send([.goAway(last: 1)])
        try await origin.closed(0)
        #expect(await bench.send("POST").content == "ok")
        #expect(origin.connections == 2 && origin.requests.count == 2)
    }

    @Test("an origin that answers without the rest of the request's content (RFC 9113 §8.1)")
    func early() async throws {
        let origin = try await StepOrigin.startHTTP2 { _ in
            [.head(413, [:], .length(2)), .bytes(Array("no".utf8))]
        }
        let transport = NIOOriginTransport(dialer: try SecureOrigin.dialer(origin.port))
        let body = ScriptedBody([[1, 2, 3]], ends: false)
        let outcome = await TransportBench.send(
            FrameBench.request("POST", "/early", body: RequestBody(body, length: 1_000_000)), by: transport)
        #expect(outcome.response?.status.code == 413 && outcome.content == "no")
        // The stream ends, so nothing waits for the rest.
        #expect(await TransportBench.send(FrameBench.request(), by: transport).content == "no")
        body.end()
    }
}
