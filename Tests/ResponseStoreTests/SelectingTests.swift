import CacheTesting
import Foundation
import GRDB
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import ResponseStore

@Suite("What is removed is gone, and what expires goes first")
struct SelectingTests {
    let directory: TemporaryDirectory
    /// Noon of the day on which the samples were stored, plus so many days.
    private let days = LockedBox(0)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ budget: StoreBudget = StoreBudget()) throws -> DiskResponseStore {
        let days = days
        return try DiskResponseStore(
            directory: directory.store, budget: budget, durability: .process,
            wallTime: { Samples.time + .seconds(days.withLock { $0 } * 86_400) })
    }

    private func put(
        _ store: DiskResponseStore, _ path: String, _ body: [UInt8], partition: String = "", tags: [String] = [],
        expires: Duration? = nil
    ) async throws {
        var response = Samples.response("v1")
        (response.tags, response.expires) = (tags, expires.map { Samples.time + $0 })
        let pending = try store.makePendingBody()
        try pending.append(body)
        var key = Samples.key(path)
        key.partition = partition
        _ = try await store.commit(pending, key: key, response: response)
    }

    /// Whether any file of the store has these bytes.
    private func isOnDisk(_ text: String) throws -> Bool {
        let needle = Data(text.utf8)
        return try directory.files().contains { name in
            try Data(contentsOf: URL(fileURLWithPath: directory.store + "/" + name)).range(of: needle) != nil
        }
    }

    @Test(
        "nothing of a removed account is left in any file: not its bodies, its URLs, its name or its tags",
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

    @Test("the size on the disk is that of the files, and goes down with what is removed")
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

    @Test("tags, types and the end of use are known again after the index was lost")
    func survivesRecovery() async throws {
        do {
            let store = try open()
            try await put(store, "a", Samples.body(100, 1), tags: ["one", "two"], expires: .seconds(60))
            try await put(store, "b", Samples.body(100_000, 2))
            try await store.flush()
        }
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: directory.store + "/index.sqlite" + suffix)
        }
        let store = try open()
        let all = try await store.summaries(of: .everything, after: nil, limit: 10)
        #expect(all.count == 2)
        let tagged = try #require(
            try await store.summaries(of: EntrySelection(tag: "two"), after: nil, limit: 10).first)
        #expect(tagged.tags == ["one", "two"] && tagged.expires == Samples.time + .seconds(60))
        #expect(tagged.contentType == "text/plain" && tagged.key == Samples.key("a"))
    }

    @Test("last use is known to a day, also of what was used only from memory")
    func lastUse() async throws {
        let store = try open()
        for path in ["a", "b"] { try await put(store, path, Samples.body(10, 1)) }
        days.withLock { $0 = 40 }
        // The second time it is known without the index.
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

    @Test("what expired stays until space is needed, and is the first to go then, unless it was used since")
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

    @Test("what expired is named, shown and removed as such also after a check point, once and again")
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

    @Test("what a name stands for to one who is signed in is noted without the fields that say who")
    func notedVariants() async throws {
        let store = try open()
        let digests = try (0..<2).map { try #require(BodyDigest(Samples.body(32, $0))) }
        let (anna, ben) = ("gzip\ncookie: session=of-anna", "gzip\ncookie: session=of-ben")
        let key = Samples.key("app.0a1b2c3d.js")
        #expect(try await store.noteContent(digests[0], under: key, variant: anna) == nil)
        #expect(try await store.noteContent(digests[1], under: key, variant: ben) == nil)
        #expect(try await store.noteContent(digests[1], under: key, variant: anna) == digests[0])
        #expect(try isOnDisk("app.0a1b2c3d.js"))
        #expect(try !isOnDisk("of-anna"))
    }

    @Test("what was asked for lately does not go for want of use, also where only memory knows of it yet")
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

    @Test("removal while others store leaves the store sound and takes all that was there before")
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

    @Test("pinned responses go when they are named, and only then")
    func pins() async throws {
        let store = try open()
        for path in ["a", "b"] { try await put(store, path, Samples.body(10, 1)) }
        try await store.pin(Samples.key("a"))
        #expect(try await store.summaries(of: EntrySelection(isPinned: true), after: nil, limit: 9).map(\.pins) == [1])
        #expect(try await store.remove(EntrySelection(isPinned: false)).entries == 1)
        #expect(try await store.remove(EntrySelection(host: "example.com")).entries == 1)
    }

    @Test("a response and what its name stands for are stored in one transaction")
    func notedWithCommit() async throws {
        let store = try open()
        try await put(store, "first", Samples.body(10, 1))
        let before = try #require(store.index.stamp())
        let pending = try store.makePendingBody()
        try pending.append(Samples.body(10, 2))
        _ = try await store.commit(
            pending, key: Samples.key("app.0a1b2c3d.js"), response: Samples.response("v1"), since: nil, noting: "gzip")
        #expect(try #require(store.index.stamp()).isNext(after: before))
    }

    @Test("names that were noted since a date are forgotten with what was stored since, also without a response")
    func namesOfThePeriod() async throws {
        let store = try open()
        let digest = try #require(BodyDigest(Samples.body(32, 1)))
        func isKnown(_ path: String) async throws -> Bool {
            let names = try await store.reading { database in
                try String.fetchAll(database, sql: "SELECT uri FROM content")
            }
            return names.contains(Samples.key(path).uri)
        }
        for (day, path) in [(0, "old.0a1b2c3d.js"), (2, "new.0a1b2c3d.js"), (4, "last.0a1b2c3d.js")] {
            days.withLock { $0 = day }
            try await put(store, path, Samples.body(10, 1))
            _ = try await store.noteContent(digest, under: Samples.key(path), variant: "")
            try await store.removeEntries(for: Samples.key(path))
        }
        func time(_ day: Int) -> WallInstant { Samples.time + .seconds(day * 86_400) }
        // Which of them had that type, nobody knows any more.
        try await store.remove(EntrySelection(storedSince: time(1), contentType: "text/plain"))
        try await store.remove(EntrySelection(host: "other.example", storedSince: time(1)))
        #expect(try await isKnown("new.0a1b2c3d.js"))
        try await store.remove(EntrySelection(storedBefore: time(4), storedSince: time(1)))
        #expect(try await isKnown("old.0a1b2c3d.js"))
        #expect(try await !isKnown("new.0a1b2c3d.js"))
        #expect(try await isKnown("last.0a1b2c3d.js"))
        try await store.remove(EntrySelection(storedSince: time(4)))
        #expect(try await !isKnown("last.0a1b2c3d.js"))
    }

    @Test("a row that makes no sense leaves no gap in a portion")
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

    @Test("what SQLite overwrites by itself is after a removal as it was before", arguments: [0, 1, 2])
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

    @Test("hosts that were caught are remembered, with the last time, as many as there is room for, by all processes")
    func distrust() async throws {
        let other = try open()
        do {
            let store = try open()
            try await store.distrust("liar.example", at: Samples.time)
            try await store.distrust("liar.example", at: Samples.time + .seconds(1))
        }
        try await other.distrust("thief.example", at: Samples.time)
        #expect(
            try open().distrustedHosts
                == ["liar.example": Samples.time + .seconds(1), "thief.example": Samples.time])
        let (index, first) = (other.index, EntryRow.milliseconds(Samples.time) + 10_000)
        try await other.writes.exclusively {
            try index.pool.writeWithoutTransaction { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE number(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i < 999)
                        INSERT INTO distrusted SELECT i || '.example ' || (? + i) FROM number
                        """, arguments: [first])
            }
        }
        try await other.distrust("last.example", at: Samples.time + .seconds(60))
        let known = try open().distrustedHosts
        #expect(known.count == 1_000 && known["last.example"] == Samples.time + .seconds(60))
        #expect(known["0.example"] == nil && known["liar.example"] == nil && known["1.example"] != nil)
    }

    @Test("so many names are remembered, and not more")
    func boundedNames() async throws {
        let store = try open()
        let digest = try #require(BodyDigest([UInt8](repeating: 1, count: 32)))
        let limit = DiskResponseStore.rememberedNames
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<limit + 600 {
                group.addTask {
                    _ = try? await store.noteContent(digest, under: Samples.key("\(number)"), variant: "")
                }
            }
        }
        let count = try await store.reading { try Int.fetchOne($0, sql: "SELECT count(*) FROM content") ?? 0 }
        #expect((limit..<limit + DiskResponseStore.forgottenAtOnce).contains(count))
        // The one that was noted last is among them.
        let known = try await store.noteContent(digest, under: Samples.key("last"), variant: "")
        #expect(known == nil)
        #expect(try await store.noteContent(digest, under: Samples.key("last"), variant: "") == digest)
    }
}
