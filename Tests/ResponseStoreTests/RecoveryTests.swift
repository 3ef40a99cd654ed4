import CacheTesting
import Foundation
import GRDB
import HTTPCacheSemantics
import Testing

@testable import ResponseStore

@Suite("A lost or damaged index begins anew")
struct RecoveryTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open() throws -> DiskResponseStore {
        try DiskResponseStore(directory: directory.store, durability: .process)
    }

    private static func body(_ number: Int) -> [UInt8] {
        Samples.body([0, 300, 20_000, 200_000][number % 4] + number, UInt8(number))
    }

    /// Forty entries, some of them replaced, updated, copied and removed.
    private func fill(_ store: DiskResponseStore) async throws {
        for number in 0..<40 { try await store.put(Self.body(number), "\(number)", "v1") }
        for number in 0..<10 { try await store.put(Self.body(number + 40), "\(number)", "v2") }
        for number in 10..<20 {
            let entry = try #require(try await store.entries(for: Samples.key("\(number)")).first)
            try await store.update(entry.id, key: entry.key, response: Samples.response("v3"))
        }
        let entry = try #require(try await store.entries(for: Samples.key("20")).first)
        _ = try await store.commit(
            contentOf: entry, response: Samples.response("de", nominated: ["lang": "de"]), since: nil)
        for number in 30..<40 { try await store.removeEntries(for: Samples.key("\(number)")) }
        try await store.flush()
        try store.index.close()
    }

    /// What is left is right, and the store goes on.
    private func check(_ store: DiskResponseStore) async throws {
        for number in 0..<30 {
            for entry in try await store.entries(for: Samples.key("\(number)")) {
                let expected = number < 10 ? "\"v2\"" : number < 20 ? "\"v3\"" : "\"v1\""
                #expect([expected, "\"de\""].contains(entry.response.fields[.eTag]), "\(number)")
                let body = try Samples.read(try await store.open(entry))
                #expect(body == Self.body(number < 10 ? number + 40 : number), "\(number)")
            }
        }
        for number in 30..<40 {
            #expect(try await store.entries(for: Samples.key("\(number)")).isEmpty, "\(number) came back")
        }
        #expect(try await store.verify().problems.isEmpty)
        try await store.put([7], "new")
        #expect(try await store.body("new") == [7])
        #expect(try await store.verify().problems.isEmpty)
    }

    @Test("an index that is missing, or random bytes", arguments: [false, true])
    func lost(isNoise: Bool) async throws {
        try await fill(try open())
        #expect(!directory.files(in: "store/bodies").isEmpty)
        let index = directory.store + "/index.sqlite"
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: index + suffix) }
        if isNoise {
            try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }).write(
                to: URL(fileURLWithPath: index))
        }
        let store = try open()
        #expect(try await store.usage().entries == 0)
        #expect(directory.files(in: "store/bodies").isEmpty)
        #expect(await store.past(of: Samples.key("0"))?.event == (isNoise ? .begunAnew : nil))
        await store.note(.evicted, of: Samples.key("1"))
        #expect(await store.past(of: Samples.key("1"))?.event == .evicted)
        try await check(store)
    }

    /// A bit of a name in the description of the tables, which SQLite takes for another name.
    @Test(
        "a changed name in the description of the tables",
        arguments: [
            ("body", "writer TEXT", "vriter TEXT"), ("entry", "search_base TEXT", "search_ba3e TEXT"),
            ("pin", "holder TEXT NOT NULL,", "hklder TEXT NOT NULL,"), ("totals", "clock REAL", "cloci REAL"),
        ])
    func damagedDescription(_ row: (table: String, name: String, damaged: String)) async throws {
        let filled = try open()
        try await fill(filled)
        let database = try DatabaseQueue(path: directory.store + "/index.sqlite")
        try await database.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.execute(
                sql: "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ?",
                arguments: [row.name, row.damaged, row.table])
            #expect(database.changesCount == 1)
        }
        try database.close()
        try await check(try open())
    }

    @Test("a page of the index with random bytes", arguments: 1..<14)
    func damagedPage(_ page: Int) async throws {
        try await fill(try open())
        let index = directory.store + "/index.sqlite"
        var bytes = try #require(FileManager.default.contents(atPath: index))
        guard page * 4_096 < bytes.count else { return }
        for place in page * 4_096..<min(bytes.count, (page + 1) * 4_096) {
            bytes[place] = UInt8(truncatingIfNeeded: place &* 167 &+ 13)
        }
        try bytes.write(to: URL(fileURLWithPath: index))
        let store = try open()
        // The first query that reads the page finds the damage.
        for number in 0..<40 { _ = try? await store.entries(for: Samples.key("\(number)")) }
        _ = try? await store.put([1], "other")
        try await store.removeOrphans()
        try await check(store)
    }

    @Test("a directory that was emptied while it was open is filled again")
    func emptied() async throws {
        let store = try open()
        for number in 0..<4 { try await store.put(Self.body(number), "\(number)") }
        try FileManager.default.removeItem(atPath: directory.store)
        try await store.put(Self.body(5), "after")
        #expect(try await store.body("after") == Self.body(5))
        for number in 0..<4 { #expect(try await store.entries(for: Samples.key("\(number)")).isEmpty) }
        #expect(try await store.verify().problems.isEmpty)
        #expect(try await (try open()).body("after") == Self.body(5))
    }
}
