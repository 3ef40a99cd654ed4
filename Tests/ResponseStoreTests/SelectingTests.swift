import CacheTesting
import Foundation
import GRDB
import HTTPCacheSemantics
import Locking
import Testing

@testable import ResponseStore

@Suite("Removed responses are gone, and expired ones are evicted first")
struct SelectingTests: DatedStores {
    let directory: TemporaryDirectory
    let days = LockedBox(0)

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(
        "no file has a trace of a removed account: not its bodies, its URLs, its name or its tags",
        arguments: [
            100, 5_000, 100_000,
        ])
    func leavesNoTrace(size: Int) async throws {
        let store = try open()
        let secret = Array("the balance of anna is 1234".utf8)
        for number in 0..<40 {
            try await put(
                store, "account/\(number)?token=annas-token", secret + Samples.body(size, UInt8(number)),
                partition: "anna@example.com", tags: ["annas-tag"])
            try await put(store, "other/\(number)", Array("of nobody".utf8) + Samples.body(size, UInt8(number)))
        }
        for trace in ["balance of anna", "annas-token", "anna@example.com", "annas-tag", "of nobody"] {
            #expect(try isOnDisk(trace), "\(trace) was never there")
        }
        let removed = try await store.remove(EntrySelection(partition: "anna@example.com"))
        #expect(removed.entries == 40)
        for trace in ["balance of anna", "annas-token", "anna@example.com", "annas-tag"] {
            #expect(try !isOnDisk(trace), "\(trace) is still there")
        }
        #expect(try isOnDisk("of nobody"))
        #expect(try await store.verify().problems.isEmpty)
    }

    @Test("the size on the disk is that of the files, and shrinks with removals")
    func sizes() async throws {
        let store = try open()
        for number in 0..<50 { try await put(store, "\(number)", Samples.body(200_000 + number, UInt8(number))) }
        let full = try await store.diskUsage()
        let usage = try await store.usage()
        #expect(usage.bytes > usage.bodyBytes && full > usage.bytes)
        let removed = try await store.remove(.everything)
        #expect(removed == RemovedContent(entries: 50, bytes: usage.bytes))
        let empty = try await store.diskUsage()
        #expect(full - empty >= usage.bodyBytes)
    }

    @Test("tags, types and expiries survive reopening")
    func survivesRecovery() async throws {
        do {
            let store = try open()
            try await put(store, "a", Samples.body(100, 1), tags: ["one", "two"], expires: .seconds(60))
            try await put(store, "b", Samples.body(100_000, 2))
            try await store.flush()
        }
        let store = try open()
        let all = try await store.summaries(of: .everything, after: nil, limit: 10)
        #expect(all.count == 2)
        let tagged = try #require(
            try await store.summaries(of: EntrySelection(tag: "two"), after: nil, limit: 10).first)
        #expect(tagged.tags == ["one", "two"] && tagged.expires == Samples.time + .seconds(60))
        #expect(tagged.contentType == "text/plain" && tagged.key == Samples.key("a"))
    }

    @Test("the last use is exact to a day, also for uses from memory alone")
    func lastUse() async throws {
        let store = try open()
        for path in ["a", "b"] { try await put(store, path, Samples.body(10, 1)) }
        days.withLock { $0 = 40 }
        // The second look-up does not need the index.
        for _ in 0..<2 { _ = try await store.entries(for: Samples.key("a")) }
        #expect(store.cachedEntries(for: Samples.key("a"))?.count == 1)
        try await store.flush()
        let month = Samples.time + .seconds(30 * 86_400)
        let unused = try await store.summaries(of: EntrySelection(unusedSince: month), after: nil, limit: 10)
        #expect(unused.map(\.key) == [Samples.key("b")])
        days.withLock { $0 = 80 }
        #expect(store.cachedEntries(for: Samples.key("a"))?.count == 1)
        try await store.flush()
        let used = try #require(
            try await store.summaries(of: EntrySelection(uri: Samples.key("a").uri), after: nil, limit: 1).first)
        #expect(used.lastUsed == Samples.time + .seconds(80 * 86_400))
    }

    @Test("an expired response stays until space is needed, and is evicted first then, unless it was used since")
    func expiry() async throws {
        let store = try open(StoreBudget(total: ByteCount(Int64(400_000))))
        for number in 0..<10 {
            try await put(
                store, "\(number)", Samples.body(20_000, UInt8(number)), expires: number < 3 ? .seconds(60) : nil)
        }
        for _ in 0..<3 { for path in ["0", "1", "2"] { _ = try await store.entries(for: Samples.key(path)) } }
        try await store.flush()
        #expect(try await store.performMaintenance(at: Samples.time + .seconds(59)) == 0)
        #expect(try await store.performMaintenance(at: Samples.time + .seconds(60)) == 3)
        #expect(try await store.performMaintenance(at: Samples.time + .seconds(60)) == 0)
        #expect(try await store.usage().entries == 10)
        _ = try await store.entries(for: Samples.key("2"))
        for number in 10..<21 { try await put(store, "\(number)", Samples.body(20_000, UInt8(number))) }
        try await store.flush()
        #expect(try await store.entries(for: Samples.key("0")).isEmpty)
        #expect(try await store.entries(for: Samples.key("1")).isEmpty)
        #expect(try await store.entries(for: Samples.key("2")).count == 1)
    }

    @Test("an expired response is selected, listed and removed as such also after repeated maintenance")
    func expiredAfterTidying() async throws {
        let store = try open()
        let end = Samples.time + .seconds(60)
        try await put(store, "a", Samples.body(10, 1), expires: .seconds(60))
        try await put(store, "b", Samples.body(10, 2), expires: .seconds(61))
        #expect(try await store.performMaintenance(at: end) == 1)
        func expired(at now: WallInstant) async throws -> [WallInstant?] {
            try await store.summaries(of: EntrySelection(expiredAt: now), after: nil, limit: 9).map(\.expires)
        }
        #expect(try await expired(at: end) == [end])
        #expect(try await expired(at: end + .seconds(-1)) == [])
        #expect(try await store.performMaintenance(at: end) == 0)
        #expect(try await store.remove(EntrySelection(expiredAt: end)).entries == 1)
        #expect(try await store.entries(for: Samples.key("b")).count == 1)
    }

    @Test("a removal of unused responses spares recently used ones, also if the use is only in memory")
    func usedLately() async throws {
        let store = try open()
        for path in ["a", "b"] { try await put(store, path, Samples.body(10, 1)) }
        days.withLock { $0 = 40 }
        _ = try await store.entries(for: Samples.key("a"))
        let month = EntrySelection(unusedSince: Samples.time + .seconds(30 * 86_400))
        #expect(try await store.summaries(of: month, after: nil, limit: 9).map(\.key) == [Samples.key("b")])
        days.withLock { $0 = 80 }
        _ = try await store.entries(for: Samples.key("a"))
        let later = EntrySelection(unusedSince: Samples.time + .seconds(70 * 86_400))
        #expect(try await store.remove(later).entries == 1)
        #expect(try await store.entries(for: Samples.key("a")).count == 1)
    }

    @Test("a removal during commits keeps the store valid and removes all earlier responses")
    func underTraffic() async throws {
        let store = try open()
        for number in 0..<600 { try await put(store, "old/\(number)", Samples.body(3_000, UInt8(number % 250))) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for number in 0..<100 { try await put(store, "new/\(worker)/\(number)", Samples.body(3_000, 7)) }
                }
            }
            group.addTask { _ = try await store.remove(EntrySelection(host: "example.com")) }
            try await group.waitForAll()
        }
        for number in 0..<600 { #expect(try await store.entries(for: Samples.key("old/\(number)")).isEmpty) }
        #expect(try await store.verify().problems.isEmpty)
    }

    @Test("pinned responses are removed if they are selected, and only then")
    func pins() async throws {
        let store = try open()
        for path in ["a", "b"] { try await put(store, path, Samples.body(10, 1)) }
        try await store.pin([Samples.key("a")], for: "app")
        #expect(try await store.summaries(of: EntrySelection(isPinned: true), after: nil, limit: 9).map(\.pins) == [1])
        #expect(try await store.remove(EntrySelection(isPinned: false)).entries == 1)
        #expect(try await store.remove(EntrySelection(host: "example.com")).entries == 1)
    }

    @Test("an invalid row leaves no gap in a portion")
    func senselessRow() async throws {
        let store = try open()
        for number in 0..<5 { try await put(store, "\(number)", Samples.body(10, UInt8(number))) }
        try await store.index.pool.write { database in
            try database.execute(
                sql: "UPDATE entry SET type = x'ff' WHERE uri IN (?, ?)",
                arguments: [Samples.key("0").uri, Samples.key("1").uri])
        }
        let portion = try await store.summaries(of: .everything, after: nil, limit: 2)
        #expect(portion.map(\.key) == [Samples.key("2"), Samples.key("3")])
        let rest = try await store.summaries(of: .everything, after: portion.last?.id, limit: 2)
        #expect(rest.map(\.key) == [Samples.key("4")])
    }

    @Test("a removal restores SQLite's setting for secure deletion", arguments: [0, 1, 2])
    func secureDelete(_ usual: Int) async throws {
        let store = try open()
        try await put(store, "a", Samples.body(10, 1))
        let index = store.index
        func setting(_ change: String = "") async throws -> Int? {
            try await store.writes.exclusively {
                try index.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA secure_delete\(change)") }
            }
        }
        _ = try await setting(" = \(usual == 2 ? "FAST" : "\(usual)")")
        #expect(try await store.remove(.everything).entries == 1)
        #expect(try await setting() == usual)
    }
}
