import CacheEngine
import CacheTesting
import Fetching
import Foundation
import Testing

@testable import LarderKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Time-outs and cancelling", .timeLimit(.minutes(5)))
struct TimeLimitTests {
    private static let page = "https://shop.example/"

    private func temporary(_ body: (Larder, ScriptedTransport, ManualClock) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let (transport, clock) = (ScriptedTransport(), ManualClock())
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        configuration.clock = clock.engineClock
        try await body(try Larder(configuration, transport: transport), transport, clock)
    }

    private func request(timeout: TimeInterval? = nil) -> URLRequest {
        var request = URLRequest(url: URL(test: Self.page))
        if let timeout { request.timeoutInterval = timeout }
        return request
    }

    private func code(_ task: Task<(Data, HTTPURLResponse), any Error>) async -> EngineError.Code? {
        do {
            _ = try await task.value
            return nil
        } catch {
            return (error as? EngineError)?.code
        }
    }

    @Test("an origin that never answers is waited for as long as the request says, 60 s unless set")
    func silent() async throws {
        for (timeout, limit) in [(nil, 60), (5, 5), (0, 60)] as [(TimeInterval?, Int)] {
            try await temporary { larder, transport, clock in
                let gate = Gate()
                transport.on(Self.page) { _ in
                    try await gate.pass()
                    return ScriptedTransport.answer(200)
                }
                let request = request(timeout: timeout)
                let task = Task { try await larder.data(for: request) }
                try await gate.arrivals(1)
                #expect(transport.requests.first?.timeout == .seconds(limit))
                try await clock.sleepers(atLeast: 1)
                // One second more, in which a stale response may answer.
                clock.advance(by: .seconds(limit + 1))
                #expect(await code(task) == .timedOut)
            }
        }
    }

    @Test("a transport's time-out lets a stale response answer (RFC 9111 §4.2.4), and is an error where there is none")
    func transport() async throws {
        try await temporary { larder, transport, _ in
            transport.on(Self.page) { _ in throw TransportError(code: .timedOut, message: "late") }
            let failing = Task { try await larder.data(from: URL(test: Self.page)) }
            #expect(await code(failing) == .timedOut)
            try await larder.store(
                Data("old".utf8), for: URL(test: Self.page), fields: [.cacheControl: "max-age=0"])
            #expect(try await larder.text(Self.page) == "old")
        }
    }

    @Test("a body that stands still ends the request")
    func standing() async throws {
        try await temporary { larder, transport, clock in
            let body = ScriptedBody([Array("half".utf8)], ends: false)
            transport.on(Self.page) { _ in
                ScriptedTransport.answer(200, [.cacheControl: "no-store"], streaming: body, length: 8)
            }
            let request = request(timeout: 5)
            let task = Task { try await larder.data(for: request) }
            try await body.pulls(atLeast: 1)
            // However late the first half is read, its time is up at some point.
            while !body.isCancelled {
                clock.advance(by: .seconds(6))
                await Task.yield()
            }
            #expect(await code(task) == .timedOut)
        }
    }

    @Test("each thing that moves gives the work its whole time again")
    func progress() async throws {
        let clock = ManualClock()
        let timer = ProgressTimer(.seconds(5), clock: clock.engineClock)
        let waiting = Task { try await timer.wait() }
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(4))
        timer.restart()
        // Wakes after the first five seconds and finds four more.
        clock.advance(by: .seconds(1))
        try await clock.sleepers(atLeast: 2)
        timer.restart(grace: .seconds(1))
        clock.advance(by: .seconds(4))
        try await clock.sleepers(atLeast: 3)
        clock.advance(by: .seconds(2))
        try await waiting.value
        #expect(clock.uptime == .seconds(11))
    }

    @Test("cancelling ends the request at once, before it left, while it waits and amid its body")
    func cancelling() async throws {
        try await temporary { larder, transport, _ in
            let (gate, body) = (Gate(), ScriptedBody())
            transport.on(Self.page) { _ in
                try await gate.pass()
                return ScriptedTransport.answer(200, [.cacheControl: "no-store"], streaming: body)
            }
            let request = request()
            let before = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await larder.data(for: request)
            }
            before.cancel()
            #expect(await code(before) == .cancelled)
            #expect(transport.requests.isEmpty)
            let waiting = Task { try await larder.data(for: request) }
            try await gate.arrivals(1)
            waiting.cancel()
            #expect(await code(waiting) == .cancelled)
            gate.open()
            let reading = Task { try await larder.data(for: request) }
            try await body.pulls(atLeast: 1)
            reading.cancel()
            #expect(await code(reading) == .cancelled)
            try await body.cancelled()
        }
    }
}
