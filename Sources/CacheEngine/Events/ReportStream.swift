import Locking

/// Passes every report to its current listeners, and to another observer.
package final class ReportStream: ExchangeObserver {
    /// How many reports wait for a slow listener; beyond that the oldest are lost.
    package static let bufferedReports = 1_024

    private struct State: Sendable {
        var listeners: [Int: AsyncStream<ExchangeReport>.Continuation] = [:]
        var last = 0
    }

    private let next: (any ExchangeObserver)?
    private let state = LockedBox(State())
    /// Whether there is any listener; changed under the lock of ``state`` only.
    private let hasListeners = AtomicFlag(false)

    /// - Parameter next: Gets every report as well.
    package init(next: (any ExchangeObserver)? = nil) {
        self.next = next
    }

    /// Takes no lock, because every exchange asks.
    package var isListening: Bool { hasListeners.value || next?.isListening == true }

    package func record(_ report: ExchangeReport) {
        next?.record(report)
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(report) }
    }

    /// The reports of the exchanges that begin from now on, until the stream is deallocated. Each call makes a new
    /// stream.
    package func reports() -> AsyncStream<ExchangeReport> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.bufferedReports)) { listener in
            let number = state.withLock { state -> Int in
                state.last += 1
                state.listeners[state.last] = listener
                hasListeners.value = true
                return state.last
            }
            listener.onTermination = { [state, hasListeners] _ in
                state.withLock { state in
                    state.listeners[number] = nil
                    hasListeners.value = !state.listeners.isEmpty
                }
            }
        }
    }
}
