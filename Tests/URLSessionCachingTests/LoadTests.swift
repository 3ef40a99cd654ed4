import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import Fetching
@testable import URLSessionCaching

@Suite("One load of a session", .timeLimit(.minutes(5)))
struct LoadTests {
    private let client = RecordingClient()
    private let thread = QueueThread()
    private let clock = ManualClock()
    private let source = ScriptedBody()

    private func load(
        _ client: RecordingClient? = nil, _ answer: @escaping @Sendable () async -> LoadAnswer
    ) -> Load {
        let load = Load(
            client ?? self.client, on: thread, answer: .pending(answer), timeout: .seconds(60),
            clock: clock.engineClock)
        thread.performNow { load.start() }
        return load
    }

    private func response(_ body: ResponseBody, _ status: HTTPResponse.Status = .ok) -> LoadAnswer {
        .ready(LoadResponse(head: HTTPResponse(status: status), body: body))
    }

    private func stop(_ load: Load, _ client: RecordingClient? = nil) {
        let client = client ?? self.client
        thread.performNow {
            load.stop()
            client.stopped()
        }
    }

    private static let redirect = LoadRedirect(
        url: "https://shop.test/b", method: "GET", removedFields: ["Content-Type"], keepsContent: false)

    @Test("head, each piece as it comes, end; starting again does nothing")
    func whole() async throws {
        let stream = response(.stream(source, length: nil))
        let load = load { stream }
        try await client.calls { $0.count == 1 }
        thread.performNow { load.start() }
        source.send([1])
        try await client.calls { $0.count == 2 }
        source.send([2, 3])
        source.end()
        try await client.calls { $0.last == .finish }
        #expect(client.calls == [.head(200), .piece([1]), .piece([2, 3]), .finish])
        stop(load)
        #expect(client.faults.isEmpty)
    }

    @Test("content without bytes has no piece", arguments: [ResponseBody.empty, .bytes([])])
    func empty(_ body: ResponseBody) async throws {
        let answer = response(body, .notFound)
        let load = load { answer }
        try await client.calls { $0.count == 2 }
        #expect(client.calls == [.head(404), .finish])
        stop(load)
    }

    @Test("no answer, and content that breaks off")
    func failures() async throws {
        let first = load { .failed(EngineError(code: .disconnected, message: "No network.")) }
        try await client.calls { $0 == [.fail("disconnected")] }
        stop(first)
        let second = RecordingClient()
        source.send([1])
        source.end(throwing: TransportError(code: .closedEarly, message: "Gone."))
        let stream = response(.stream(source, length: 2))
        let load = load(second) { stream }
        try await second.calls { $0.count == 3 }
        #expect(second.calls == [.head(200), .piece([1]), .fail("origin-unreachable")])
        stop(load, second)
    }

    @Test("stopped before the answer: its task is cancelled, and content that comes nevertheless too")
    func stoppedBeforeAnswer() async throws {
        let (begun, gate) = (Gate(), Gate())
        let late = response(.stream(source, length: nil))
        let load = load {
            try? await begun.pass()
            await Task { try? await gate.pass() }.value
            return Task.isCancelled ? late : .failed(EngineError(code: .cancelled, message: ""))
        }
        try await begun.arrivals(1)
        stop(load)
        begun.open()
        gate.open()
        try await source.cancelled()
        #expect(client.calls.isEmpty)
    }

    @Test("stopped while a piece is awaited: the content is cancelled, and nothing is called")
    func stoppedWhileReading() async throws {
        let stream = response(.stream(source, length: nil))
        let load = load { stream }
        try await source.pulls(atLeast: 1)
        stop(load)
        #expect(source.isCancelled)
        #expect(client.calls == [.head(200)] && client.faults.isEmpty)
    }

    @Test("stopped from within the call for the head, a piece, the end, the failure, a redirect", arguments: 0..<5)
    func stoppedWithin(_ place: Int) async throws {
        let box = LockedBox<Load?>(nil)
        let client = client
        client.whenCalled { call in
            switch (place, call) {
            case (0, .head), (1, .piece), (2, .finish), (3, .fail), (4, .redirect):
                box.withLock { $0 }?.stop()
                client.stopped()
            default: break
            }
        }
        source.send([1])
        source.end(throwing: place == 3 ? CancellationError() : nil)
        let gate = Gate()
        let answer: LoadAnswer =
            place == 4
            ? .redirect(Self.redirect, LoadResponse(head: HTTPResponse(status: .found), body: .empty))
            : response(.stream(source, length: 1))
        let load = load {
            try? await gate.pass()
            return answer
        }
        box.withLock { $0 = load }
        gate.open()
        try await client.calls { $0.count == [1, 2, 3, 3, 1][place] }
        for _ in 0..<100 { await Task.yield() }
        thread.performNow {}
        #expect(client.isStopped && client.faults.isEmpty)
    }

    @Test("a suspended client gets nothing, and nothing is read for it, until it goes on; it has no time-out")
    func suspended() async throws {
        client.isSuspended = true
        source.send([1])
        source.send([2])
        source.end()
        let stream = response(.stream(source, length: nil))
        let load = load { stream }
        // The time-out, and the look at the client.
        try await clock.sleepers(atLeast: 2)
        for _ in 0..<1_000 {
            clock.advance(by: .seconds(10))
            await Task.yield()
        }
        #expect(client.calls == [.head(200), .piece([1])])
        #expect(source.pulledBytes == 1)
        try await clock.sleepers(atLeast: 2)
        client.isSuspended = false
        // No further: the time-out counts again from here.
        clock.advance(by: Load.suspensionCheck)
        try await client.calls { $0.last == .finish }
        #expect(client.bytes == [1, 2])
        stop(load)
    }

    @Test(
        "a load to which nothing comes fails after the time-out, before its head or behind a piece",
        arguments: [true, false])
    func timeout(isHeadAwaited: Bool) async throws {
        let gate = Gate()
        source.send([1])
        let stream = response(.stream(source, length: nil))
        let load = load {
            if isHeadAwaited { try? await gate.pass() }
            return stream
        }
        if !isHeadAwaited { try await source.pulls(atLeast: 2) }
        while !client.isOver {
            clock.advance(by: .seconds(10))
            for _ in 0..<10 { await Task.yield() }
        }
        // A second more for the head, so that a stored response may answer when the transport has given up.
        #expect(clock.uptime >= .seconds(60))
        #expect(client.calls == (isHeadAwaited ? [.fail("timed-out")] : [.head(200), .piece([1]), .fail("timed-out")]))
        gate.open()
        try await source.cancelled()
        stop(load)
        #expect(client.faults.isEmpty)
    }

    @Test("a redirect is told alone, and then nothing; whoever follows it stops the load")
    func redirects() async throws {
        let load = load {
            .redirect(Self.redirect, LoadResponse(head: HTTPResponse(status: .found), body: .bytes([1])))
        }
        try await client.calls { $0.count == 1 }
        stop(load)
        clock.advance(by: .seconds(3_600))
        for _ in 0..<100 { await Task.yield() }
        #expect(client.calls == [.redirect(Self.redirect)] && client.faults.isEmpty)
    }

    @Test("a redirect that is not followed becomes the answer, and so does one that can't be told")
    func refusedRedirects() async throws {
        let refusing = load {
            .redirect(Self.redirect, LoadResponse(head: HTTPResponse(status: .found), body: .bytes([1])))
        }
        // The time-out and the grace.
        try await clock.sleepers(atLeast: 2)
        clock.advance(by: Load.redirectGrace)
        try await client.calls { $0.last == .finish }
        #expect(client.calls == [.redirect(Self.redirect), .head(302), .piece([1]), .finish])
        stop(refusing)
        let other = RecordingClient(followsRedirects: false)
        let load = load(other) {
            .redirect(Self.redirect, LoadResponse(head: HTTPResponse(status: .found), body: .empty))
        }
        try await other.calls { $0 == [.head(302), .finish] }
        stop(load, other)
    }

    @Test("a redirect that wants content again that is gone is a failure; others are not")
    func repeatedContent() {
        var again = Self.redirect
        again.keepsContent = true
        let answer = LoadAnswer.redirect(
            again, LoadResponse(head: HTTPResponse(status: .temporaryRedirect), body: .empty))
        if case .failed(let error) = answer.repeating(nil) {
            #expect((error as? EngineError)?.code == .redirectRefused)
        } else {
            Issue.record("no failure")
        }
        for (answer, content) in [
            (answer, [1]),
            (.redirect(Self.redirect, LoadResponse(head: HTTPResponse(status: .found), body: .empty)), nil),
        ] as [(LoadAnswer, [UInt8]?)] {
            guard case .redirect = answer.repeating(content) else { Issue.record("a failure"); continue }
        }
    }

    @Test("content is kept whole up to a limit, and only once its end has come")
    func keptContent() {
        for (length, isKept) in [(0, true), (KeptContent.greatestSize, true), (KeptContent.greatestSize + 1, false)] {
            var kept = KeptContent()
            let content = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            kept.add(Array(content.prefix(length / 2)))
            kept.add(Array(content.dropFirst(length / 2)))
            #expect(kept.whole == nil)
            kept.end()
            #expect(kept.whole == (isKept ? content : nil))
        }
    }

    @Test(
        "an app knows errors by the numbers of NSURLErrorDomain",
        arguments: [
            (.timedOut, nil, -1001), (.disconnected, nil, -1009), (.notStored, nil, -1008),
            (.originUntrusted, nil, -1202), (.originBroken, nil, -1011), (.invalidRequest, nil, -1002),
            (.bodyTooLarge, nil, -1103), (.redirectRefused, nil, -1010), (.contentUnreadable, nil, -1016),
            (.cancelled, nil, -999), (.storeFailed, nil, -1), (.originUnreachable, .nameNotResolved, -1003),
            (.originUnreachable, .connectionFailed, -1004), (.originUnreachable, .timedOut, -1001),
            (.originUnreachable, .closedEarly, -1005), (.originUnreachable, nil, -1005),
        ] as [(EngineError.Code, TransportError.Code?, Int)])
    func numbers(_ code: EngineError.Code, _ cause: TransportError.Code?, _ number: Int) {
        let error = EngineError(
            code: code, message: "", cause: cause.map { TransportError(code: $0, message: "") })
        #expect(SessionErrorCode.number(of: error) == number)
    }
}
