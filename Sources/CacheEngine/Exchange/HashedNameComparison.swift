import Locking

/// Whether other bytes came than before under a name with a content hash: known once they are stored, which is before or
/// after their reader has got the last of them.
final class HashedNameComparison: Sendable {
    private struct State {
        var isBroken = false
        var isOver = false
        var waiting: (@Sendable (Bool) -> Void)?
    }

    private let state = LockedBox(State())

    /// Other bytes came.
    func noteBroken() {
        state.withLock { $0.isBroken = true }
    }

    /// Nothing more is to be compared: the bytes were, or they are not stored.
    func end() {
        let (report, isBroken) = state.withLock { state -> ((@Sendable (Bool) -> Void)?, Bool) in
            state.isOver = true
            defer { state.waiting = nil }
            return (state.waiting, state.isBroken)
        }
        report?(isBroken)
    }

    /// Calls back once it is known, at once where it is. To be used once.
    func whenOver(_ report: @escaping @Sendable (_ isBroken: Bool) -> Void) {
        let known = state.withLock { state -> Bool? in
            if !state.isOver { state.waiting = report }
            return state.isOver ? state.isBroken : nil
        }
        if let known { report(known) }
    }
}
