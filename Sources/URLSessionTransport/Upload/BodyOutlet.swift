import CacheEngine
import Locking

/// Sends the content of a request into a stream, as fast as the stream takes it: only after it has said that there is
/// room, one write for each time.
final class BodyOutlet: Sendable {
    private struct State {
        enum Phase {
            case open, stopped, closed
        }

        var phase = Phase.open
        var hasRoom = false
        var isWriting = false
        /// The rest of what is to be written.
        var piece: ArraySlice<UInt8> = []
        var sender: CheckedContinuation<Void, Never>?

        /// The octets that may be written now; `nil` for none.
        mutating func next() -> ArraySlice<UInt8>? {
            guard hasRoom, !isWriting, !piece.isEmpty else { return nil }
            (hasRoom, isWriting) = (false, true)
            return piece
        }
    }

    private let port: any OutputPort
    private let state = LockedBox(State())

    init(_ port: any OutputPort) { self.port = port }

    /// Sends all of it, then ends the stream.
    ///
    /// - Parameter onFailure: Called when the content fails or has another length than announced. The stream is not
    ///   ended then, so that what was sent does not pass for the whole: end the task, then call ``close()``.
    func send(_ body: RequestBody, onFailure: @escaping @Sendable (any Error) -> Void) {
        Task {
            do {
                if try await body.forEachPiece({ await self.write($0) }) { close() }
            } catch {
                onFailure(error)
            }
        }
    }

    /// Sends nothing more, and leaves the stream open.
    func stop() {
        port.enqueue { self.end(.stopped) }
    }

    /// Ends the stream, however much is sent. After the end this does nothing.
    func close() {
        port.enqueue { self.end(.closed) }
    }

    /// - Returns: Whether more is wanted.
    private func write(_ piece: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            port.enqueue {
                self.state.withLock { state in
                    state.sender = continuation
                    if state.phase == .open { state.piece = piece[...] }
                }
                self.writeOn()
            }
        }
        return state.withLock { $0.phase == .open }
    }

    // MARK: On the port's queue

    func noted(_ event: OutputPortEvent) {
        switch event {
        case .hasRoom:
            state.withLock { $0.hasRoom = true }
            writeOn()
        case .failed: end(.closed)
        }
    }

    private func writeOn() {
        while let bytes = state.withLock({ $0.next() }) {
            let count = port.write(bytes)
            let hasFailed = state.withLock { state in
                state.isWriting = false
                state.piece = state.piece.dropFirst(max(0, count))
                return count < 0 && state.phase == .open
            }
            if hasFailed { end(.closed) }
        }
        // The piece is written, or never will be.
        state.withLock { $0.piece.isEmpty ? $0.sender.take() : nil }?.resume()
    }

    private func end(_ phase: State.Phase) {
        let (hasEnded, sender) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.phase != .closed, state.phase != phase else { return (false, nil) }
            (state.phase, state.piece) = (phase, [])
            return (true, state.sender.take())
        }
        if hasEnded, phase == .closed { port.close() }
        sender?.resume()
    }
}

/// The end of a stream pair that is written to; a session reads from the other.
package protocol OutputPort: Sendable {
    /// Opens it. From then on it tells what happens, from one queue.
    func open(_ notify: @escaping @Sendable (OutputPortEvent) -> Void)

    /// Writes as much as there is room for, without waiting. Called from the queue of the events alone.
    ///
    /// - Returns: How many bytes were taken; negative after a failure.
    func write(_ bytes: ArraySlice<UInt8>) -> Int

    /// Calls back on the queue of the events.
    func enqueue(_ work: @escaping @Sendable () -> Void)

    /// Ends the stream. Nothing is called on it afterwards.
    func close()
}

package enum OutputPortEvent: Sendable {
    /// There is room again.
    case hasRoom
    /// The other end is gone.
    case failed
}
