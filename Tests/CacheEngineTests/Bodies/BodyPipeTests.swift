import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("BodyPipe: from a sender that pushes to a consumer that pulls", .timeLimit(.minutes(5)))
struct BodyPipeTests {
    private let demands = Consumed()
    private let cancellations = Consumed()

    private func pipe(limit: Int) -> BodyPipe {
        BodyPipe(
            limit: limit, onDemand: { [demands] in demands.add(1) },
            onCancel: { [cancellations] in cancellations.add(1) })
    }

    private func piece(_ count: Int, _ fill: UInt8 = 1) -> [UInt8] { [UInt8](repeating: fill, count: count) }

    @Test("the sender is paused at the limit and called back at half of it")
    func limit() async throws {
        let pipe = pipe(limit: 100_000)
        #expect(pipe.write(piece(30_000)))
        #expect(pipe.write(piece(40_000)))
        #expect(!pipe.write(piece(30_000)))
        #expect(try await pipe.next()?.count == 30_000)
        #expect(demands.value == 0)
        #expect(try await pipe.next()?.count == 40_000)
        #expect(demands.value == 1)
        #expect(pipe.write(piece(10_000)))
        #expect(try await pipe.next()?.count == 30_000)
        #expect(demands.value == 1)
    }

    @Test("every write of a paused sender returns false until it is called back")
    func staysPaused() async throws {
        let pipe = pipe(limit: 100_000)
        #expect(!pipe.write(piece(120_000)))
        // Bytes read before the socket stopped. If this returned true, the sender would never be called back.
        #expect(!pipe.write(piece(20_000)))
        #expect(try await pipe.next()?.count == 120_000)
        #expect(demands.value == 1)

        #expect(!pipe.write(piece(90_000)))
        #expect(try await pipe.next()?.count == 20_000)
        #expect(!pipe.write(piece(1_000)), "paused, though below the limit again")
        #expect(try await pipe.next()?.count == 90_000)
        #expect(demands.value == 2)
    }

    @Test("trailers are known at the end, not before, and not after an error (RFC 9110 §6.5)")
    func trailers() async throws {
        let whole = pipe(limit: 10)
        _ = whole.write(piece(5))
        whole.finish(trailers: [.eTag: "\"a\""])
        whole.finish(trailers: [.eTag: "\"b\""])
        #expect(whole.trailers == nil)
        #expect(try await whole.next() == piece(5))
        #expect(try await whole.next() == nil)
        #expect(whole.trailers == [.eTag: "\"a\""])
        whole.cancel()
        #expect(whole.trailers == nil)

        let broken = pipe(limit: 10)
        broken.finish(throwing: TransportError(code: .closedEarly, message: "broken off"))
        broken.finish(trailers: [.eTag: "\"a\""])
        await #expect(throws: TransportError.self) { try await broken.next() }
        #expect(broken.trailers == nil)

        let bare = pipe(limit: 10)
        bare.finish(trailers: [:])
        #expect(try await bare.next() == nil)
        #expect(bare.trailers == nil)
    }

    @Test("the end comes after everything that was written, and stays")
    func end() async throws {
        let pipe = pipe(limit: 10)
        _ = pipe.write(piece(20_000))
        _ = pipe.write(piece(20_000, 2))
        pipe.finish()
        pipe.finish(throwing: TransportError(code: .closedEarly, message: "too late"))
        #expect(pipe.write(piece(5)), "after the end the sender is not paused")
        #expect(try await pipe.next() == piece(20_000))
        #expect(try await pipe.next() == piece(20_000, 2))
        for _ in 0..<2 { #expect(try await pipe.next() == nil) }
        pipe.cancel()
        #expect(cancellations.value == 0)
    }

    @Test("an error comes after everything that was written, and stays")
    func failing() async throws {
        let pipe = pipe(limit: 10)
        _ = pipe.write(piece(5))
        pipe.finish(throwing: TransportError(code: .closedEarly, message: "cut"))
        #expect(try await pipe.next() == piece(5))
        for _ in 0..<2 { await #expect(throws: TransportError.self) { try await pipe.next() } }
    }

    @Test("cancelling calls onCancel once, drops waiting bytes, and fails the consumer")
    func cancelling() async throws {
        let pipe = pipe(limit: 10)
        _ = pipe.write(piece(20))
        pipe.cancel()
        pipe.cancel()
        #expect(cancellations.value == 1)
        #expect(pipe.write(piece(20)), "the sender must not wait for a consumer that has left")
        await #expect(throws: CancellationError.self) { try await pipe.next() }
    }

    @Test("a consumer that waits is woken by bytes, by the end, by an error, and by cancellation")
    func waking() async throws {
        for wake in 0..<4 {
            let pipe = pipe(limit: 10)
            let waiting = Task { try await pipe.next() }
            for _ in 0..<20 { await Task.yield() }
            switch wake {
            case 0:
                _ = pipe.write(piece(3))
                #expect(try await waiting.value == piece(3))
            case 1:
                pipe.finish()
                #expect(try await waiting.value == nil)
            case 2:
                pipe.finish(throwing: TransportError(code: .timedOut, message: "late"))
                await #expect(throws: TransportError.self) { try await waiting.value }
            default:
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
            }
        }
        #expect(cancellations.value == 1 + 1, "one consumer was cancelled, and one pipe released before its end")
    }

    @Test("releasing a pipe before its end calls onCancel")
    func lettingGo() {
        do { _ = pipe(limit: 10).write(piece(3)) }
        #expect(cancellations.value == 1)
        do {
            let ended = pipe(limit: 10)
            ended.finish()
        }
        #expect(cancellations.value == 1)
    }

    @Test("a paused sender that has ended goes on once nobody reads the rest, and is told of no cancellation")
    func cancelledAfterEnd() {
        let pipe = pipe(limit: 100)
        #expect(!pipe.write(piece(200)))
        pipe.finish()
        for _ in 1...2 { pipe.cancel() }
        #expect(demands.value == 1 && cancellations.value == 0)
    }

    @Test("a body that arrives in single bytes is delivered in few pieces")
    func joining() async throws {
        let pipe = pipe(limit: 1_000_000)
        for number in 0..<50_000 { _ = pipe.write([UInt8(truncatingIfNeeded: number)]) }
        pipe.finish()
        var all: [UInt8] = []
        var pieces = 0
        while let piece = try await pipe.next() {
            all += piece
            pieces += 1
        }
        #expect(all == (0..<50_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(pieces == 4)
    }

    @Test("everything arrives in order, whatever the threads do")
    func concurrent() async throws {
        let pipe = pipe(limit: 5_000)
        let sender = Task {
            for number in 0..<2_000 {
                let demandsBefore = demands.value
                if !pipe.write(piece(700, UInt8(truncatingIfNeeded: number))) {
                    while demands.value == demandsBefore { await Task.yield() }
                }
            }
            pipe.finish()
        }
        var all: [UInt8] = []
        while let piece = try await pipe.next() { all += piece }
        await sender.value
        #expect(all == (0..<2_000).flatMap { piece(700, UInt8(truncatingIfNeeded: $0)) })
    }
}
