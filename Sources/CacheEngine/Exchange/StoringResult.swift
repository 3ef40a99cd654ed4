import Locking

/// Whether the bytes behind a name with a content hash have changed. Known once they are stored, which may be before or
/// after their reader has received the last of them.
final class HashedNameComparison: Sendable {
    private struct State {
        var isBroken = false
        var isOver = false
        var waiting: (@Sendable (Bool) -> Void)?
    }

    private let state = LockedBox(State())

    /// Notes that the bytes have changed.
    func noteBroken() {
        state.withLock { $0.isBroken = true }
    }

    /// Ends the comparison: the bytes were compared, or are not stored.
    func end() {
        let (report, isBroken) = state.withLock { state -> ((@Sendable (Bool) -> Void)?, Bool) in
            state.isOver = true
            defer { state.waiting = nil }
            return (state.waiting, state.isBroken)
        }
        report?(isBroken)
    }

    /// Calls back once the result is known, at once if it is known already. Use it once.
    func whenOver(_ report: @escaping @Sendable (_ isBroken: Bool) -> Void) {
        let known = state.withLock { state -> Bool? in
            if !state.isOver { state.waiting = report }
            return state.isOver ? state.isBroken : nil
        }
        if let known { report(known) }
    }
}
