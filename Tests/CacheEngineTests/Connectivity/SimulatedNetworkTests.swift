import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("A network as users have it", .timeLimit(.minutes(5)))
struct SimulatedNetworkTests {
    /// Sleeps no time, and notes how long it should have been.
    private final class Line: Sendable {
        let slept = LockedBox<[Duration]>([])
        let base = ScriptedTransport()

        init(bytes: Int = 10_000) {
            base.on("https://example.com/a") { _ in
                ScriptedTransport.answer(200, [:], body: [UInt8](repeating: 1, count: bytes))
            }
        }

        func get(
            _ network: SimulatedNetwork, timeout: Duration? = nil, times: Int = 1
        ) async throws -> (bytes: [Int], slept: [Duration]) {
            let slept = slept
            let clock = EngineClock(
                wallTime: { .init(unixSeconds: 0) }, uptime: { .zero },
                sleep: { duration in slept.withLock { $0.append(duration) } })
            let transport = network.transport(over: base, clock: clock)
            var bytes: [Int] = []
            for _ in 0..<times {
                let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")
                let answer = try await transport.send(TransportRequest(head: head, timeout: timeout))
                var count = 0
                do {
                    while let piece = try await answer.body.next() { count += piece.count }
                } catch let error as TransportError {
                    #expect(error.code == .closedEarly && network == .lossy)
                    count = -1
                }
                bytes.append(count)
            }
            return (bytes, slept.withLock { $0 })
        }
    }

    @Test("the time of each round trip, three for the first of a host, and of the bytes")
    func times() async throws {
        let (bytes, slept) = try await Line().get(.slow3G, times: 2)
        #expect(bytes == [10_000, 10_000])
        // 10,000 bytes at 50,000 a second are 200 ms, in pieces, one transfer behind the other.
        #expect(slept.first == .milliseconds(1_200) && slept.contains(.milliseconds(400)))
        #expect(slept.last == .milliseconds(400))
        #expect(try await Line().get(.direct).slept.isEmpty)
        let trickle = try await Line(bytes: 100).get(.trickling).slept
        #expect(trickle.last == .seconds(10) && trickle.count == 10)
    }

    @Test("who gives an answer up does not wait for its next piece, as a page does whose server trickles")
    func givenUp() async throws {
        let clock = ManualClock(), line = Line()
        let transport = SimulatedNetwork.trickling.transport(over: line.base, clock: clock.engineClock)
        let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")
        let body = try await transport.send(TransportRequest(head: head)).body
        let piece = Task { try await body.next() }
        try await clock.sleepers(atLeast: 1)
        body.cancel()
        await #expect(throws: CancellationError.self) { try await piece.value }
    }

    @Test("silence ends at the request's own limit, a closed connection at once; each third answer breaks off")
    func faults() async throws {
        for (network, code) in [(SimulatedNetwork.silent, TransportError.Code.timedOut), (.closing, .closedEarly)] {
            let line = Line()
            let error = await #expect(throws: TransportError.self) { try await line.get(network, timeout: .seconds(3)) }
            #expect(error?.code == code && line.base.requests.isEmpty)
            #expect(line.slept.withLock { $0 } == (network == .silent ? [.seconds(3)] : []))
        }
        let slow = Line()
        await #expect(throws: TransportError.self) { try await slow.get(.slow3G, timeout: .milliseconds(500)) }
        #expect(try await Line().get(.lossy, times: 6).bytes == [10_000, 10_000, -1, 10_000, 10_000, -1])
    }
}
