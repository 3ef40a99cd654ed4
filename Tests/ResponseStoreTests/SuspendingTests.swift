import CacheTesting
import HTTPCacheSemantics
import Testing

@testable import ResponseStore

@Suite("A store whose process is about to be suspended", .timeLimit(.minutes(5)))
struct SuspendingTests {
    /// In a separate process: all its stores are suspended together.
    @Test("can be read and not written until it resumes, and has lost nothing")
    func suspended() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let store = try DiskResponseStore(directory: directory.store, durability: .process)
            try await store.put([1], "a", "v1")
            DiskResponseStore.suspendAll()
            var failure: StoreError?
            do { try await store.put([2], "a", "v2") } catch { failure = error as? StoreError }
            try #require(failure?.code == .writeFailed)
            store.releaseMemory()
            try #require(try await store.body("a") == [1])
            DiskResponseStore.resumeAll()
            try await store.put([3], "a", "v3")
            try #require(try await store.body("a") == [3])
        }
    }
}
