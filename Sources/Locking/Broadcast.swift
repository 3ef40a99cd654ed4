/// Tasks that wait for something that comes once. One that is cancelled waits no longer.
package struct Waiters<Element: Sendable>: Sendable {
    private var all: [AsyncStream<Element>.Continuation] = []

    package init() {}

    /// How many have begun to wait since the last call of ``wake(_:)``.
    package var count: Int { all.count }

    /// One more. The stream ends with the element, or without it when its task is cancelled.
    package mutating func add() -> AsyncStream<Element> {
        let (elements, waiter) = AsyncStream.makeStream(of: Element.self)
        all.append(waiter)
        return elements
    }

    /// Gives the element to all that wait.
    package mutating func wake(_ element: Element) {
        for waiter in all {
            waiter.yield(element)
            waiter.finish()
        }
        all = []
    }
}

/// Passes elements to everybody who listens. All streams end with it.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var listeners: [Int: AsyncStream<Element>.Continuation] = [:]
        var last = 0
    }

    private let state = LockedBox(State())
    /// Changed under the lock of ``state`` only.
    private let hasListeners = AtomicFlag(false)

    package init() {}

    deinit { finish() }

    /// Whether nobody listens. Reads a flag alone.
    package var isEmpty: Bool { !hasListeners.value }

    package func yield(_ element: Element) {
        // Not under the lock: a listener may end meanwhile.
        for listener in state.withLock({ $0.listeners.values }) { listener.yield(element) }
    }

    package func finish() {
        for listener in state.withLock({ $0.listeners.values }) { listener.finish() }
    }

    /// All elements from now on. Each call makes a stream of its own.
    ///
    /// - Parameter buffering: How many wait for a slow listener; all unless set.
    package func stream(
        _ buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Element> {
        AsyncStream(bufferingPolicy: buffering) { listener in
            let number = state.withLock { state -> Int in
                state.last += 1
                state.listeners[state.last] = listener
                hasListeners.value = true
                return state.last
            }
            listener.onTermination = { [state, hasListeners] _ in
                // Let go after the lock.
                _ = state.withLock { state in
                    defer { hasListeners.value = !state.listeners.isEmpty }
                    return state.listeners.removeValue(forKey: number)
                }
            }
        }
    }
}
