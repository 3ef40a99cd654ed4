import HTTPCacheSemantics
import Locking

/// The room that a store has for content on its way, in this process: for each body what may be stored, and for all
/// together as much as the store's budget.
///
/// Content whose end never comes would fill the disk otherwise, or as many at once as a page asks for.
final class IncomingSpace: Sendable {
    private let budget: StoreBudget
    private let taken = LockedBox<Int64>(0)

    init(_ budget: StoreBudget) {
        self.budget = budget
    }

    /// - Parameter own: The bytes that the same body has already.
    /// - Throws: ``StoreError/Code/writeFailed`` where there is no room for them.
    func take(_ count: Int64, beside own: Int64) throws {
        guard own <= budget.longestBody.bytes - count else {
            throw StoreError(
                code: .writeFailed,
                message: "The response is longer than \(budget.longestBody), a quarter of the store's budget.")
        }
        let isThere = taken.withLock { taken -> Bool in
            guard taken <= budget.total.bytes - count else { return false }
            taken += count
            return true
        }
        guard isThere else {
            throw StoreError(
                code: .writeFailed,
                message: "The responses on their way are together longer than the store's budget, \(budget.total).")
        }
    }

    func giveBack(_ count: Int64) {
        taken.withLock { $0 -= count }
    }
}
