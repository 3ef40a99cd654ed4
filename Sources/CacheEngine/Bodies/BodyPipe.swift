import HTTPTypes
import Locking

/// Carries a body from a sender that pushes to a consumer that pulls, with a limit on the bytes in between.
///
/// Serves network libraries that call back: the sender writes what arrives, stops its socket when
/// ``write(_:)`` returns false, and goes on when `onDemand` is called.
package final class BodyPipe: BodySource {
    /// How many bytes may wait before the sender is asked to stop.
    package static let defaultLimit = 262_144

    private struct State {
        var waiting = RecentBytes()
        var isPaused = false
        var end: Result<Void, any Error>?
        var trailers: HTTPFields?
        var isCancelled = false
        var consumer: CheckedContinuation<Void, Never>?
    }

    private let state = LockedBox(State())
    private let limit: Int
    private let onDemand: @Sendable () -> Void
    private let onCancel: @Sendable () -> Void

    /// - Parameters:
    ///   - onDemand: Called when a paused sender may go on, after its end too. From any thread.
    ///   - onCancel: Called once when the consumer cancels before the end. From any thread.
    package init(
        limit: Int = defaultLimit, onDemand: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void
    ) {
        self.limit = limit
        self.onDemand = onDemand
        self.onCancel = onCancel
    }

    deinit { cancel() }

    /// Adds bytes; false asks the sender to pause until `onDemand`.
    package func write(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        let (consumer, goOn) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            guard !state.isCancelled, state.end == nil else { return (nil, true) }
            state.waiting.append(bytes)
            // The sender stays paused until `onDemand`, but may still write what it had read before.
            if state.waiting.count >= limit { state.isPaused = true }
            defer { state.consumer = nil }
            return (state.consumer, !state.isPaused)
        }
        consumer?.resume()
        return goOn
    }

    /// The fields that came after the content; `nil` until the consumer has reached the end.
    package var trailers: HTTPFields? {
        state.withLock { state in
            guard state.waiting.count == 0, !state.isCancelled, case .success = state.end else { return nil }
            return state.trailers
        }
    }

    /// Why the sender ended the body before its end; known at once, before the consumer gets there.
    package var failure: (any Error)? {
        if case .failure(let error)? = state.withLock({ $0.end }) { error } else { nil }
    }

    /// Ends the body; the consumer gets what was written before, then the end, and then may ask for the trailers.
    package func finish(trailers: HTTPFields) {
        end(.success(()), trailers: trailers.isEmpty ? nil : trailers)
    }

    /// Ends the body; the consumer gets what was written before, then the end or the error.
    package func finish(throwing error: (any Error)? = nil) {
        end(error.map { .failure($0) } ?? .success(()), trailers: nil)
    }

    private func end(_ end: Result<Void, any Error>, trailers: HTTPFields?) {
        let consumer = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.end == nil { (state.end, state.trailers) = (end, trailers) }
            defer { state.consumer = nil }
            return state.consumer
        }
        consumer?.resume()
    }

    package func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            while true {
                if let answer = try take() { return answer.isEmpty ? nil : answer }
                await withCheckedContinuation { continuation in
                    let resumeNow = state.withLock { state -> Bool in
                        if state.waiting.count > 0 || state.end != nil || state.isCancelled { return true }
                        state.consumer = continuation
                        return false
                    }
                    if resumeNow { continuation.resume() }
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// The first waiting piece; empty at the end; `nil` when there is none yet.
    private func take() throws -> [UInt8]? {
        let (bytes, resume) = try state.withLock { state -> ([UInt8]?, Bool) in
            if state.isCancelled { throw CancellationError() }
            if let first = state.waiting.takeFirst() {
                // The sender goes on at half the limit, so that it is not woken for every piece.
                let resume = state.isPaused && state.waiting.count <= limit / 2
                if resume { state.isPaused = false }
                return (first, resume)
            }
            guard let end = state.end else { return (nil, false) }
            try end.get()
            return ([], false)
        }
        if resume { onDemand() }
        return bytes
    }

    package func cancel() {
        let (before, consumer) = state.withLock { state -> (State, CheckedContinuation<Void, Never>?) in
            let before = state
            state.isCancelled = true
            (state.waiting, state.isPaused) = (RecentBytes(), false)
            defer { state.consumer = nil }
            return (before, state.consumer)
        }
        consumer?.resume()
        if before.isCancelled { return }
        if before.end == nil { onCancel() } else if before.isPaused { onDemand() }
    }
}
