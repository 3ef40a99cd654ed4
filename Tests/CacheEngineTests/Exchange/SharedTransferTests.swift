import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4: collapsed requests never get another's answer", .timeLimit(.minutes(5)))
struct SharedTransferTests {
    /// A transfer under way for `/a`, and an origin that answers every other request differently.
    private struct UnderWay: Sendable {
        let bench: Bench
        let body = ScriptedBody()
        let first: EngineResponse

        init(
            _ fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""], first: HTTPFields = [:],
            length: Int64? = nil, context: ExchangeContext = .init(), kind: Bench.StoreKind = .memory
        ) async throws {
            let bench = try Bench(kind)
            let body = body
            bench.transport.on(Bench.base + "/a") { request in
                if bench.transport.requests.count == 1 {
                    return ScriptedTransport.answer(200, fields, streaming: body, length: length)
                }
                if let range = request.head.headerFields[.range] {
                    return ScriptedTransport.answer(206, [.contentRange: "bytes 0-2/3"], body: range == "" ? "" : "own")
                }
                return ScriptedTransport.answer(200, fields, body: "own")
            }
            self.bench = bench
            self.first = await bench.send("/a", first, context: context)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var stored: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
        var first: HTTPFields = [:]
        var firstContext = ExchangeContext()
        var second: HTTPFields = [:]
        var secondContext = ExchangeContext()
        var shares: Bool
        var testDescription: String { name }
    }

    private static let varying: HTTPFields = [.cacheControl: "max-age=60", .vary: "Accept-Language, X-Account"]
    private static let account: HTTPField.Name? = .init("X-Account")

    private static func account(_ name: String) -> HTTPFields {
        var fields = HTTPFields()
        if let account { fields[account] = name }
        return fields
    }

    private static let rows: [Row] = [
        Row(name: "the same request", shares: true),
        Row(name: "a field that nothing varies on", second: [.acceptLanguage: "de"], shares: true),
        // §4.1
        Row(name: "another language", stored: varying, first: [.acceptLanguage: "en"], shares: false),
        Row(
            name: "the same language", stored: varying, first: [.acceptLanguage: "en"],
            second: [.acceptLanguage: "en"], shares: true),
        Row(
            name: "another account by field", stored: varying, first: account("one"), second: account("two"),
            shares: false),
        Row(name: "Vary: *", stored: [.cacheControl: "max-age=60", .vary: "*"], shares: false),
        // §3.5, and partitions, by which a user agent separates accounts.
        Row(name: "credentials of the second", second: [.authorization: "Basic b"], shares: false),
        Row(name: "credentials of the first", first: [.authorization: "Basic a"], shares: false),
        Row(
            name: "different credentials", first: [.authorization: "Basic a"], second: [.authorization: "Basic b"],
            shares: false),
        Row(name: "another partition", secondContext: .init(partition: "two"), shares: false),
        Row(
            name: "the same partition", firstContext: .init(partition: "two"), secondContext: .init(partition: "two"),
            shares: true),
        Row(name: "the default partition second", firstContext: .init(partition: "two"), shares: false),
        // A response that could not be reused once stored can't be shared either.
        Row(name: "a response with no-store", stored: [.cacheControl: "no-store"], shares: false),
        Row(name: "a response with no-cache", stored: [.cacheControl: "no-cache"], shares: false),
        Row(name: "a response that is stale at once", stored: [.cacheControl: "max-age=0"], shares: false),
        Row(name: "no-cache in the second", second: [.cacheControl: "no-cache"], shares: false),
        Row(name: "min-fresh beyond its freshness", second: [.cacheControl: "min-fresh=90"], shares: false),
        Row(name: "min-fresh within its freshness", second: [.cacheControl: "min-fresh=10"], shares: true),
        Row(name: "a range", second: [.range: "bytes=0-2"], shares: false),
        Row(name: "a condition", second: [.ifNoneMatch: "\"1\""], shares: false),
        // Fetch §2.2.5
        Row(name: "no-store second", secondContext: .init(mode: .noStore), shares: false),
        Row(name: "reload second", secondContext: .init(mode: .reload), shares: false),
        Row(name: "reload-ignoring-local second", secondContext: .init(mode: .reloadIgnoringLocal), shares: false),
        Row(name: "revalidate second", secondContext: .init(mode: .revalidate), shares: false),
        Row(name: "no-store first", firstContext: .init(mode: .noStore), shares: false),
        Row(name: "force-cache second", secondContext: .init(mode: .preferStored), shares: true),
    ]

    @Test("which requests share a transfer that is under way", arguments: rows)
    func shares(_ row: Row) async throws {
        let way = try await UnderWay(row.stored, first: row.first, context: row.firstContext)
        // A request that shares would wait for bytes; one that is forwarded gets them at once.
        let second = await way.bench.send("/a", row.second, context: row.secondContext)
        #expect(second.cacheStatus.isCollapsed == row.shares)
        #expect(way.bench.transport.requests.count == (row.shares ? 1 : 2))
        if !row.shares { #expect(try await Bench.read(second) == "own") }
        way.body.send("first")
        way.body.end()
        #expect(try await Bench.read(way.first) == "first")
        if row.shares { #expect(try await Bench.read(second) == "first") }
    }

    @Test("only-if-cached does not wait for a response that is not stored yet")
    func onlyIfCached() async throws {
        let way = try await UnderWay()
        #expect(try await way.bench.seenAlone("/a", context: .init(mode: .onlyIfStored)) == Seen(504, "", requests: 0))
        way.body.end()
        _ = try await Bench.read(way.first)
    }

    @Test("a HEAD is answered without content while the GET goes on")
    func head() async throws {
        let way = try await UnderWay(length: 5)
        let head = await way.bench.send("/a", method: .head)
        #expect(head.head.status == .ok)
        #expect(try await Bench.read(head).isEmpty)
        way.body.send("first")
        way.body.end()
        #expect(try await Bench.read(way.first) == "first")
    }

    @Test("concurrent requests of two accounts get a response each, with one request to the origin each")
    func accounts() async throws {
        let bench = try Bench()
        let gate = Gate()
        let header = try #require(Self.account)
        bench.transport.on(Bench.base + "/a") { request in
            try await gate.pass()
            return ScriptedTransport.answer(
                200, [.cacheControl: "private, max-age=60"], body: request.head.headerFields[header] ?? "")
        }
        let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<100 {
                let account = number % 10
                group.addTask {
                    let context = ExchangeContext(partition: "account \(account)")
                    return (account, try await bench.text("/a", Self.account("\(account)"), context: context).text)
                }
            }
            try await gate.arrivals(10)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { "\($0.0)" == $0.1 })
        #expect(bench.transport.requests.count == 10)
        await bench.cache.waitForBackgroundWork()
        for account in 0..<10 {
            let context = ExchangeContext(partition: "account \(account)")
            #expect(try await bench.seen("/a", context: context) == Seen(200, "\(account)", requests: 0))
        }
    }

    @Test("a late request gets every byte from the start", arguments: Bench.StoreKind.allCases)
    func late(_ kind: Bench.StoreKind) async throws {
        let way = try await UnderWay(kind: kind)
        let pieces = (0..<6).map { [UInt8](repeating: UInt8($0), count: 30_000) }
        let reader = way.first.body.makeSource()
        var readers: [EngineResponse] = []
        var received: [UInt8] = []
        for piece in pieces {
            way.body.send(piece)
            while received.count < (readers.count + 1) * 30_000, let bytes = try await reader.next() {
                received += bytes
            }
            readers.append(await way.bench.send("/a"))
        }
        way.body.end()
        #expect(try await reader.next() == nil)
        for reader in readers {
            #expect(reader.cacheStatus.isCollapsed)
            #expect(try await reader.body.collect(upTo: .mebibytes(1)) == pieces.joinedOctets())
        }
        #expect(received == pieces.joinedOctets())
        #expect(way.bench.transport.requests.count == 1)
    }

    @Test("a transfer that breaks off fails for all readers, and none takes it as complete", arguments: [true, false])
    func brokenOff(_ hasLength: Bool) async throws {
        let way = try await UnderWay(length: hasLength ? 90_000 : nil)
        var readers = [way.first]
        for _ in 0..<10 { readers.append(await way.bench.send("/a")) }
        way.body.send([UInt8](repeating: 7, count: 40_000))
        way.body.end(throwing: TransportError(code: .closedEarly, message: "The origin hung up."))
        for reader in readers {
            let received = await Bench.received(reader)
            #expect(received.bytes == [UInt8](repeating: 7, count: 40_000) && !received.isWhole)
        }
        await way.bench.cache.waitForBackgroundWork()
        #expect(try await way.bench.stored("/a") == nil)
        let reports = try await way.bench.recorder.reports(atLeast: 11).prefix(11)
        #expect(reports.allSatisfy { !$0.isComplete })
    }

    @Test("a transfer that ends before its stated length has failed like one that is cut off")
    func tooShort() async throws {
        let way = try await UnderWay(length: 90_000)
        let second = await way.bench.send("/a")
        way.body.send([UInt8](repeating: 7, count: 40_000))
        way.body.end()
        for reader in [way.first, second] {
            let received = await Bench.received(reader)
            #expect(received.bytes.count == 40_000 && !received.isWhole)
        }
        await way.bench.cache.waitForBackgroundWork()
        #expect(try await way.bench.stored("/a") == nil)
    }

    @Test("a transfer longer than its stated length is cut there")
    func tooLong() async throws {
        let way = try await UnderWay(length: 5)
        let second = await way.bench.send("/a")
        way.body.send("first and more")
        way.body.end()
        for reader in [way.first, second] { #expect(try await Bench.read(reader) == "first") }
        await way.bench.cache.waitForBackgroundWork()
        #expect(try await way.bench.stored("/a") == "first")
    }
}

extension Bench {
    /// As ``seen(_:_:method:context:)``, without waiting for other exchanges under way.
    fileprivate func seenAlone(_ path: String, context: ExchangeContext) async throws -> Seen {
        let before = transport.requests.count
        let response = await send(path, context: context)
        _ = try await Self.read(response)
        return Seen(response.head.status.code, "", requests: transport.requests.count - before)
    }
}
