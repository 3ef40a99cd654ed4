import CacheTesting
import GRDB
import HTTPCacheSemantics
import Locking
import Testing

@testable import ResponseStore

@Suite("What a store remembers of names with content hashes, and of the hosts that broke their promise")
struct RememberedNamesTests: DatedStores {
    let directory: TemporaryDirectory
    let days = LockedBox(0)

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("the note about a name for a signed-in user does not contain the user's fields")
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

    @Test("a response and the note about its name are stored in one transaction")
    func notedWithCommit() async throws {
        let store = try open()
        try await put(store, "first", Samples.body(10, 1))
        let commits = CountedCommits()
        store.index.pool.add(transactionObserver: commits)
        let pending = try store.makePendingBody()
        try pending.append(Samples.body(10, 2))
        _ = try await store.commit(
            pending, key: Samples.key("app.0a1b2c3d.js"), response: Samples.response("v1"), since: nil, noting: "gzip")
        #expect(commits.count.withLock { $0 } == 1)
    }

    @Test("a removal since a date also removes the notes since then, with or without a response")
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
        // Which of the removed responses had that type is unknown.
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

    @Test("distrusted hosts are remembered with the latest time, up to the limit, in all processes")
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
                        INSERT INTO distrusted SELECT i || '.example', ? + i FROM number
                        """, arguments: [first])
            }
        }
        try await other.distrust("last.example", at: Samples.time + .seconds(60))
        let known = try open().distrustedHosts
        #expect(known.count == 1_000 && known["last.example"] == Samples.time + .seconds(60))
        #expect(known["0.example"] == nil && known["liar.example"] == nil && known["1.example"] != nil)
    }

    @Test("the number of remembered names is limited")
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
        // The latest one is among them.
        let known = try await store.noteContent(digest, under: Samples.key("last"), variant: "")
        #expect(known == nil)
        #expect(try await store.noteContent(digest, under: Samples.key("last"), variant: "") == digest)
    }
}

/// Counts the transactions of the connection that writes.
private final class CountedCommits: TransactionObserver {
    let count = LockedBox(0)

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ database: Database) { count.withLock { $0 += 1 } }
    func databaseDidRollback(_ database: Database) {}
}
