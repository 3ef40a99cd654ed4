import Locking
import ResponseStore

/// The body files that are kept open for the next request, up to a limit.
///
/// The derived data of an entry holds the file, so that it is closed when the entry's response is replaced or
/// forgotten.
final class OpenBodies: Sendable {
    /// Far below the number of files that a process may have open, and enough for the large files of a page.
    static let limit = 64

    private struct Slot: Sendable {
        weak var derived: DerivedEntryData?
    }

    private let slots = LockedBox<[Slot]>([])

    /// Keeps a file open. Beyond the limit, the file that was opened first is closed.
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
