/// A place where a scripted answer waits until the test lets it go on.
public final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var arrivals = 0
    }

    private let state = WatchedValue(State())

    /// A closed gate.
    public init() {}

    /// Lets everyone through who waits or comes later.
    public func open() {
        state.update { $0.isOpen = true }
    }

    /// Keeps everyone waiting who comes later.
    public func close() {
        state.update { $0.isOpen = false }
    }

    /// Returns once the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func pass() async throws {
        state.update { $0.arrivals += 1 }
        try await state.wait { $0.isOpen }
    }

    /// Returns once ``pass()`` was called at least so many times.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func arrivals(_ count: Int) async throws {
        try await state.wait { $0.arrivals >= count }
    }
}
