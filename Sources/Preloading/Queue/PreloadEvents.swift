import Locking

/// Passes events to everybody who listens.
package final class PreloadEvents: Sendable {
    /// How many wait for a slow listener; beyond that the oldest are lost.
    static let buffered = 4_096

    private struct State: Sendable {
        var listeners: [Int: AsyncStream<PreloadEvent>.Continuation] = [:]
        var last = 0
    }

    private let state = LockedBox(State())

    package init() {}

    deinit {
        for listener in state.withLock({ $0.listeners.values }) { listener.finish() }
    }

    package func record(_ event: PreloadEvent) {
        for listener in state.withLock({ $0.listeners.values }) { listener.yield(event) }
    }

    package func stream() -> AsyncStream<PreloadEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.buffered)) { listener in
            let number = state.withLock { state -> Int in
                state.last += 1
                state.listeners[state.last] = listener
                return state.last
            }
            listener.onTermination = { [state] _ in
                // Not under the lock.
                _ = state.withLock { $0.listeners.removeValue(forKey: number) }
            }
        }
    }
}
