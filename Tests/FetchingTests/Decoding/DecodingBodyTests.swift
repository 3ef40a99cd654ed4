import CacheEngine
import CacheTesting
import Decoding
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("A body with its codings taken off", .timeLimit(.minutes(5)))
struct DecodingBodyTests {
    private let source = ScriptedBody()

    private func body(_ codings: String = "gzip") throws -> DecodingBody {
        DecodingBody(source, codings: try #require(ContentCodings([.contentEncoding: codings])))
    }

    @Test("what has arrived is given out before the rest arrives")
    func streams() async throws {
        let body = try body()
        source.send(Array(CodedContent.gzip[..<200]))
        let first = try #require(try await body.next())
        #expect(!first.isEmpty && CodedContent.text.starts(with: first))
        source.send(Array(CodedContent.gzip[200...]))
        source.end()
        var all = first
        while let piece = try await body.next() { all += piece }
        #expect(all == CodedContent.text)
        #expect(try await body.next() == nil)
        #expect(!source.isCancelled)
    }

    @Test("the source is read no further than a piece needs")
    func backPressure() async throws {
        let body = DecodingBody(
            source, codings: try #require(ContentCodings([.contentEncoding: "gzip"])),
            limits: DecodingLimits(ratio: 2_000))
        source.send(try await inner())
        source.send([1])
        #expect(try await body.next()?.count == 65_536)
        #expect(source.pulledBytes == 65_250)
        for _ in 1..<1_024 { #expect(try await body.next()?.count == 65_536) }
        #expect(source.pulledBytes == 65_250)
        source.end()
        #expect(try await body.next() == nil)
        #expect(source.pulledBytes == 65_251, "padding is read too, for whoever stores the source")
    }

    /// 64 MiB of zeros in gzip.
    private func inner() async throws -> [UInt8] {
        try ContentDecoding.decode(
            CodedContent.bomb, try #require(ContentCodings([.contentEncoding: "gzip"])), limits: DecodingLimits())
    }

    @Test("damage cancels the source, and the error stays")
    func damage() async throws {
        let body = try body()
        source.send([1, 2, 3])
        for _ in 0..<2 {
            let error = await #expect(throws: ContentDecodingError.self) { try await body.next() }
            #expect(error?.code == .damaged)
        }
        #expect(source.isCancelled)
    }

    @Test("an error of the source is passed on, not taken for the end")
    func sourceFails() async throws {
        let body = try body()
        source.send(Array(CodedContent.gzip[..<200]))
        source.end(throwing: EngineError(code: .originBroken, message: "Gone."))
        _ = try await body.next()
        let error = await #expect(throws: EngineError.self) { while try await body.next() != nil {} }
        #expect(error?.code == .originBroken)
    }

    @Test("cancelling wakes a reader, and later pieces are not given out")
    func cancelled() async throws {
        let waiting = try body()
        let reader = Task { try await waiting.next() }
        try await source.pulls(atLeast: 1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(source.isCancelled)

        let full = DecodingBody(
            ScriptedBody([CodedContent.gzip]), codings: try #require(ContentCodings([.contentEncoding: "gzip"])))
        full.cancel()
        await #expect(throws: CancellationError.self) { try await full.next() }
    }
}
