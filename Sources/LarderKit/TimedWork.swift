import CacheEngine
import Locking
import URLSessionCaching

/// Work that ends with its result, with its time-out or with its caller's task, whichever comes first. What is still going
/// on then is cancelled, and not waited for: a transport may take its time.
final class TimedWork<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var result: Result<Value, EngineError>?
        var continuation: CheckedContinuation<Result<Value, EngineError>, Never>?
        var tasks: [Task<Void, Never>] = []
    }

    private let state = LockedBox(State())

    /// - Parameters:
    ///   - timer: Says when the work has stood still for too long.
    ///   - late: The error for that.
    /// - Throws: What the work throws, `late`, or ``CacheEngine/EngineError/Code/cancelled``.
    static func run(
        _ timer: ProgressTimer, late: EngineError,
        _ work: @escaping @Sendable () async throws(EngineError) -> Value
    ) async throws(EngineError) -> Value {
        let race = TimedWork()
        let cancelled = EngineError(code: .cancelled, message: "The request was cancelled.")
        if Task.isCancelled { throw cancelled }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let running = Task {
                    do throws(EngineError) {
                        race.end(.success(try await work()))
                    } catch {
                        race.end(.failure(error))
                    }
                }
                let alarm = Task {
                    guard (try? await timer.wait()) != nil else { return }
                    race.end(.failure(late))
                }
                race.begin(continuation, [running, alarm])
            }
        } onCancel: {
            race.end(.failure(cancelled))
        }
        return try result.get()
    }

    private func begin(
        _ continuation: CheckedContinuation<Result<Value, EngineError>, Never>, _ tasks: [Task<Void, Never>]
    ) {
        let result = state.withLock { state in
            if state.result == nil { (state.continuation, state.tasks) = (continuation, tasks) }
            return state.result
        }
        guard let result else { return }
        for task in tasks { task.cancel() }
        continuation.resume(returning: result)
    }

    /// The first result counts.
    private func end(_ result: Result<Value, EngineError>) {
        let ended = state.withLock { state -> State in
            guard state.result == nil else { return State() }
            state.result = result
            defer { (state.continuation, state.tasks) = (nil, []) }
            return state
        }
        for task in ended.tasks { task.cancel() }
        ended.continuation?.resume(returning: result)
    }
}
