import Locking

/// Something that runs as long as anybody uses it: begun for the first one, ended with the last one.
final class SharedUse: Sendable {
    let value: any Sendable
    private let end: @Sendable () -> Void

    init(_ value: any Sendable, end: @escaping @Sendable () -> Void) {
        self.value = value
        self.end = end
    }

    deinit { end() }

    /// Where users find it, by its kind. A kind is never forgotten: an app has few.
    final class Places<Kind: Hashable & Sendable>: Sendable {
        private struct State: Sendable {
            weak var present: SharedUse?
            var beginning: Task<SharedUse, any Error>?
        }

        private enum Step {
            case present(SharedUse), waits(Task<SharedUse, any Error>), begins(Task<SharedUse, any Error>)
        }

        private let states = LockedBox<[Kind: State]>([:])

        /// The object in use, else the one that `begin` makes; callers that come meanwhile wait for
        /// the same one. Keep it as long as it is needed.
        ///
        /// - Throws: The error of `begin`, to all that wait; the next caller tries again.
        func use(_ kind: Kind, _ begin: @escaping @Sendable () async throws -> SharedUse) async throws -> SharedUse {
            let step = states.withLock { states -> Step in
                if let present = states[kind]?.present { return .present(present) }
                if let beginning = states[kind]?.beginning { return .waits(beginning) }
                let task = Task { try await begin() }
                states[kind] = State(beginning: task)
                return .begins(task)
            }
            switch step {
            case .present(let use): return use
            case .waits(let task): return try await task.value
            case .begins(let task):
                let result = await task.result
                states.withLock { $0[kind] = State(present: try? result.get()) }
                return try result.get()
            }
        }
    }
}
