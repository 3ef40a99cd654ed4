import Locking

/// A body that is received in memory.
final class PendingMemoryBody: PendingBody {
    private struct State {
        var bytes: [UInt8] = []
        var isFinished = false
    }

    private let state = LockedBox(State())

    func append(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            guard !state.isFinished else {
                throw StoreError(code: .writeFailed, message: "The response was stored before all of it had come.")
            }
            state.bytes += bytes
        }
    }

    func read(from offset: Int64, upTo count: Int) -> [UInt8] {
        state.withLock { Array($0.bytes.dropFirst(Int(offset)).prefix(count)) }
    }

    func giveUp() {
        state.withLock { ($0.bytes, $0.isFinished) = ([], true) }
    }

    /// The received bytes; after this the body accepts no more.
    func finish() -> [UInt8] {
        state.withLock { state in
            state.isFinished = true
            return state.bytes
        }
    }
}
