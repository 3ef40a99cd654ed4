import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

/// The store can't be written for a while: a full disk, or an index that another process keeps locked.
@Suite("What a failed change should have replaced is validated before it is used", .timeLimit(.minutes(5)))
struct UnwrittenChangesTests {
    private static let fresh: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=600"]
    private static let newer: HTTPFields = [.eTag: "\"2\"", .cacheControl: "max-age=600"]

    /// - Parameter answers: Of the reload, and of what is asked for afterwards.
    private func played(
        _ fault: FaultyStorage.Fault, _ method: HTTPRequest.Method = .get,
        _ answers: @escaping @Sendable (TransportRequest) -> TransportResponse
    ) async throws -> (bench: Bench, texts: [String], requests: [Int]) {
        let bench = try Bench()
        bench.answer("/a", 200, Self.fresh, body: "old")
        try await bench.fill("/a")
        #expect(try await bench.text("/a").response.cacheStatus.isHit)
        bench.transport.on(Bench.base + "/a") { answers($0) }
        bench.store.setFault(fault)
        var (texts, requests) = ([String](), [Int]())
        for (number, fields) in [[.cacheControl: "no-cache"], [:], [:]].enumerated() as EnumeratedSequence<[HTTPFields]>
        {
            // The last one finds a store that works again.
            if number == 2 { bench.store.setFault(nil) }
            texts.append(try await bench.text("/a", fields, method: number == 0 ? method : .get).text)
            await bench.cache.waitForBackgroundWork()
            requests.append(bench.transport.requests.count)
        }
        return (bench, texts, requests)
    }

    @Test("a newer response that could not be stored: the older one is asked about, and replaced once it can be")
    func replaced() async throws {
        for fault in [FaultyStorage.Fault.committing, .receiving, .appending(beyond: 1)] {
            let (bench, texts, requests) = try await played(fault) { _ in
                ScriptedTransport.answer(200, Self.newer, body: "new")
            }
            #expect(texts == ["new", "new", "new"] && requests == [2, 3, 4], "\(fault)")
            #expect(try await bench.text("/a").text == "new" && bench.transport.requests.count == 4)
        }
    }

    @Test("a confirmation that could not be noted (RFC 9111 §4.3.4)")
    func confirmed() async throws {
        let (bench, texts, requests) = try await played(.updating) { _ in
            ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"])
        }
        #expect(texts == ["old", "old", "old"] && requests == [2, 3, 4])
        #expect(try await bench.text("/a").response.cacheStatus.isHit)
        bench.clock.advance(by: .seconds(61))
        #expect(try await !bench.text("/a").response.cacheStatus.isHit)
    }

    @Test("an unsafe method whose invalidation failed (RFC 9111 §4.4)")
    func invalidated() async throws {
        let (_, texts, requests) = try await played(.removing, .post) { request in
            request.head.method == .post
                ? ScriptedTransport.answer(200, [:], body: "done")
                : ScriptedTransport.answer(200, Self.newer, body: "new")
        }
        // Storing works: the second answer takes the place of the first one.
        #expect(texts == ["done", "new", "new"] && requests == [2, 3, 3])
    }
}
