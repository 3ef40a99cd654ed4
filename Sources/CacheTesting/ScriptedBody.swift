import CacheEngine

/// A body whose pieces arrive when the test sends them, and which records how far it was pulled.
public final class ScriptedBody: BodySource {
    private struct State: Sendable {
        var pieces: [[UInt8]] = []
        var end: Result<Void, any Error>?
        var pulledBytes: Int64 = 0
        var furthestAhead: Int64 = 0
        var pulls = 0
        var isCancelled = false
    }

    private let state: WatchedValue<State>
    private let consumed: @Sendable () -> Int64

    /// A body that has no pieces yet and has not ended.
    public convenience init() {
        self.init([], ends: false)
    }

    /// - Parameters:
    ///   - pieces: The pieces that are available at once. Empty pieces are left out: a source never returns those.
    ///   - ends: Whether the body ends after them; otherwise it continues with ``send(_:)``.
    ///   - consumed: How many bytes have left the engine, for ``furthestAhead``.
    public init(
        _ pieces: [[UInt8]], ends: Bool = true, consumed: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        var start = State()
        start.pieces = pieces.filter { !$0.isEmpty }
        start.end = ends ? .success(()) : nil
        state = WatchedValue(start)
        self.consumed = consumed
    }

    /// Makes one more piece available.
    public func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        state.update { $0.pieces.append(bytes) }
    }

    /// Makes one more piece available, a text in UTF-8.
    public func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Ends the body after the sent pieces: normally, or with an error.
    public func end(throwing error: (any Error)? = nil) {
        state.update { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
        }
    }

    /// The bytes that were pulled so far.
    public var pulledBytes: Int64 { state.value.pulledBytes }

    /// The greatest distance so far between the pulled and the consumed bytes.
    public var furthestAhead: Int64 { state.value.furthestAhead }

    /// Whether the engine has cancelled the body.
    public var isCancelled: Bool { state.value.isCancelled }

    /// Returns once at least this number of bytes were pulled.
    public func pulled(atLeast bytes: Int64) async throws {
        try await state.wait { $0.pulledBytes >= bytes }
    }

    /// Returns once ``next()`` was called at least this number of times, whether it has returned or not.
    public func pulls(atLeast count: Int) async throws {
        try await state.wait { $0.pulls >= count }
    }

    /// Returns once the engine has cancelled the body.
    public func cancelled() async throws {
        try await state.wait { $0.isCancelled }
    }

    /// The next piece; waits for the test to send it. Throws `CancellationError` after ``cancel()``.
    public func next() async throws -> [UInt8]? {
        state.update { $0.pulls += 1 }
        try await state.wait { !$0.pieces.isEmpty || $0.end != nil || $0.isCancelled }
        let consumed = consumed()
        let result = state.update { state -> Result<[UInt8]?, any Error> in
            if state.isCancelled { return .failure(CancellationError()) }
            guard !state.pieces.isEmpty else { return (state.end ?? .success(())).map { nil } }
            let piece = state.pieces.removeFirst()
            state.pulledBytes += Int64(piece.count)
            state.furthestAhead = max(state.furthestAhead, state.pulledBytes - consumed)
            return .success(piece)
        }
        return try result.get()
    }

    /// Ends the body for good; recorded in ``isCancelled``.
    public func cancel() {
        state.update { state in
            if state.end == nil || !state.pieces.isEmpty { state.isCancelled = true }
            state.pieces = []
        }
    }
}
