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

    /// Where users find it.
    final class Place: Sendable {
        private struct State: Sendable {
            weak var present: SharedUse?
            var beginning: Task<SharedUse, any Error>?
        }

        private let state = LockedBox(State())

        /// The object in use, else the one that `begin` makes; callers that come meanwhile wait for
        /// the same one. Keep it as long as it is needed.
        ///
        /// - Throws: The error of `begin`, to all that wait; the next caller tries again.
        func use(_ begin: @escaping @Sendable () async throws -> SharedUse) async throws -> SharedUse {
            enum Step { case present(SharedUse), waits(Task<SharedUse, any Error>), begins(Task<SharedUse, any Error>) }
            let step = state.withLock { state -> Step in
                if let present = state.present { return .present(present) }
                if let beginning = state.beginning { return .waits(beginning) }
                let task = Task { try await begin() }
                state.beginning = task
                return .begins(task)
            }
            switch step {
            case .present(let use): return use
            case .waits(let task): return try await task.value
            case .begins(let task):
                let result = await task.result
                state.withLock { state in
                    state.beginning = nil
                    if case .success(let use) = result { state.present = use }
                }
                return try result.get()
            }
        }
    }
    /// A place for each kind of use. A kind is never forgotten: an app has few.
    final class Places<Kind: Hashable & Sendable>: Sendable {
        private let places = LockedBox<[Kind: Place]>([:])

        subscript(kind: Kind) -> Place {
            places.withLock { places in
                let place = places[kind] ?? Place()
                places[kind] = place
                return place
            }
        }
    }
}
