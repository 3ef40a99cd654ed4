import CacheEngine
import CacheTesting
import HTTPTypes
import Testing

@testable import URLSessionTransport

@Suite("One request on a task of a session", .timeLimit(.minutes(5)))
struct TaskExchangeTests {
    private let clock = ManualClock()
    private let task = FakeTask()

    private func exchange(
        _ method: HTTPRequest.Method = .get, body: RequestBody? = nil
    ) -> TaskExchange {
        TaskExchange(
            TransportRequest(
                head: HTTPRequest(method: method, scheme: "https", authority: "shop.test", path: "/"), body: body))
    }

    private func run(_ exchange: TaskExchange, timeout: Duration? = nil) -> Task<TransportResponse, any Error> {
        let (clock, task) = (clock, task)
        return Task {
            try await exchange.run(task, timeout: timeout, silence: .seconds(120), on: clock.engineClock)
        }
    }

    private func started() async throws { try await task.calls.wait { $0.contains(.resume) } }

    @Test("head, content and end")
    func whole() async throws {
        let exchange = exchange()
        let running = run(exchange)
        try await started()
        #expect(exchange.received(status: 200, fields: [("Content-Length", "5"), ("ETag", "\"a\"")]))
        let response = try await running.value
        #expect(response.bodyLength == 5 && response.head.headerFields[.eTag] == "\"a\"")
        let reading = Task { try await response.body.collect() }
        exchange.received(Array("hel".utf8))
        exchange.received(Array("lo".utf8))
        exchange.completed()
        #expect(try await reading.value == Array("hello".utf8))
        #expect(task.calls.value == [.resume])
    }

    @Test("a reader that stops suspends the task once, and one that goes on resumes it once")
    func backPressure() async throws {
        let exchange = exchange()
        let running = run(exchange)
        try await started()
        _ = exchange.received(status: 200, fields: [])
        let response = try await running.value
        for _ in 0..<8 { exchange.received([UInt8](repeating: 1, count: 65_536)) }
        #expect(task.calls.value == [.resume, .suspend])
        for _ in 0..<5 { _ = try await response.body.next() }
        #expect(task.calls.value == [.resume, .suspend])
        _ = try await response.body.next()
        #expect(task.calls.value == [.resume, .suspend, .resume])
    }

    @Test("the time-out of a request counts from its start, and cancels the task")
    func timeout() async throws {
        let running = run(exchange(), timeout: .seconds(5))
        try await started()
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: TransportError.self) { _ = try await running.value }
        #expect(error?.code == .timedOut)
        #expect(task.calls.value == [.resume, .cancel])
    }

    @Test("the limit of silence begins anew with each part of the content that is sent")
    func silence() async throws {
        let exchange = exchange()
        let running = run(exchange)
        try await started()
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(100))
        exchange.noteProgress(at: clock.uptime)
        clock.advance(by: .seconds(20))
        try await clock.sleepers(atLeast: 2)
        #expect(task.calls.value == [.resume])
        clock.advance(by: .seconds(100))
        let error = await #expect(throws: TransportError.self) { _ = try await running.value }
        #expect(error?.code == .timedOut)
    }

    @Test("no time-out after the head")
    func late() async throws {
        let exchange = exchange()
        let running = run(exchange, timeout: .seconds(5))
        try await started()
        _ = exchange.received(status: 200, fields: [])
        let response = try await running.value
        clock.advance(by: .seconds(500))
        exchange.received([1])
        exchange.completed()
        #expect(try await response.body.collect() == [1])
    }

    @Test("a cancelled request, before and after its start, throws CancellationError and starts nothing more")
    func cancelled() async throws {
        let early = Task { [self] in
            while !Task.isCancelled { await Task.yield() }
            return try await exchange().run(task, timeout: nil, silence: .seconds(1), on: clock.engineClock)
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { _ = try await early.value }
        #expect(task.calls.value == [.cancel])
        let late = run(exchange())
        try await started()
        late.cancel()
        await #expect(throws: CancellationError.self) { _ = try await late.value }
        #expect(task.calls.value == [.cancel, .resume, .cancel])
    }

    @Test("who lets go of a body gives the rest up")
    func released() async throws {
        let exchange = exchange()
        let running = run(exchange)
        try await started()
        _ = exchange.received(status: 200, fields: [])
        do {
            let response = try await running.value
            #expect(response.head.status == .ok)
        }
        #expect(!exchange.received(status: 200, fields: []))
    }

    @Test(
        "errors of the session, by their numbers in NSURLErrorDomain",
        arguments: [
            (-1001, .timedOut), (-1003, .nameNotResolved), (-1006, .nameNotResolved), (-1004, .connectionFailed),
            (-1009, .connectionFailed), (-1005, .closedEarly), (-1200, .tlsFailed), (-1201, .certificateUntrusted),
            (-1202, .certificateUntrusted), (-1203, .certificateUntrusted), (-1204, .certificateUntrusted),
            (-1017, .malformedResponse), (-1022, .malformedRequest), (0, .closedEarly), (-9999, .closedEarly),
        ] as [(Int, TransportError.Code)])
    func failures(number: Int, code: TransportError.Code) async throws {
        let exchange = exchange()
        let running = run(exchange)
        try await started()
        exchange.completed(code: number, cause: CancellationError())
        let error = await #expect(throws: TransportError.self) { _ = try await running.value }
        #expect(error?.code == code)
    }

    @Test("content is given once; asked for again, the request fails and no end is sent")
    func askedTwice() async throws {
        let body = ScriptedBody([Array("he".utf8)], ends: false)
        let exchange = exchange(.post, body: RequestBody(body, length: 5))
        let running = run(exchange)
        try await started()
        let port = FakePort()
        #expect(exchange.streamRequested { ("stream", port) } == "stream")
        port.tell(.hasRoom)
        try await port.written.wait { $0 == Array("he".utf8) }
        #expect(exchange.streamRequested { ("again", FakePort()) } == nil)
        let error = await #expect(throws: TransportError.self) { _ = try await running.value }
        #expect(error?.code == .closedEarly)
        #expect(task.calls.value == [.resume, .cancel])
        try await body.cancelled()
        #expect(!port.isClosed.value)
        exchange.completed(code: -999, cause: CancellationError())
        try await port.isClosed.wait { $0 }
    }

    @Test(
        "content of another length fails, and the stream is not ended before the task",
        arguments: [("hello", 4), ("hell", 5)] as [(String, Int64)])
    func lengths(text: String, length: Int64) async throws {
        let exchange = exchange(.post, body: RequestBody(ScriptedBody([Array(text.utf8)]), length: length))
        let running = run(exchange)
        try await started()
        let port = FakePort()
        _ = exchange.streamRequested { ("stream", port) }
        port.tell(.hasRoom)
        let error = await #expect(throws: TransportError.self) { _ = try await running.value }
        #expect(error?.code == .malformedRequest)
        #expect(Int64(port.written.value.count) <= length && !port.isClosed.value)
        #expect(task.calls.value == [.resume, .cancel])
    }

    @Test("content is written as there is room, and its end ends the stream")
    func upload() async throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let exchange = exchange(.post, body: RequestBody(ScriptedBody([bytes, [7]]), length: nil))
        let running = run(exchange)
        try await started()
        let port = FakePort(room: 30_000)
        _ = exchange.streamRequested { ("stream", port) }
        for round in 1...4 {
            port.tell(.hasRoom)
            try await port.written.wait { $0.count >= min(round * 30_000, 100_000) }
        }
        port.tell(.hasRoom)
        try await port.isClosed.wait { $0 }
        #expect(port.written.value == bytes + [7])
        _ = exchange.received(status: 204, fields: [])
        #expect(try await running.value.head.status == .noContent)
    }

    @Test("content that comes in several responses, as multipart/x-mixed-replace does, is an error")
    func twoHeads() async throws {
        let exchange = exchange()
        let running = run(exchange)
        try await started()
        #expect(exchange.received(status: 200, fields: []))
        let response = try await running.value
        #expect(!exchange.received(status: 200, fields: []))
        let error = await #expect(throws: TransportError.self) { _ = try await response.body.collect() }
        #expect(error?.code == .malformedResponse)
    }

    @Test(
        "content that is shorter than stated is cut off, also where only the metrics can tell",
        arguments: [(false, 3), (true, 3), (true, 9)] as [(Bool, Int64)])
    func truncated(isCoded: Bool, transferred: Int64) async throws {
        let exchange = exchange()
        let running = run(exchange)
        try await started()
        _ = exchange.received(
            status: 200, fields: [("Content-Length", "9")] + (isCoded ? [("Content-Encoding", "gzip")] : []))
        let response = try await running.value
        exchange.received(Array("hel".utf8))
        var metrics = TransportMetrics()
        metrics.transferredBytes = transferred
        exchange.received(metrics)
        exchange.completed()
        let isWhole = isCoded && transferred == 9
        do {
            let content = try await response.body.collect()
            #expect(isWhole && content == Array("hel".utf8))
        } catch {
            #expect(!isWhole && (error as? TransportError)?.code == .closedEarly)
        }
    }
}

extension BodySource {
    func collect() async throws -> [UInt8] {
        var all: [UInt8] = []
        while let piece = try await next() { all += piece }
        return all
    }
}
