import CacheEngine
import CacheTesting
import HTTPTypes
import Testing

@testable import Fetching
@testable import SchemeTasks
@testable import WebTesting

@Suite("The driver of scheme tasks", .timeLimit(.minutes(5)))
@MainActor
struct SchemeTaskDriverTests {
    private let driver = SchemeTaskDriver()
    private let id = SchemeTaskID(address: 1)
    private let task = SchemeTaskRecorder()
    private let source = ScriptedBody()

    private nonisolated func response(_ body: ResponseBody, _ status: HTTPResponse.Status = .ok) -> LoadResponse {
        LoadResponse(head: HTTPResponse(status: status), body: body)
    }

    /// Lets what is under way go on until the condition holds.
    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    private func stop(_ id: SchemeTaskID, _ task: SchemeTaskRecorder) {
        driver.stop(id)
        task.stopped()
    }

    @Test("an answer in memory is delivered before start returns")
    func atOnce() {
        driver.start(id, task, answer: .ready(response(.bytes([1, 2, 3]))))
        #expect(task.calls == [.head(200), .piece([1, 2, 3]), .finish])
        #expect(driver.openTasks == 0)
    }

    @Test("content without bytes has no piece", arguments: [ResponseBody.empty, .bytes([])])
    func empty(_ body: ResponseBody) {
        driver.start(id, task, answer: .ready(response(body, .notFound)))
        #expect(task.calls == [.head(404), .finish])
    }

    @Test("a known failure is delivered before start returns")
    func failedAtOnce() {
        driver.start(id, task, answer: .failed(SchemeTaskError(code: .refused, message: "No.")))
        #expect(task.calls == [.fail(.refused)])
        #expect(driver.openTasks == 0)
    }

    @Test("a task that takes longer than its page waits fails once, and its answer is cancelled")
    func timedOut() async throws {
        let (clock, isCancelled) = (ManualClock(), Gate())
        let driver = SchemeTaskDriver(clock: clock.engineClock)
        driver.start(
            id, task,
            answer: .pending {
                while !Task.isCancelled { await Task.yield() }
                isCancelled.open()
                return .failed(SchemeTaskError(code: .refused, message: "Too late."))
            }, timeout: .milliseconds(200))
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .milliseconds(200))
        try await isCancelled.pass()
        #expect(task.calls == [.fail(.timedOut)])
        #expect(driver.openTasks == 0)
    }

    @Test("a task that ends in time hears nothing of its time-out")
    func inTime() async throws {
        let clock = ManualClock()
        let driver = SchemeTaskDriver(clock: clock.engineClock)
        driver.start(id, task, answer: .ready(response(.stream(source, length: nil))), timeout: .milliseconds(200))
        try await clock.sleepers(atLeast: 1)
        source.end()
        await until { task.calls.count == 2 }
        clock.advance(by: .milliseconds(200))
        for _ in 0..<100 { await Task.yield() }
        #expect(task.calls == [.head(200), .finish])
    }

    @Test("a pending answer: head, each piece as it comes, end")
    func streamed() async {
        let answer = response(.stream(source, length: nil))
        driver.start(id, task, answer: .pending { .ready(answer) })
        #expect(task.calls.isEmpty)
        await until { task.calls.count == 1 }
        source.send([1])
        await until { task.calls.count == 2 }
        source.send([2, 3])
        await until { task.calls.count == 3 }
        source.end()
        await until { driver.openTasks == 0 }
        #expect(task.calls == [.head(200), .piece([1]), .piece([2, 3]), .finish])
    }

    @Test("a failed answer, and content that breaks off")
    func failures() async {
        driver.start(
            id, task, answer: .pending { .failed(SchemeTaskError(code: .unanswered, message: "No network.")) })
        await until { task.isOver }
        #expect(task.calls == [.fail(.unanswered)])

        let second = SchemeTaskRecorder()
        source.send([1])
        source.end(throwing: CancellationError())
        driver.start(id, second, answer: .ready(response(.stream(source, length: 2))))
        await until { driver.openTasks == 0 }
        #expect(second.calls == [.head(200), .piece([1]), .fail(.bodyBroken)])
    }

    @Test("stopped before the answer: the answer's task is cancelled, and its body too if it comes nevertheless")
    func stoppedBeforeAnswer() async throws {
        let (begun, gate) = (Gate(), Gate())
        let late = response(.stream(source, length: nil))
        driver.start(
            id, task,
            answer: .pending {
                try? await begun.pass()
                await Task { try? await gate.pass() }.value
                return Task.isCancelled ? .ready(late) : .failed(SchemeTaskError(code: .unanswered, message: ""))
            })
        try await begun.arrivals(1)
        stop(id, task)
        #expect(driver.openTasks == 0)
        begun.open()
        gate.open()
        try await source.cancelled()
        #expect(task.calls.isEmpty)
    }

    @Test("stopped while a piece is being read: the source is cancelled before stop returns, and nothing is called")
    func stoppedWhileReading() async throws {
        driver.start(id, task, answer: .ready(response(.stream(source, length: nil))))
        try await source.pulls(atLeast: 1)
        stop(id, task)
        #expect(source.isCancelled)
        source.send([1])
        for _ in 0..<100 { await Task.yield() }
        #expect(task.calls == [.head(200)])
    }

    @Test("stopped from within the call for the head, a piece, the end, the failure", arguments: 0..<4)
    func stoppedWithin(_ place: Int) async {
        let task = task
        task.whenCalled = { [self] call in
            switch (place, call) {
            case (0, .head), (1, .piece), (2, .finish), (3, .fail): stop(id, task)
            default: break
            }
        }
        source.send([1])
        source.end(throwing: place == 3 ? CancellationError() : nil)
        driver.start(id, task, answer: .ready(response(.stream(source, length: 1))))
        await until { task.isStopped }
        for _ in 0..<100 { await Task.yield() }
        #expect(driver.openTasks == 0)
        #expect(task.calls.count == min(place, 2) + 1)
    }

    @Test("a task that takes no more gets nothing, and nothing is read for it, until it asks")
    func backPressure() async {
        task.takes = { _ in false }
        source.send([1])
        source.send([2])
        source.end()
        driver.start(id, task, answer: .ready(response(.stream(source, length: nil))))
        await until { task.isHolding }
        for _ in 0..<100 { await Task.yield() }
        #expect(task.calls == [.head(200), .piece([1])])
        #expect(source.pulledBytes == 1)
        task.proceeds()
        driver.proceed(id)
        await until { task.isHolding }
        #expect(task.calls.count == 3)
        task.proceeds()
        driver.proceed(id)
        await until { task.isOver }
        #expect(task.bytes == [1, 2])
    }

    @Test("content in memory waits for the demand too, and stopping drops it")
    func backPressureInMemory() {
        task.takes = { _ in false }
        driver.start(id, task, answer: .ready(response(.bytes([1]))))
        #expect(task.calls == [.head(200), .piece([1])])
        #expect(driver.openTasks == 1)
        task.proceeds()
        driver.proceed(id)
        #expect(task.isOver)
        driver.proceed(id)

        let second = SchemeTaskRecorder()
        second.takes = { _ in false }
        driver.start(id, second, answer: .ready(response(.bytes([1]))))
        stop(id, second)
        driver.proceed(id)
        #expect(second.calls.count == 2)
        #expect(driver.openTasks == 0)
    }

    @Test("a demand before the piece's call has returned is not lost")
    func earlyDemand() {
        task.takes = { _ in false }
        task.whenCalled = { [task, driver, id] call in
            guard case .piece = call else { return }
            task.proceeds()
            driver.proceed(id)
        }
        driver.start(id, task, answer: .ready(response(.bytes([1]))))
        #expect(task.calls == [.head(200), .piece([1]), .finish])
    }

    @Test("a new task under the identity of an open one stops that one")
    func reusedIdentity() async throws {
        driver.start(id, task, answer: .ready(response(.stream(source, length: nil))))
        let second = SchemeTaskRecorder()
        driver.start(id, second, answer: .ready(response(.bytes([1]))))
        task.stopped()
        #expect(source.isCancelled)
        #expect(second.calls == [.head(200), .piece([1]), .finish])
        for _ in 0..<100 { await Task.yield() }
        #expect(task.calls.count == 1)
    }

    @Test("the task is released at its end, and at its stop")
    func released() async {
        for stops in [true, false] {
            var task: SchemeTaskRecorder? = SchemeTaskRecorder()
            weak let released = task
            let source = ScriptedBody([[1]], ends: !stops)
            if let task { driver.start(id, task, answer: .ready(response(.stream(source, length: nil)))) }
            await until { task?.calls.count == (stops ? 2 : 3) }
            if stops { driver.stop(id) }
            task = nil
            await until { released == nil }
        }
    }
}
