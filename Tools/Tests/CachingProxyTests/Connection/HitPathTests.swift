import CacheTesting
import Foundation
import ResponseStore
import Testing
import WireSupport

@testable import CachingProxy

/// Answers that end at once against answers that take the long way: what a client sees may not tell them apart.
@Suite("Hits that are answered at once", .serialized, .timeLimit(.minutes(60)))
struct HitPathTests {
    /// An origin whose answers are not stored, so that the stores stay as they were filled.
    private func origin() async throws -> WireOrigin {
        try await WireOrigin.start { request, _ in
            let head = "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 6\r\n\r\n"
            return .init(text: request.hasPrefix("HEAD ") ? head : head + "origin")
        }
    }

    private static let paths = [
        "/plain", "/plain", "/tagged", "/tagged", "/dated", "/large", "/large", "/vary", "/part", "/empty", "/stale",
        "/waiting", "/absent", "/plain?q", "/plain#f", "",
    ]
    private static let fields = [
        "If-None-Match: \"a\"", "If-None-Match: W/\"a\", \"b\"", "If-None-Match: *", "If-None-Match: \"l\"",
        "If-Modified-Since: Tue, 14 Nov 2023 21:00:00 GMT", "If-Modified-Since: Tue, 14 Nov 2023 19:00:00 GMT",
        "If-Modified-Since: never", "If-Match: \"a\"", "Range: bytes=0-3", "Range: bytes=2-", "Range: bytes=-5",
        "Range: bytes=70000-90000", "Range: bytes=3-5,7-8", "Range: bytes=900000-", "Range: lines=1-2", "Range: bytes=",
        "If-Range: \"a\"", "If-Range: \"l\"", "If-Range: Tue, 14 Nov 2023 20:00:00 GMT", "Cache-Control: no-cache",
        "Cache-Control: max-age=0", "Cache-Control: max-stale", "Cache-Control: only-if-cached", "Pragma: no-cache",
        "Cache-Control: no-store", "Accept-Encoding: gzip", "Accept-Encoding: identity", "Accept-Language: de",
        "Accept-Language: en", "Accept: text/html,*/*", "Sec-Fetch-Dest: image", "Sec-Fetch-Dest: style",
        "Sec-Fetch-Dest: script", "Connection: keep-alive", "Connection: close", "Connection: If-None-Match",
        "Connection: range, x", "Connection: upgrade", "Upgrade: h2c", "TE: trailers",
        "Proxy-Authorization: Basic eA==",
        "Content-Length: 0", "Content-Length: 00", "Content-Length: -1", "Content-Length: 0, 0", "Expect: 100-continue",
        "Max-Forwards: 0", "Host: other.test", "X-Odd:", "X-Odd: \u{E9}\t\u{FF}", "X-Odd : 1", " X-Odd: 1",
        "X-\u{E9}: 1",
        "Cookie: a=1; b=2", "Authorization: Basic eA==", "Via: 1.1 somebody", "Trailer: x", "X: \r", "X: a\nY: b",
    ]

    private static func request(_ dice: inout SplitMix64, isLast: Bool) -> String {
        let method = dice.pick(["GET", "GET", "GET", "GET", "GET", "HEAD", "HEAD", "OPTIONS", "TRACE", "BREW", "get"])
        let start = dice.pick(["http://shop.test", "http://shop.test", "http://shop.test", "http://SHOP.test:80"])
        let isOdd = dice.isHit(oneIn: 25)
        let target =
            isOdd ? dice.pick(["/plain", "*", "shop.test:80", "http://", "http:///plain"]) : start + dice.pick(paths)
        let version = dice.isHit(oneIn: 12) ? dice.pick(["1.0", "1.2", "2.0", "1", "1.1 "]) : "1.1"
        var lines = ["\(method) \(target) HTTP/\(version)", "Host: shop.test"]
        for _ in 0..<dice.pick([0, 0, 1, 1, 2, 3]) { lines.append(dice.pick(fields)) }
        if isLast { lines.append("Connection: close") }
        if dice.isHit(oneIn: 15) {
            lines.append(dice.pick(["Transfer-Encoding: chunked", "Transfer-Encoding: chunked, chunked"]))
            return lines.joined(separator: "\r\n") + "\r\n\r\n" + dice.pick(["0\r\n\r\n", "2\r\nab\r\n0\r\n\r\n"])
        }
        return lines.joined(separator: "\r\n") + dice.pick(["\r\n\r\n", "\r\n\r\n", "\r\n\r\n", "\r\n\r\n\r\n"])
    }

    /// One to five requests in one text; the last one, or a fault before it, lets the proxy close.
    private static func conversation(_ dice: inout SplitMix64) -> String {
        let count = dice.pick([1, 1, 2, 3, 5])
        var text = (1...count).map { request(&dice, isLast: $0 == count) }.joined()
        text += "GET http://shop.test/plain HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n"
        guard dice.isHit(oneIn: 5) else { return text }
        // Damage: what one path takes for a request the other must, too.
        var octets = Octets.bytes(text)
        let place = Int(dice.next() % UInt64(octets.count - 1))
        switch dice.next() % 3 {
        case 0: octets[place] = UInt8(truncatingIfNeeded: dice.next())
        case 1: octets.remove(at: place)
        default: octets.insert(dice.pick([0x20, 0x0D, 0x0A, 0x3A, 0x00]), at: place)
        }
        // The head that follows ends what the damage may have left open.
        return Octets.text(octets) + "\r\n\r\nx\r\n\r\n"
    }

    @Test("the same octets and the same reports as the long way", arguments: [1, 2])
    func same(_ seed: UInt64) async throws {
        let origin = try await origin()
        let folder = try TemporaryDirectory()
        let stores = try [1, 2].map { number -> any ResponseStorage in
            seed == 1 ? MemoryResponseStore() : try DiskResponseStore(directory: folder.path + "/\(number)")
        }
        let quick = try await HitPathBench(origin, store: stores[0], answersAtOnce: true)
        let long = try await HitPathBench(origin, store: stores[1], answersAtOnce: false)
        var dice = SplitMix64(seed: seed)
        for round in 0..<400 {
            if round % 20 == 0 {
                try await quick.fill()
                try await long.fill()
            }
            let text = Self.conversation(&dice)
            // From the third time on its heads are known by their octets.
            for _ in 0..<dice.pick([1, 4]) {
                let (given, expected) = (try await quick.exchange(text), try await long.exchange(text))
                #expect(given.answer == expected.answer, "\(seed) \(round): \(text.debugDescription)")
                #expect(given.reports == expected.reports, "\(seed) \(round): \(text.debugDescription)")
                guard given == expected else { return }
            }
        }
        // Both took their own ways, or the comparison would show nothing.
        #expect(quick.lookUps + 50 < long.lookUps)
        #expect(quick.knownRequests > 50)
        #expect(long.knownRequests == 0)
    }

    @Test("a large body leaves whole, and in parts, while its entry is removed")
    func large() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await origin()
        let bench = try await HitPathBench(
            origin, store: try DiskResponseStore(directory: folder.path), answersAtOnce: true)
        try await bench.fill()
        let ask = "GET http://shop.test/large HTTP/1.1\r\nHost: shop.test\r\n"
        // The first one opens the file; the others share it.
        for _ in 1...3 {
            let answer = try await bench.exchange(ask + "Connection: close\r\n\r\n").answer
            #expect(answer.hasSuffix("\r\n\r\n" + Octets.text(HitPathBench.large)))
        }
        let many = String(repeating: ask + "\r\n", count: 30)
        let client = try await WireClient.open(port: bench.port)
        client.send(many)
        _ = try await bench.store.removeEntries(origin: "http://shop.test", partition: "")
        client.send(ask + "Connection: close\r\n\r\n")
        let answers = try await client.readToEnd()
        let whole = answers.ranges(of: Octets.text(HitPathBench.large)).count
        let others = answers.ranges(of: "\r\n\r\norigin").count
        #expect(whole + others == 31)
    }

    @Test("what is removed takes along the requests that it answered, with their cookies")
    func forgotten() async throws {
        let bench = try await HitPathBench(
            try await origin(), store: MemoryResponseStore(), answersAtOnce: true)
        try await bench.fill()
        for path in ["/plain", "/tagged"] {
            let ask =
                "GET http://shop.test\(path) HTTP/1.1\r\nHost: shop.test\r\nCookie: a=secret\r\nConnection: close\r\n\r\n"
            for _ in 1...3 { _ = try await bench.exchange(ask) }
        }
        #expect(bench.keptRequests == 2)
        try await bench.remove(EntrySelection(uri: "http://shop.test/plain", partition: ""))
        #expect(bench.keptRequests == 1)
        try await bench.remove(EntrySelection(partition: ""))
        #expect(bench.keptRequests == 0)
    }

    @Test("a file that was cut short while it is open: the request is answered anew")
    func cutShort() async throws {
        let folder = try TemporaryDirectory()
        let store = try DiskResponseStore(directory: folder.path)
        let origin = try await origin()
        let bench = try await HitPathBench(origin, store: store, answersAtOnce: true)
        try await bench.fill()
        let entry = try #require(try await store.entries(for: .init(uri: "http://shop.test/large")).first)
        guard case .file(let file) = try await store.open(entry) else {
            Issue.record("the body lies in no file")
            return
        }
        let ask = "GET http://shop.test/large HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n"
        try file.verify(0..<100_000)
        let bodies = folder.path + "/bodies/"
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: bodies).first)
        try #require(truncate(bodies + name, 50_000) == 0)
        _ = try await bench.exchange(ask)
        let left = try await store.entries(for: .init(uri: "http://shop.test/large"))
        #expect(!left.contains { $0.id == entry.id })
    }
}

extension SplitMix64 {
    fileprivate mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(next() % UInt64(values.count))] }

    fileprivate mutating func isHit(oneIn count: UInt64) -> Bool { next() % count == 0 }
}
