import CacheTesting
import Foundation
import GRDB
import HTTPCacheSemantics
import Locking
import Testing

@testable import ResponseStore

@Suite("When a response was last used")
struct LastUseTests {
    private static let day = Duration.seconds(86_400)

    let directory: TemporaryDirectory
    let store: DiskResponseStore
    /// The time since the samples were stored.
    private let time: LockedBox<Duration>

    init() async throws {
        directory = try TemporaryDirectory()
        let time = LockedBox(Duration.zero)
        self.time = time
        store = try DiskResponseStore(
            directory: directory.store, durability: .process, wallTime: { Samples.time + time.withLock { $0 } })
        for path in ["a", "b"] { try await store.put(Samples.body(10, 1), path) }
    }

    private func use(_ path: String, after duration: Duration) async throws {
        time.withLock { $0 = duration }
        _ = try await store.entries(for: Samples.key(path))
    }

    /// The last use in the index, since the samples were stored.
    private func written(_ path: String) async throws -> Duration {
        // After the changes in progress.
        try await store.writes.exclusively {}
        let milliseconds = try await store.reading { database in
            try Int64.fetchOne(
                database, sql: "SELECT last_use FROM score JOIN entry ON entry.id = score.entry WHERE uri = ?",
                arguments: [Samples.key(path).uri])
        }
        return WallInstant(sinceEpoch: .milliseconds(try #require(milliseconds))) - Samples.time
    }

    @Test("it is the time of the use, not that of the writing")
    func timeOfUse() async throws {
        try await use("a", after: Self.day * 40)
        time.withLock { $0 = Self.day * 80 }
        try await store.flush()
        #expect(try await written("a") == Self.day * 40)
    }

    @Test("looking into the store is no use")
    func peeking() async throws {
        time.withLock { $0 = Self.day * 40 }
        #expect(try await store.peek(at: Samples.key("a")).count == 1)
        try await store.flush()
        #expect(try await written("a") == .zero)
    }

    @Test("selections in the same process know it before it is written")
    func unwritten() async throws {
        for _ in 0..<3 { try await use("a", after: Self.day * 40) }
        func listed(_ days: Int) async throws -> [EntrySummary] {
            let selection = EntrySelection(unusedSince: Samples.time + Self.day * days)
            return try await store.summaries(of: selection, after: nil, limit: 2)
        }
        #expect(try await listed(40).map(\.key) == [Samples.key("b")])
        let both = try await listed(41)
        #expect(both.map(\.key) == [Samples.key("a"), Samples.key("b")])
        #expect(both.first?.lastUsed == Samples.time + Self.day * 40 && both.first?.uses == 4)
        #expect(try await written("a") == .zero)
        #expect(try await store.remove(EntrySelection(unusedSince: Samples.time + Self.day * 40)).entries == 1)
        #expect(try await store.entries(for: Samples.key("a")).count == 1)
    }

    @Test("in an app that only reads, it is written an hour later, with the next use")
    func onlyReading() async throws {
        try await use("a", after: Self.day * 40)
        try await use("b", after: Self.day * 40 + .seconds(3_599))
        #expect(try await written("a") == .zero)
        #expect(store.cachedEntries(for: Samples.key("b"))?.count == 1)
        time.withLock { $0 = Self.day * 40 + .seconds(3_600) }
        #expect(store.cachedEntries(for: Samples.key("b"))?.count == 1)
        #expect(try await written("a") == Self.day * 40)
        #expect(try await written("b") == Self.day * 40 + .seconds(3_600))
    }

    @Test("a clock that is set back does not delay it further")
    func clockSetBack() async throws {
        try await use("a", after: Self.day * 40)
        try await use("b", after: Self.day * 20)
        #expect(try await written("b") == Self.day * 20)
    }

    @Test("maintenance writes it")
    func checkPoint() async throws {
        try await use("a", after: Self.day * 40)
        _ = try await store.performMaintenance(at: Samples.time + Self.day * 41)
        #expect(try await written("a") == Self.day * 40)
    }

    @Test("a failed transaction loses no use, and later uses are added")
    func failedTransaction() async throws {
        try await use("a", after: Self.day * 40)
        await #expect(throws: (any Error).self) {
            try await store.writes.perform { _ -> Int in throw DatabaseError(resultCode: .SQLITE_FULL) }
        }
        #expect(try await written("a") == .zero)
        try await use("a", after: Self.day * 41)
        try await store.flush()
        #expect(try await written("a") == Self.day * 41)
        let summary = try #require(try await store.summaries(of: .everything, after: nil, limit: 1).first)
        #expect(summary.uses == 3)
    }

    @Test("while a disk fails, uses request a write once, and then every hour")
    func failingDisk() throws {
        var uses = UnwrittenUses()
        let digest = try #require(BodyDigest(Samples.body(32, 1)))
        func entry(_ number: Int64) -> StoredEntry {
            StoredEntry(
                id: .init(rawValue: number), key: Samples.key("\(number)"), response: Samples.response("v1"),
                bodyDigest: digest, bodyLength: .zero, inlineBody: [])
        }
        var now = Samples.time
        var asked = 0
        for number in 0..<10_000 {
            now = now + .seconds(1)
            guard uses.add([entry(Int64(number % 500))], at: now, mattersSoon: true) else { continue }
            asked += 1
            _ = uses.beginWriting()
            uses.endWriting(succeeded: false)
        }
        #expect(asked == 3)
        #expect(uses.all.count == 500)
    }
}
