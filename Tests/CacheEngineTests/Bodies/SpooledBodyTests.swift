import CacheTesting
import ResponseStore
import Testing

@testable import CacheEngine

@Suite("SpooledBody: stored while it is read", .timeLimit(.minutes(5)))
struct SpooledBodyTests {
    private static func spool(
        failingBeyond limit: Int64? = nil, expectedLength: Int64? = nil, clock: ManualClock = ManualClock()
    ) throws -> SpooledBody {
        let store = FaultyStorage(MemoryResponseStore(), fault: limit.map { .appending(beyond: $0) })
        return SpooledBody(
            try store.makePendingBody(), expectedLength: expectedLength, sleep: { try await clock.sleep($0) })
    }

    /// Pieces that differ, so that every mix-up shows.
    private static func pieces(_ count: Int, of size: Int) -> [[UInt8]] {
        let pattern = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        return (0..<count).map { number in
            var piece = pattern
            piece[0] = UInt8(truncatingIfNeeded: number)
            piece[size / 2] = UInt8(truncatingIfNeeded: number / 256)
            return piece
        }
    }

    private static func readAll(_ source: any BodySource) async throws -> [UInt8] {
        var all: [UInt8] = []
        while let piece = try await source.next() {
            #expect(!piece.isEmpty)
            all += piece
        }
        return all
    }

    @Test("a late reader gets everything from the first byte, while it arrives")
    func lateReader() async throws {
        let spool = try Self.spool()
        let body = ScriptedBody()
        let first = try #require(spool.makeReader())
        let pump = Task { try await spool.pump(body) }
        // More than stays in memory, so that the late reader must read stored bytes.
        let pieces = Self.pieces(40, of: 65_536)
        for piece in pieces[..<30] {
            body.send(piece)
            var got = 0
            while got < piece.count { got += try #require(try await first.next()).count }
        }
        let late = try #require(spool.makeReader())
        var bytes = try #require(try await late.next())
        #expect(bytes == Array(pieces[0][..<bytes.count]))
        for piece in pieces[30...] { body.send(piece) }
        body.end()
        bytes += try await Self.readAll(late)
        #expect(bytes == pieces.joinedOctets())
        #expect(try await Self.readAll(first) == pieces[30...].joinedOctets())
        #expect(try await pump.value == 40 * 65_536)
        #expect(spool.stored?.isWhole == true)
        let afterwards = try #require(spool.makeReader())
        #expect(try await Self.readAll(afterwards) == pieces.joinedOctets())
    }

    @Test(
        "when storing fails, the fastest reader loses nothing",
        arguments: [[1_000], [262_144], [1_500_000], [40_000, 900_000]])
    func slowReaderWithoutStore(_ sizes: [Int]) async throws {
        let spool = try Self.spool(failingBeyond: 0)
        // Small pieces before large ones: one large arrival must not push out unread bytes.
        let pieces = sizes.flatMap { Self.pieces(sizes.count == 1 ? 4_000_000 / $0 + 2 : 20, of: $0) }
        let body = ScriptedBody(pieces)
        let reader = try #require(spool.makeReader())
        let pump = Task { try await spool.pump(body) }
        // The pump runs as far ahead as it may before the reader takes its first piece.
        try await body.pulled(atLeast: SpooledBody.lead)
        #expect(try await Self.readAll(reader) == pieces.joinedOctets())
        _ = try await pump.value
        #expect(spool.stored?.isWhole != true)
    }

    @Test("when storing fails, all that read get everything, each at its own pace", arguments: [0, 100_000, 2_500_000])
    func laggingReadersWithoutStore(_ stored: Int64) async throws {
        let spool = try Self.spool(failingBeyond: stored)
        let pieces = Self.pieces(80, of: 50_000)
        let all = pieces.joinedOctets()
        let readers = [try #require(spool.makeReader()), try #require(spool.makeReader())]
        let pump = Task { try await spool.pump(ScriptedBody(pieces)) }
        async let first = Self.readAll(readers[0])
        var second: [UInt8] = []
        while let piece = try await readers[1].next() {
            second += piece
            for _ in 0..<3 { await Task.yield() }
        }
        #expect(second == all)
        #expect(try await first == all)
        _ = try await pump.value
        #expect(spool.makeReader() == nil && spool.stored == nil)
    }

    @Test("when storing fails, others wait for a reader that takes nothing, but not for ever")
    func stalledReaderWithoutStore() async throws {
        let clock = ManualClock()
        let spool = try Self.spool(failingBeyond: 100_000, clock: clock)
        let pieces = Self.pieces(60, of: 50_000)
        let (fast, stalled) = (try #require(spool.makeReader()), try #require(spool.makeReader()))
        let pump = Task { try await spool.pump(ScriptedBody(pieces)) }
        let time = Task {
            for count in 1... {
                try await clock.sleepers(atLeast: count)
                clock.advance(by: SpooledBody.patience)
            }
        }
        #expect(try await Self.readAll(fast) == pieces.joinedOctets())
        time.cancel()
        await #expect(throws: LeftBehind.self) { try await stalled.next() }
        _ = try await pump.value
    }

    @Test("two readers at their own pace both get everything", arguments: [1, 7, 4_096])
    func twoReaders(_ pieceSize: Int) async throws {
        let spool = try Self.spool()
        let pieces = Self.pieces(3_000, of: pieceSize)
        let (one, two) = (try #require(spool.makeReader()), try #require(spool.makeReader()))
        let pump = Task { try await spool.pump(ScriptedBody(pieces)) }
        async let first = Self.readAll(one)
        async let second = Self.readAll(two)
        let all = pieces.joinedOctets()
        #expect(try await first == all)
        #expect(try await second == all)
        #expect(try await pump.value == Int64(all.count))
    }

    @Test("the first reader leaving does not stop the second; the last one does, at once")
    func leaving() async throws {
        let spool = try Self.spool()
        let body = ScriptedBody()
        let (one, two) = (try #require(spool.makeReader()), try #require(spool.makeReader()))
        let pump = Task { try await spool.pump(body) }
        try await body.pulls(atLeast: 1)
        one.cancel()
        body.send("x")
        #expect(try await two.next() == Array("x".utf8))
        #expect(!body.isCancelled)
        try await body.pulls(atLeast: 2)
        two.cancel()
        #expect(body.isCancelled)
        await #expect(throws: CancellationError.self) { try await pump.value }
        #expect(spool.makeReader() == nil && spool.stored?.isWhole != true)
    }

    @Test("a reader that is released has left")
    func lettingGo() async throws {
        let spool = try Self.spool()
        let body = ScriptedBody()
        var reader = spool.makeReader()
        let pump = Task { try await spool.pump(body) }
        try await body.pulls(atLeast: 1)
        #expect(reader != nil)
        reader = nil
        #expect(body.isCancelled)
        await #expect(throws: CancellationError.self) { try await pump.value }
    }

    @Test("a reader that leaves before the pump begins stops it as well")
    func leavingBeforeTheStart() async throws {
        let spool = try Self.spool()
        let body = ScriptedBody()
        spool.makeReader()?.cancel()
        await #expect(throws: CancellationError.self) { try await spool.pump(body) }
        #expect(body.isCancelled)
    }

    @Test("a cancelled reader throws; it never takes the missing rest for the end")
    func cancelledReader() async throws {
        let spool = try Self.spool()
        let reader = try #require(spool.makeReader())
        let other = try #require(spool.makeReader())
        let body = ScriptedBody()
        let pump = Task { try await spool.pump(body) }
        let waiting = Task { try await reader.next() }
        try await body.pulls(atLeast: 1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await #expect(throws: CancellationError.self) { try await reader.next() }
        body.end()
        #expect(try await other.next() == nil)
        _ = try await pump.value
    }

    @Test("a failing origin fails every reader after its bytes")
    func failingOrigin() async throws {
        let spool = try Self.spool()
        let body = ScriptedBody()
        let reader = try #require(spool.makeReader())
        let pump = Task { try await spool.pump(body) }
        body.send("abc")
        body.end(throwing: TransportError(code: .closedEarly, message: "cut"))
        await #expect(throws: TransportError.self) { try await pump.value }
        #expect(try await reader.next() == Array("abc".utf8))
        await #expect(throws: TransportError.self) { try await reader.next() }
        #expect(spool.makeReader() == nil)
    }

    @Test("a body fails if its length is not the stated one", arguments: [2, 4] as [Int64])
    func wrongLength(_ stated: Int64) async throws {
        let spool = try Self.spool(expectedLength: stated)
        let reader = try #require(spool.makeReader())
        let pump = Task { try await spool.pump(ScriptedBody([Array("abc".utf8)])) }
        await #expect(throws: TransportError.self) { try await Self.readAll(reader) }
        await #expect(throws: TransportError.self) { try await pump.value }
        #expect(spool.stored?.isWhole != true)
    }
}
