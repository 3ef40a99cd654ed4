#if canImport(Glibc)
import Foundation
import Glibc

/// The locks of processes on files, as an open file description sees them: its own would conflict with those of any
/// process, this one included (fcntl(2), `F_OFD_GETLK`).
enum HeldLocks {
    /// Whether the system shows them.
    static let canBeSeen = true

    /// The names of the files in a directory that any process has a lock on.
    static func files(in directory: String) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            let descriptor = open(directory + "/" + name, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            var lock = flock()
            (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
            // F_OFD_GETLK
            guard fcntl(descriptor, 36, &lock) == 0 else { return false }
            // A descriptor of a file with locks stays open: closing it would release those of this process.
            if lock.l_type != Int16(F_UNLCK) { return true }
            close(descriptor)
            return false
        }.sorted()
    }
}
#endif
