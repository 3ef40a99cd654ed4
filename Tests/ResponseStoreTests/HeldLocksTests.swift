#if os(Linux)
import CacheTesting
import Foundation
import GRDB
import Glibc
import Testing

@testable import ResponseStore

/// SQLite holds a shared lock on an index in WAL mode: without it the next process to close the index takes itself for
/// the last one, and deletes the log that we continue to write. Closing any other descriptor of the file releases the
/// lock (fcntl(2), "Record locks").
@Suite("The lock on an index that is open")
struct HeldLocksTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ path: String? = nil) throws -> DiskResponseStore {
        try DiskResponseStore(directory: path ?? directory.store, durability: .process)
    }

    /// Whether any process, including this one, has SQLite's shared lock on the index (sqlite.org/c3ref,
    /// `SHARED_FIRST`): locks of open file descriptions conflict with those of processes, fcntl(2).
    private func isLocked() throws -> Bool {
        // Left open: closing it would release the lock.
        let descriptor = Glibc.open(directory.store + "/index.sqlite", O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (0x4000_0002, 510)
        // F_OFD_GETLK
        try #require(fcntl(descriptor, 36, &lock) == 0)
        return lock.l_type != Int16(F_UNLCK)
    }

    /// The files that a killed process leaves.
    private func leaveLog() async throws {
        let made = directory.path + "/made"
        let store = try open(made)
        try await store.put(Samples.body(100, 1), "small")
        try FileManager.default.copyItem(atPath: made, toPath: directory.store)
        try FileManager.default.removeItem(atPath: directory.store + "/index.sqlite-shm")
        try store.index.close()
    }

    @Test("another opening in the same process does not release it")
    func openedTwice() async throws {
        let store = try open()
        try await store.put([1], "a")
        #expect(try isLocked())
        do { _ = try open() }
        #expect(try isLocked())
        withExtendedLifetime(store) {}
    }

    @Test(
        "it is held once an index that was read without locks can be written",
        .enabled(if: UnwritableDirectory.isPossible))
    func writableAgain() async throws {
        try await leaveLog()
        let place = try UnwritableDirectory(of: directory.store)
        let store = try open(place.path)
        #expect(try await store.body("small") == Samples.body(100, 1))
        #expect(store.isReadOnly)
        #expect(try !isLocked())
        try place.allowWriting()
        try await store.put([7], "new")
        #expect(!store.isReadOnly)
        #expect(try isLocked())
    }
}
#endif
