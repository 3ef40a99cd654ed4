import GRDB
import HTTPCacheSemantics

/// Stores in a folder that several processes share, such as an app and its extension in one app group.
extension DiskResponseStore {
    /// Lets go of every lock on the store's files, until ``resume()``, and waits for it on this thread: there are
    /// systems that suspend a process once a call returns. Never call it from a task.
    ///
    /// iOS ends an app that is suspended while it holds a lock on a file of an app group (0xDEAD10CC, Apple's Technical
    /// Note TN2151), and SQLite holds one for as long as an index in WAL mode is open. So the index is closed. When
    /// this returns, the store has no lock on any file, unless ``resume()`` was called meanwhile.
    ///
    /// The group of changes that is being written is finished first; that takes one transaction, at most 256 changes or
    /// about 8 MiB. Later changes wait for ``resume()``, in their order, and so do reads of the index; none fails. A
    /// read that is under way is abandoned and begins again afterwards. Removing and maintenance, which take several
    /// transactions, go on where they were. Bodies that are open can be read, and bodies that arrive are received.
    ///
    /// The memory tier's entries can't be trusted without the index, which other processes may
    /// change meanwhile; they are dropped.
    ///
    /// - Throws: ``StoreError/Code/writeFailed`` if SQLite does not close the index; then it stays open for reading.
    package func suspendAndWait() throws {
        try writes.suspendAndWait {
            try opened.close()
            memory.withLock { $0.removeAll() }
        }
    }

    /// Goes on where the store was suspended; what was held back is done in the background. The index is opened when it
    /// is needed.
    package func resume() {
        writes.gate.resume()
    }

    /// Whether changes and reads wait for ``resume()``.
    package var isSuspended: Bool { writes.gate.isSuspended }
}
