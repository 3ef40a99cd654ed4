import Locking

/// Hands every report on to those who listen at that time, and to another observer.
public final class ReportStream: ExchangeObserver {
    /// A listener that lags behind so many reports loses the oldest ones.
    public static let bufferedReports = 1_024

    private struct State: Sendable {
        var listeners: [Int: AsyncStream<ExchangeReport>.Continuation] = [:]
        var last = 0
    }

    private let next: (any ExchangeObserver)?
    private let state = LockedBox(State())
    /// Whether there is any listener; changed under the lock of ``state`` only.
    private let hasListeners = AtomicFlag(false)

    /// - Parameter next: Gets every report as well.
    public init(next: (any ExchangeObserver)? = nil) {
        self.next = next
    }

    /// Costs no lock, so that a hit that nobody watches makes no report.
    public var isListening: Bool { hasListeners.value || next?.isListening == true }

    public func record(_ report: ExchangeReport) {
        next?.record(report)
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(report) }
    }

    /// The reports of the exchanges that begin from now on, until the stream is let go. Each call makes a stream of its own.
    public func reports() -> AsyncStream<ExchangeReport> {
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
