import CacheEngine
import CacheTesting
import HTTPTypes
import Testing

@testable import Fetching
@testable import SchemeTasks
@testable import WebTesting

@Suite("A page that opens too many loads", .timeLimit(.minutes(5)))
@MainActor
struct SchemeTaskLimitTests {
    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    private func id(_ number: Int) -> SchemeTaskID { SchemeTaskID(address: UInt(number)) }

    @Test("tasks beyond the running ones wait for their turn in order, and ready answers do not wait")
    func queue() async {
        let driver = SchemeTaskDriver(limits: .init(running: 2, open: 100))
        let sources = (0..<4).map { _ in ScriptedBody() }
        let tasks = (0..<4).map { _ in SchemeTaskRecorder() }
        for (number, (task, source)) in zip(tasks, sources).enumerated() {
            let body = ResponseBody.stream(source, length: nil)
            driver.start(
                id(number), task,
                answer: .pending { .ready(LoadResponse(head: HTTPResponse(status: .ok), body: body)) })
        }
        await until { tasks[0].calls.count == 1 && tasks[1].calls.count == 1 }
        for _ in 0..<100 { await Task.yield() }
        #expect(tasks[2].calls.isEmpty)

        let hit = SchemeTaskRecorder()
        driver.start(
            id(9), hit, answer: .ready(LoadResponse(head: HTTPResponse(status: .ok), body: .bytes([1]))))
        #expect(hit.isOver)

        driver.stop(id(2))
        tasks[2].stopped()
        sources[0].end()
        await until { tasks[3].calls.count == 1 }
        #expect(driver.openTasks == 2)
        for number in 0..<4 { driver.stop(id(number)) }
        for task in tasks where !task.isOver { task.stopped() }
        #expect(driver.openTasks == 0)
        #expect(sources[1].isCancelled && sources[3].isCancelled)
    }

    @Test("beyond all limits a task fails at once, and a body that came with it is cancelled")
    func refused() {
        let driver = SchemeTaskDriver(limits: .init(running: 1, open: 2))
        for number in 0..<2 {
            driver.start(id(number), SchemeTaskRecorder(), answer: .pending { await never() })
        }
        let (task, source) = (SchemeTaskRecorder(), ScriptedBody())
        let answer = LoadResponse(head: HTTPResponse(status: .ok), body: .stream(source, length: nil))
        driver.start(id(2), task, answer: .ready(answer))
        #expect(task.calls == [.fail(.tooManyTasks)])
        #expect(source.isCancelled)
        driver.stop(id(0))
        driver.start(id(3), SchemeTaskRecorder(), answer: .pending { await never() })
        #expect(driver.openTasks == 2)
        for number in 0..<4 { driver.stop(id(number)) }
        #expect(driver.openTasks == 0)
    }

    @Test("a limit below one counts as one")
    func lowest() {
        #expect(SchemeTaskDriver.Limits(running: -1, open: 0) == .init(running: 1, open: 1))
    }
}

/// An answer that comes only by cancellation.
private func never() async -> LoadAnswer {
    try? await Gate().pass()
    return .failed(SchemeTaskError(code: .unanswered, message: ""))
}
