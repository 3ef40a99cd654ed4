import Locking
import ResponseStore

/// The body files that are kept open for the next request: as many as are kept in mind anyway, up to a limit.
///
/// A file is held by the derived of its entry, so that it is closed when its response is replaced or forgotten.
final class OpenBodies: Sendable {
    /// Far below the number of files that a process may have open, and enough for the large files of a page.
    static let limit = 64

    private struct Slot: Sendable {
        weak var derived: DerivedEntryData?
    }

    private let slots = LockedBox<[Slot]>([])

    /// Keeps a file open; the one that was opened first is let go where there are too many.
    func keep(_ file: BodyFile, with derived: DerivedEntryData) {
        guard derived.file == nil else { return }
        derived.file = file
        let surplus = slots.withLock { slots -> DerivedEntryData? in
            if slots.count >= Self.limit { slots.removeAll { $0.derived == nil } }
            let first = slots.count >= Self.limit ? slots.removeFirst().derived : nil
            slots.append(Slot(derived: derived))
            return first
        }
        surplus?.file = nil
    }
}
