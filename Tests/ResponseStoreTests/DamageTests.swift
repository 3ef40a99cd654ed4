import Foundation
import Testing

@testable import ResponseStore

@Suite("Damage on disk costs one body, never the store")
struct DamageTests {
    let directory: TemporaryDirectory
    let store: DiskResponseStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try DiskResponseStore(directory: directory.store)
    }

    enum Damage: CaseIterable {
        case missing, truncated, longer
    }

    private func bodyPath(_ path: String) async throws -> String {
        let entry = try #require(try await store.entries(for: Samples.key(path)).first)
        return store.layout.body(entry.bodyDigest)
    }

    private func damage(_ path: String, _ damage: Damage) async throws {
        let file = try await bodyPath(path)
        switch damage {
        case .missing: try FileManager.default.removeItem(atPath: file)
        case .truncated: #expect(truncate(file, 99_999) == 0)
        case .longer: #expect(truncate(file, 100_001) == 0)
        }
    }

    @Test("an entry with a damaged body is dropped with corruptEntry, the rest is kept", arguments: Damage.allCases)
    func dropsTheEntry(_ kind: Damage) async throws {
        try await store.put(Samples.body(100_000, 1), "bad")
        try await store.put(Samples.body(100_000, 2), "good")
        try await store.put(Samples.body(50, 3), "small")
        try await damage("bad", kind)
        let entry = try #require(try await store.entries(for: Samples.key("bad")).first)
        let error = await storeError { _ = try await store.open(entry) }
        #expect(error?.code == .corruptEntry)
        #expect(try await store.entries(for: Samples.key("bad")).isEmpty)
        #expect(try await store.body("good") == Samples.body(100_000, 2))
        #expect(try await store.body("small") == Samples.body(50, 3))
        #expect(try await store.usage() == StoreUsage(entries: 2, bodies: 2, bodyBytes: .init(Int64(100_050))))
    }

    @Test("another variant of the same key is kept")
    func keepsVariants() async throws {
        try await store.put(Samples.body(100_000, 2), "a", "de", nominated: ["lang": "de"])
        try await store.put(Samples.body(100_000, 1), "a", "en", nominated: ["lang": "en"])
        try await damage("a", .missing)
        let entry = try #require(try await store.entries(for: Samples.key("a")).first)
        _ = await storeError { _ = try await store.open(entry) }
        let rest = try await store.entries(for: Samples.key("a"))
        #expect(rest.map { $0.response.fields[.eTag] } == ["\"de\""])
        #expect(try await store.body("a") == Samples.body(100_000, 2))
    }

    @Test("every entry that shares a damaged body goes, so that none is found and then missing")
    func dropsAllSharers() async throws {
        try await store.put(Samples.body(100_000, 1), "one")
        try await store.put(Samples.body(100_000, 1), "two")
        _ = try await store.entries(for: Samples.key("two"))
        try await damage("one", .truncated)
        let entry = try #require(try await store.entries(for: Samples.key("one")).first)
        _ = await storeError { _ = try await store.open(entry) }
        #expect(try await store.entries(for: Samples.key("two")).isEmpty)
        #expect(try await store.usage() == StoreUsage(entries: 0, bodies: 0, bodyBytes: .zero))
        #expect(directory.files(in: "store/bodies").isEmpty)
    }

    @Test("the same bytes, received again, replace a damaged file", arguments: Damage.allCases)
    func healsOnCommit(_ kind: Damage) async throws {
        try await store.put(Samples.body(100_000, 1), "one")
        try await damage("one", kind)
        try await store.put(Samples.body(100_000, 1), "two")
        #expect(try await store.body("two") == Samples.body(100_000, 1))
        #expect(try await store.body("one") == Samples.body(100_000, 1))
    }

    @Test("who opens an entry that was replaced meanwhile does not remove its successor")
    func replacedMeanwhile() async throws {
        let old = try await store.put(Samples.body(100_000, 1), "a", "v1")
        try await store.put(Samples.body(100_000, 2), "a", "v2")
        _ = await storeError { _ = try await store.open(old) }
        #expect(try await store.body("a") == Samples.body(100_000, 2))
    }

    @Test("files that no entry names are removed, and only those")
    func orphans() async throws {
        try await store.put(Samples.body(100_000, 1), "a")
        let bodies = directory.files(in: "store/bodies")
        let orphan = directory.store + "/bodies/ab/" + String(repeating: "c", count: 62)
        try FileManager.default.createDirectory(
            atPath: directory.store + "/bodies/ab", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: orphan))
        #expect(try await store.removeOrphans() == 1)
        #expect(directory.files(in: "store/bodies") == bodies)
        #expect(try await store.removeOrphans() == 0)
        #expect(try await store.body("a") == Samples.body(100_000, 1))
    }

    @Test("replacing and removing entries removes their files")
    func noFilesLeft() async throws {
        try await store.put(Samples.body(100_000, 1), "a")
        try await store.put(Samples.body(100_000, 2), "a")
        #expect(directory.files(in: "store/bodies").count == 1)
        try await store.removeEntries(for: Samples.key("a"))
        #expect(directory.files(in: "store/bodies").isEmpty)
    }

    @Test(
        "a row that makes no sense is as good as none",
        arguments: [
            "status = 'abc'", "status = 99", "status = 1000", "fields = 7", "fields = x'ff'", "nominated = x'01'",
            "request_time = 'soon'", "response_time = x'00'", "response_time = 9223372036854775807",
        ])
    func senselessRow(_ change: String) async throws {
        let store = try DiskResponseStore(directory: directory.store, memoryBudget: .zero)
        try await store.put([1, 2, 3], "bad")
        try await store.put([1, 2, 3], "good")
        try await store.pool.write { database in
            try database.execute(sql: "UPDATE entry SET \(change) WHERE uri LIKE '%/bad'")
        }
        let entries = try await store.entries(for: Samples.key("bad"))
        // A time at the end of the world can be read; what counts is that reading does not stop the process.
        #expect(entries.isEmpty || change.contains("9223372036854775807"))
        #expect(try await store.usage().entries == entries.count + 1)
        #expect(try await store.body("good") == [1, 2, 3])
        try await store.put([4], "bad")
        #expect(try await store.body("bad") == [4])
    }
}
