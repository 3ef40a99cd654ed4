import CacheTesting
import HTTPCacheSemantics
import ResponseStore
import Testing

@Suite("Every store keeps the guarantees of ResponseStorage", .timeLimit(.minutes(5)))
struct StorageConformanceTests {
    @Test("in memory", arguments: ResponseStorageConformance.Guarantee.allCases)
    func memory(_ guarantee: ResponseStorageConformance.Guarantee) async throws {
        try await ResponseStorageConformance { MemoryResponseStore() }.check(guarantee)
    }

    @Test("on disk", arguments: ResponseStorageConformance.Guarantee.allCases)
    func disk(_ guarantee: ResponseStorageConformance.Guarantee) async throws {
        let directory = try TemporaryDirectory()
        try await ResponseStorageConformance { try DiskResponseStore(directory: directory.store, durability: .process) }
            .check(guarantee)
        #expect(directory.files(in: "store/incoming").isEmpty, "a pending body left a file")
    }

    @Test("on disk without a memory tier", arguments: ResponseStorageConformance.Guarantee.allCases)
    func diskAlone(_ guarantee: ResponseStorageConformance.Guarantee) async throws {
        let directory = try TemporaryDirectory()
        try await ResponseStorageConformance {
            try DiskResponseStore(directory: directory.store, memoryBudget: .zero, durability: .process)
        }.check(guarantee)
    }

    @Test("the suite sees a store that breaks its promises")
    func suiteCanFail() async {
        await #expect(throws: ConformanceFailure.self) {
            try await ResponseStorageConformance { ForgetfulStore() }.check(.findsWhatWasCommitted)
        }
    }
}

/// Takes everything and keeps nothing.
private struct ForgetfulStore: ResponseStorage {
    let inner = MemoryResponseStore()

    func entries(for key: CacheKey) -> [StoredEntry] { [] }
    func open(_ entry: StoredEntry) -> StoredContent { inner.open(entry) }
    func makePendingBody() -> any PendingBody { inner.makePendingBody() }
    func commit(_ body: any PendingBody, key: CacheKey, response: StoredResponse) throws -> StoredEntry {
        try inner.commit(body, key: key, response: response)
    }
    func commit(contentOf entry: StoredEntry, response: StoredResponse) -> StoredEntry? { nil }
    func searchVariants(of key: CacheKey) -> [StoredEntry] { [] }
    func removeEntries(origin: String, partition: String) -> Int { 0 }
    func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) {}
    func removeEntries(for key: CacheKey) -> Int { 0 }
    func usage() -> StoreUsage { inner.usage() }
}
