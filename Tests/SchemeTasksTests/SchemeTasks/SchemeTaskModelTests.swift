import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import Fetching
@testable import SchemeTasks
@testable import WebTesting

/// Random starts, stops and demands, with answers and pieces that take a random time.
///
/// The model of a task is short: what it was given is a beginning of the content; all of it if it has finished; nothing
/// after it was stopped. ``SchemeTaskRecorder`` records calls in a wrong order. The choices depend on the seed alone;
/// which thread is first does not.
@Suite("The driver under random interleavings", .timeLimit(.minutes(60)))
@MainActor
struct SchemeTaskModelTests {
    private struct Load {
        let task: SchemeTaskRecorder
        let id: SchemeTaskID
        let content: [UInt8]
        let source: RandomSource?
        let fails: Bool
        /// Whether the driver has asked for the answer, or had it from the start.
        let isAsked: LockedBox<Bool>
        var isStopped = false
    }

    @Test("no call after stop, no second head, no lost byte, every source read to its end or cancelled, no task left")
    func interleavings() async {
        for seed in 0..<RandomOrders.count {
            await run(seed: seed)
        }
    }

    private func run(seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let driver = SchemeTaskDriver(
            limits: .init(running: Int.random(in: 1...3, using: &random), open: Int.random(in: 2...4, using: &random)))
        var loads: [Load] = []
        for _ in 0..<Int.random(in: 2...12, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2 where loads.count < 5: loads.append(start(loads.count, in: driver, &random))
            case 3:
                guard !loads.isEmpty else { continue }
                stop(Int.random(in: 0..<loads.count, using: &random), of: &loads, in: driver)
            case 4: for load in loads { proceed(load, in: driver) }
            default: for _ in 0..<Int.random(in: 1...3, using: &random) { await Task.yield() }
            }
        }
        // Half of the runs end by stopping, the others by waiting.
        if Bool.random(using: &random) { for place in loads.indices { stop(place, of: &loads, in: driver) } }
        let hasEnded = await until {
            for load in loads { proceed(load, in: driver) }
            return driver.openTasks == 0
        }
        if !hasEnded { Issue.record("a task that does not end, seed \(seed)") }
        for load in loads { await check(load, seed) }
    }

    /// Whether the condition holds in the end; a hundred thousand turns are far more than any order of events takes.
    private func until(_ condition: () -> Bool) async -> Bool {
        for _ in 0..<100_000 {
            if condition() { return true }
            await Task.yield()
        }
        return false
    }

    private func start(_ number: Int, in driver: SchemeTaskDriver, _ random: inout SplitMix64) -> Load {
        let content = (0..<Int.random(in: 0...6, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        let inMemory = Int.random(in: 0..<4, using: &random) == 0
        let fails = !inMemory && Int.random(in: 0..<6, using: &random) == 0
        let source = inMemory ? nil : RandomSource(content, fails: fails, seed: random.next())
        let load = Load(
            task: SchemeTaskRecorder(), id: SchemeTaskID(address: UInt(number)), content: content, source: source,
            fails: fails, isAsked: LockedBox(false))
        let held = UInt64.random(in: 0...3, using: &random)
        load.task.takes = { UInt64($0) & held == 0 }
        if Int.random(in: 0..<8, using: &random) == 0 {
            load.task.whenCalled = { [task = load.task, id = load.id] _ in
                task.proceeds()
                driver.proceed(id)
            }
        }
        let body: ResponseBody = source.map { .stream($0, length: nil) } ?? .bytes(content)
        let response = LoadResponse(head: HTTPResponse(status: .ok), body: body)
        let delay = Int.random(in: 0...3, using: &random)
        let isAsked = load.isAsked
        if delay == 0 { isAsked.withLock { $0 = true } }
        driver.start(
            load.id, load.task,
            answer: delay == 0
                ? .ready(response)
                : .pending {
                    isAsked.withLock { $0 = true }
                    for _ in 1..<delay { await Task.yield() }
                    return .ready(response)
                })
        return load
    }

    private func stop(_ place: Int, of loads: inout [Load], in driver: SchemeTaskDriver) {
        driver.stop(loads[place].id)
        loads[place].task.stopped()
        loads[place].isStopped = true
    }

    private func proceed(_ load: Load, in driver: SchemeTaskDriver) {
        load.task.proceeds()
        driver.proceed(load.id)
    }

    private func check(_ load: Load, _ seed: UInt64) async {
        // The answer of a stopped task may still be on its way, and then has to be discarded.
        var problem: String?
        if load.isAsked.withLock({ $0 }), let source = load.source, await !until({ source.isOver }) {
            problem = "a source that is left open"
        }
        if !load.content.starts(with: load.task.bytes) { problem = "other bytes than the content's" }
        switch load.task.calls.last {
        case .finish: if load.fails || load.task.bytes != load.content { problem = "an end without all bytes" }
        case .fail(.bodyBroken): if !load.fails { problem = "a failure that nobody caused" }
        case .fail(.tooManyTasks): if load.task.calls.count > 1 { problem = "a refusal after the head" }
        case .fail: problem = "an unknown failure"
        default: if !load.isStopped { problem = "a task that was left" }
        }
        // Expectations are slow, so only what is wrong is recorded.
        if let problem { Issue.record("\(problem), seed \(seed): \(load.task.calls)") }
    }
}

/// A source that gives a content in random pieces after random delays, and knows whether it was left open.
private final class RandomSource: BodySource {
    private struct State {
        var rest: ArraySlice<UInt8>
        var random: SplitMix64
        var isOver = false
    }

    private let state: LockedBox<State>
    private let fails: Bool

    init(_ content: [UInt8], fails: Bool, seed: UInt64) {
        state = LockedBox(State(rest: content[...], random: SplitMix64(seed: seed)))
        self.fails = fails
    }

    /// Whether it was read to its end or its error, or cancelled.
    var isOver: Bool { state.withLock { $0.isOver } }

    func next() async throws -> [UInt8]? {
        for _ in 0..<state.withLock({ Int.random(in: 0...2, using: &$0.random) }) { await Task.yield() }
        let piece = try state.withLock { state -> [UInt8]? in
            guard !state.isOver else { throw CancellationError() }
            guard !state.rest.isEmpty else {
                state.isOver = true
                if fails { throw CancellationError() }
                return nil
            }
            let piece = state.rest.prefix(Int.random(in: 1...3, using: &state.random))
            state.rest = state.rest.dropFirst(piece.count)
            return Array(piece)
        }
        return piece
    }

    func cancel() {
        state.withLock { $0.isOver = true }
    }
}
