import CacheEngine
import Locking

/// Sends the content of a request into a stream, as fast as the stream takes it.
final class BodyOutlet: Sendable {
    private struct State {
        var machine = OutletMachine()
        var sender: CheckedContinuation<Void, Never>?
    }

    private let port: any OutputPort
    private let state = LockedBox(State())

    init(_ port: any OutputPort) {
        self.port = port
    }

    /// Sends all of it, then ends the stream.
    ///
    /// - Parameter onFailure: Called when the content fails or has another length than announced. The stream is not
    ///   ended then, so that what was sent does not pass for the whole: end the task, then call ``close()``.
    func send(_ body: RequestBody, onFailure: @escaping @Sendable (any Error) -> Void) {
        Task {
            do {
                guard try await body.forEachPiece({ await self.write($0) }) else { return }
                port.enqueue { self.change { $0.close() } }
            } catch {
                onFailure(error)
            }
        }
    }

    /// Sends nothing more, and leaves the stream open.
    func stop() {
        port.enqueue { self.change { $0.stop() } }
    }

    /// Ends the stream, however much is sent. After the end this does nothing.
    func close() {
        port.enqueue { self.change { $0.close() } }
    }

    /// Called on the port's queue.
    func noted(_ event: OutputPortEvent) {
        switch event {
        case .hasRoom: change { $0.gotRoom() }
        case .failed: change { $0.failed() }
        }
    }

    /// - Returns: Whether more is wanted.
    private func write(_ piece: [UInt8]) async -> Bool {
        await withCheckedContinuation { continuation in
            port.enqueue {
                self.state.withLock { $0.sender = continuation }
                self.change { $0.offer(piece) }
            }
        }
        return state.withLock { $0.machine.isOpen }
    }

    /// On the port's queue alone, so that the actions of two events do not mix.
    private func change(_ event: (inout OutletMachine) -> [OutletMachine.Action]) {
        var actions = state.withLock { event(&$0.machine) }
        while !actions.isEmpty {
            switch actions.removeFirst() {
            case .write(let bytes):
                let count = port.write(bytes)
                actions += state.withLock { $0.machine.wrote(count) }
            case .goOn:
                state.withLock { state -> CheckedContinuation<Void, Never>? in
                    defer { state.sender = nil }
                    return state.sender
                }?.resume()
            case .close:
                port.close()
            }
        }
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

/// An event of an ``OutputPort``.
package enum OutputPortEvent: Sendable {
    /// There is room again.
    case hasRoom
    /// The other end is gone.
    case failed
}
