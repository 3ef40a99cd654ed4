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
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func pass() async throws {
        state.update { $0.arrivals += 1 }
        try await state.wait { $0.isOpen }
    }

    /// Returns once ``pass()`` was called at least this number of times.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    package func arrivals(_ count: Int) async throws {
        try await state.wait { $0.arrivals >= count }
    }
}
