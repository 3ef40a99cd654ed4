import CacheTesting
import HTTPTypes
import Testing

@testable import Fetching
@testable import SchemeTasks
@testable import WebTesting

@Suite("An answer that is read piece by piece", .timeLimit(.minutes(10)))
@MainActor
struct PulledSchemeTaskTests {
    private func begin(_ driver: SchemeTaskDriver, _ answer: LoadAnswer) -> PulledSchemeTask {
        let task = PulledSchemeTask(driver)
        driver.start(task.id, task, answer: answer)
        return task
    }

    private func answer(_ pieces: [[UInt8]]) -> LoadAnswer {
        .ready(LoadResponse(head: HTTPResponse(status: .ok), body: .stream(ScriptedBody(pieces), length: nil)))
    }

    @Test("head, pieces and the end, in order; the end again and again")
    func whole() async throws {
        let driver = SchemeTaskDriver()
        let task = begin(driver, answer([[1], [2, 3]]))
        var parts: [LoadReader.Part] = []
        while let part = try await task.part() { parts.append(part) }
        #expect(parts == [.head(HTTPResponse(status: .ok)), .content([1]), .content([2, 3])])
        #expect(try await task.part() == nil && driver.openTasks == 0)
    }

    @Test("no more than one piece is read ahead of its reader")
    func pressure() async throws {
        let driver = SchemeTaskDriver()
        let body = ScriptedBody((0..<10).map { [UInt8($0)] })
        let task = begin(
            driver, .ready(LoadResponse(head: HTTPResponse(status: .ok), body: .stream(body, length: nil))))
        guard case .head = try await task.part() else { return #expect(Bool(false), "no head") }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(body.pulledBytes <= 2)
        #expect(try await task.part() == .content([0]))
        for _ in 0..<1_000 { await Task.yield() }
        #expect(body.pulledBytes <= 3)
        task.cancel()
        #expect(driver.openTasks == 0)
    }

    @Test("an error is the reader's, and so is a cancellation, which stops the load")
    func errors() async throws {
        let driver = SchemeTaskDriver()
        let failed = begin(driver, .failed(SchemeTaskError(code: .refused, message: "No.")))
        await #expect(throws: SchemeTaskError.self) { try await failed.part() }
        let waiting = begin(
            driver,
            .pending {
                while !Task.isCancelled { await Task.yield() }
                return .failed(SchemeTaskError(code: .unanswered, message: "Given up."))
            })
        let reader = Task { try await waiting.part() }
        while driver.openTasks == 0 { await Task.yield() }
        reader.cancel()
        await #expect(throws: (any Error).self) { try await reader.value }
        while driver.openTasks > 0 { await Task.yield() }
        await #expect(throws: CancellationError.self) { try await waiting.part() }
    }

    @Test(
        "100,000 orders of reading, giving up and the end: every reader gets an answer, and what it gets is a beginning of the content"
    )
    func orders() async {
        for seed in 0..<100_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let driver = SchemeTaskDriver()
            let count = Int.random(in: 0...3, using: &random)
            let pieces = (0..<count).map { [UInt8($0)] }
            let breaks = Bool.random(using: &random)
            let task = PulledSchemeTask(driver)
            let steps = (0..<6).map { _ in Int.random(in: 0..<4, using: &random) }
            driver.start(
                task.id, task,
                answer: breaks ? .failed(SchemeTaskError(code: .refused, message: "No.")) : answer(pieces))
            var got: [UInt8] = []
            var isOver = false
            for step in steps where !isOver {
                switch step {
                case 0: await Task.yield()
                case 1:
                    task.cancel()
                    isOver = true
                default:
                    do {
                        switch try await task.part() {
                        case .head, .redirect: break
                        case .content(let piece): got += piece
                        case nil: isOver = true
                        }
                    } catch { isOver = true }
                }
            }
            task.cancel()
            if got != Array(pieces.joined().prefix(got.count)) || driver.openTasks != 0 {
                Issue.record("seed \(seed): \(got), \(driver.openTasks) open")
                return
            }
        }
    }
}
