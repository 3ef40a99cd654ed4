import Locking
import ResponseStore

/// What has become of a response that is to be stored. Known once the store has committed or refused it, which may be
/// before or after its reader has received the last byte.
final class StoringResult: Sendable {
    struct Value: Sendable {
        /// Whether the store has it now.
        var isStored = false
        /// Why the store could not keep it; `nil` where something else than the store decided against it.
        var failure: StoreError?
        /// Whether the bytes behind a name with a content hash have changed.
        var breaksHashedName = false
    }

    private struct State {
        var value = Value()
        var isOver = false
        var waiting: (@Sendable (Value) -> Void)?
    }

    private let state = LockedBox(State())

    var value: Value { state.withLock { $0.value } }

    func noteStored() {
        state.withLock { $0.value.isStored = true }
    }

    /// Only the first one counts: it is the cause of those that follow.
    func noteFailure(_ error: any Error) {
        let failure =
            error as? StoreError
            ?? StoreError(code: .writeFailed, message: "The response could not be stored.", cause: error)
        state.withLock { state in
            if state.value.failure == nil { state.value.failure = failure }
        }
    }

    func noteBrokenHashedName() {
        state.withLock { $0.value.breaksHashedName = true }
    }

    /// Nothing is noted any more.
    func end() {
        let (report, value) = state.withLock { state -> ((@Sendable (Value) -> Void)?, Value) in
            state.isOver = true
            defer { state.waiting = nil }
            return (state.waiting, state.value)
        }
        report?(value)
    }

    /// Calls back once the result is known, at once if it is known already. Use it once.
    func whenOver(_ report: @escaping @Sendable (Value) -> Void) {
        let known = state.withLock { state -> Value? in
            if !state.isOver { state.waiting = report }
            return state.isOver ? state.value : nil
        }
        if let known { report(known) }
    }
}
