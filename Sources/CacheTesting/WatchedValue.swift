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

    package init(_ value: Value) {
        state = LockedBox(State(value: value))
    }

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
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
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
