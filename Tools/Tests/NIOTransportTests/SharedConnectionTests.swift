import CacheEngine
import CacheTesting
import HTTPTypes
import NIOCore
import NIOEmbedded
import Testing
import WireSupport

@testable import NIOTransport

/// How exchanges share a connection of HTTP/2.
@Suite("RFC 9113 §5: streams of one connection", .serialized, .timeLimit(.minutes(60)))
struct SharedConnectionTests {
    private typealias Frame = FrameOrigin.Frame

    @Sendable private static func ok(_ request: FrameOrigin.Request) -> [FrameOrigin.Step] {
        [.frame(.head(on: request.stream)), .frame(.data("ok", on: request.stream))]
    }

    @Test("a burst to an origin that is known to speak HTTP/2 opens one connection")
    func burst() async throws {
        let bench = try FrameBench(try await FrameOrigin.start(Self.ok))
        #expect(await bench.send().content == "ok")
        bench.transport.closeIdleConnections()
        try await bench.origin.closed(0)
        let outcomes = await bench.send(count: 50)
        #expect(outcomes.allSatisfy { $0.content == "ok" } && outcomes.count == 50)
        #expect(bench.origin.connections == 2)
    }

    @Test("of a burst to an unknown origin one connection stays")
    func unknown() async throws {
        let bench = try FrameBench(try await FrameOrigin.start(Self.ok))
        #expect(await bench.send(count: 10).allSatisfy { $0.content == "ok" })
        let before = bench.origin.requests.count
        #expect(await bench.send(count: 10).allSatisfy { $0.content == "ok" })
        // The first ten open one each at most, and the origin may see the last of them late.
        #expect(bench.origin.connections <= 10)
        #expect(Set(bench.origin.requests.dropFirst(before).map(\.connection)).count == 1)
    }

    @Test("whatever the method", arguments: ["GET", "POST", "PATCH", "FOO"])
    func methods(_ method: String) async throws {
        let bench = try FrameBench(try await FrameOrigin.start(Self.ok))
        #expect(await bench.send().content == "ok")
        let body = method == "POST" ? RequestBody(ScriptedBody([[7]]), length: 1) : nil
        #expect(await bench.send(method, body: body).content == "ok")
        #expect(bench.origin.connections == 1)
    }

    @Test("§6.5.2 SETTINGS_MAX_CONCURRENT_STREAMS: the others wait, and none opens a connection")
    func limit() async throws {
        let origin = try await FrameOrigin.start(settings: [(3, 2)]) { request in
            request.path == "/held" ? [] : Self.ok(request)
        }
        let bench = try FrameBench(origin)
        #expect(await bench.send().content == "ok")
        async let outcomes = bench.send(count: 6, "/held")
        for answered in stride(from: 1, to: 7, by: 2) {
            try await origin.requests(answered + 2)
            // Another request would be here before this one.
            for request in origin.requests.suffix(2) {
                try await origin.send([.head(on: request.stream), .data("ok", on: request.stream)])
            }
            #expect(origin.requests.count <= answered + 4)
        }
        #expect(await outcomes.allSatisfy { $0.content == "ok" })
        #expect(origin.connections == 1)
    }

    @Test("a thousand requests at once, of which the origin allows a hundred")
    func thousand() async throws {
        let origin = try await StepOrigin.startHTTP2 { request in
            [.head(200, [:], .chunked), .bytes(Array(request.target.utf8))]
        }
        let transport = NIOOriginTransport(dialer: try SecureOrigin.dialer(origin.port))
        _ = await TransportBench.send(FrameBench.request(), by: transport)
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let request = FrameBench.request("GET", "/\(number)")
                    return await TransportBench.send(request, by: transport).content != "/\(number)"
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 0)
        #expect(origin.received.count == 1_001)
    }

    @Test("§5.4.2: a request that is given up resets its stream, and the connection stays")
    func cancelled() async throws {
        let origin = try await FrameOrigin.start { request in
            switch request.path {
            case "/silent": []
            case "/half": [.frame(.head(on: request.stream)), .frame(.data("ha", on: request.stream, isLast: false))]
            default: Self.ok(request)
            }
        }
        let bench = try FrameBench(origin)
        let silent = Task { await bench.send("GET", "/silent") }
        try await origin.requests(1)
        silent.cancel()
        _ = await silent.value
        let half = try await bench.transport.send(FrameBench.request("GET", "/half"))
        #expect(try await half.body.next() == Array("ha".utf8))
        half.body.cancel()
        #expect(await bench.send().content == "ok")
        #expect(origin.connections == 1)
        #expect(origin.resets == [8, 8])
    }

    @Test("a reader that stops stops its own stream only")
    func unread() async throws {
        let origin = try await StepOrigin.startHTTP2 { request in
            request.target == "/long"
                ? [.head(200, [:], .length(1_073_741_824)), .zeros(1_073_741_824)]
                : [.head(200, [:], .length(1_048_576)), .zeros(1_048_576)]
        }
        let transport = NIOOriginTransport(dialer: try SecureOrigin.dialer(origin.port))
        var stopped: [any BodySource] = []
        for _ in 0..<5 {
            stopped.append(try await transport.send(FrameBench.request("GET", "/long")).body)
        }
        try await origin.settle()
        let before = origin.sentBytes
        for _ in 0..<20 {
            #expect(await TransportBench.send(FrameBench.request(), by: transport).statedLength == 1_048_576)
        }
        let held = origin.sentBytes - 20 * 1_048_576
        #expect(before <= held && held < 5 * 4_194_304, "\(held) octets are held for those that do not read")
        for body in stopped { body.cancel() }
    }

    @Test("an origin that stops reading a request's content holds no other request up")
    func unreadUpload() async throws {
        let origin = try await FrameOrigin.start(isGenerous: false, Self.ok)
        let bench = try FrameBench(origin)
        let content = ScriptedBody((0..<64).map { _ in [UInt8](repeating: 7, count: 16_384) })
        let upload = Task { await bench.send("POST", "/upload", body: RequestBody(content, length: 1_048_576)) }
        while origin.received < 65_535 { await Task.yield() }
        #expect(await bench.send(count: 20).allSatisfy { $0.content == "ok" })
        // §6.9.2: the window that every stream begins with.
        #expect(origin.received == 65_535)
        #expect(content.pulledBytes < 262_144)
        upload.cancel()
        #expect(await upload.value.response == nil)
    }

    @Test("a connection that nobody uses is closed when its time is over")
    func idle() async throws {
        var limits = NIOOriginTransport.Limits()
        limits.idleTime = .milliseconds(20)
        let bench = try FrameBench(try await FrameOrigin.start(Self.ok), limits: limits)
        #expect(await bench.send(count: 3).allSatisfy { $0.content == "ok" })
        for connection in 0..<bench.origin.connections { try await bench.origin.closed(connection) }
        #expect(await bench.send().content == "ok")
    }

    @Test("an origin that does not choose HTTP/2 gets HTTP/1.1", arguments: [["http/1.1"], []])
    func notChosen(_ protocols: [String]) async throws {
        let bench = try FrameBench(try await FrameOrigin.start(protocols: protocols, Self.ok))
        for _ in 0..<2 { #expect(await bench.send().content == "one") }
        #expect(bench.origin.plain == 2 && bench.origin.connections == 1)
    }

    @Test("§4.1, §6.5.2: frames and settings of unknown types are ignored", arguments: [0x0A, 0x0C, 0x2A])
    func unknown(_ kind: UInt8) async throws {
        let origin = try await FrameOrigin.start(settings: [(8, 1), (9, 1), (0x1A2A, 7)]) { request in
            let payload: [UInt8] = kind == 0x0C ? [0, 1, 0x61] : [0, 1, 0x61, 0x62]
            var frame = Frame(.data, stream: kind == 0x2A ? request.stream : 0, payload)
            frame.kind = kind
            return [.frame(frame)] + Self.ok(request)
        }
        let bench = try FrameBench(origin)
        for _ in 0..<2 { #expect(await bench.send().content == "ok") }
        #expect(origin.connections == 1)
    }

    @Test("§8.1: an origin that resets each stream once it has answered keeps its connection")
    func resets() async throws {
        let origin = try await FrameOrigin.start { Self.ok($0) + [.frame(.reset(.noError, on: $0.stream))] }
        let bench = try FrameBench(origin)
        #expect(await bench.send().content == "ok")
        for _ in 0..<6 { #expect(await bench.send(count: 50).allSatisfy { $0.content == "ok" }) }
        #expect(origin.connections == 1)
    }

    @Test("RFC 7541 §4.1: an origin that has us keep a table of any size gets a new connection now and then")
    func table() async throws {
        let origin = try await FrameOrigin.start(settings: [(1, 0xFFFF_FFFF)], Self.ok)
        let bench = try FrameBench(origin)
        #expect(await bench.send().content == "ok")
        for _ in 0..<11 { #expect(await bench.send(count: 100).allSatisfy { $0.content == "ok" }) }
        let counts = Dictionary(grouping: origin.requests, by: \.connection).values.map(\.count)
        // Those that have the connection when it reaches the limit, a hundred at most, go on.
        #expect(counts.allSatisfy { $0 <= 1_100 } && counts.count >= 2)
    }

    @Test("after a silence of all streams the next request goes on a new connection")
    func silence() {
        let loop = EmbeddedEventLoop()
        let handler = SharedConnectionHandler(loop, isSecure: true)
        func isSilent(since begin: NIODeadline) -> Bool {
            handler.waits(since: begin)
            return handler.standing.withLock { $0.isSilent && !$0.isDraining }
        }
        #expect(!isSilent(since: loop.now), "it was not long enough")
        let begin = loop.now
        loop.advanceTime(by: SharedConnectionHandler.suspiciousSilence)
        #expect(isSilent(since: begin))
    }
}
