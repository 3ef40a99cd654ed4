import CacheEngine
import Locking

/// A value whose changes can be waited for, so that no test needs to sleep.
package final class WatchedValue<Value: Sendable>: Sendable {
    private struct Waiting: Sendable {
        var condition: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var value: Value
        var waiting: [Int: Waiting] = [:]
        var cancelled: Set<Int> = []
        var lastID = 0
    }

    private let state: LockedBox<State>

    package init(_ value: Value) { state = LockedBox(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    /// Changes the value and resumes the tasks whose condition holds now.
    package func update<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        let (result, ready) = state.withLock { state -> (Result, [CheckedContinuation<Void, any Error>]) in
            let result = body(&state.value)
            let value = state.value
            let ready = state.waiting.filter { $0.value.condition(value) }
            for id in ready.keys { state.waiting[id] = nil }
            return (result, ready.values.map(\.continuation))
        }
        for continuation in ready { continuation.resume() }
        return result
    }

    /// Returns once the condition holds.
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async throws {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isOver = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if condition(state.value) { return .success(()) }
                    state.waiting[id] = Waiting(condition: condition, continuation: continuation)
                    return nil
                }
                if let isOver { continuation.resume(with: isOver) }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
                if let waiting = state.waiting.removeValue(forKey: id) { return waiting.continuation }
                state.cancelled.insert(id)
                return nil
            }
            waiting?.resume(throwing: CancellationError())
        }
    }
}

/// A gate at which a scripted answer waits until the test opens it.
package final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var arrivals = 0
    }

    private let state = WatchedValue(State())

    /// A closed gate.
    package init() {}

    /// Opens the gate for all waiting and later tasks.
    package func open() {
        state.update { $0.isOpen = true }
    }

    /// Closes the gate for later tasks.
    package func close() {
        state.update { $0.isOpen = false }
    }

    /// Returns once the gate is open.
    package func pass() async throws {
        state.update { $0.arrivals += 1 }
        try await state.wait { $0.isOpen }
    }

    /// Returns once ``pass()`` was called at least this number of times.
    package func arrivals(_ count: Int) async throws {
        try await state.wait { $0.arrivals >= count }
    }
}

/// Records every report of an engine.
public final class ReportRecorder: ExchangeObserver {
    private let state = WatchedValue<[ExchangeReport]>([])

    /// A recorder without reports.
    public init() {}

    /// Records the report.
    public func record(_ report: ExchangeReport) {
        state.update { $0.append(report) }
    }

    /// The reports so far, in the order in which the exchanges ended.
    public var reports: [ExchangeReport] { state.value }

    /// Returns once at least this number of reports have arrived.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func reports(atLeast count: Int) async throws -> [ExchangeReport] {
        try await state.wait { $0.count >= count }
        return reports
    }
}
