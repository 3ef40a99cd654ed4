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

    @Test("the suite detects a store that breaks its guarantees")
    func suiteCanFail() async throws {
        let first = try #require(ResponseStorageConformance.Guarantee.allCases.first)
        await #expect(throws: ConformanceFailure.self) {
            try await ResponseStorageConformance { ForgetfulStore() }.check(first)
        }
    }
}

/// Accepts everything and stores nothing.
private struct ForgetfulStore: ForwardingStorage {
    let base: any ResponseStorage = MemoryResponseStore()

    func entries(for key: CacheKey) async throws -> [StoredEntry] { [] }
}
