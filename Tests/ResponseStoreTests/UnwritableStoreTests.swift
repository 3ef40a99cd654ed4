import CacheTesting
import Foundation
import GRDB
import HTTPCacheSemantics
import Testing

@testable import ResponseStore

@Suite("A store that can't be written is read", .enabled(if: UnwritableDirectory.isPossible))
struct UnwritableStoreTests {
    /// The files that the last writing process left.
    enum End: CaseIterable, Sendable {
        /// Everything in the index.
        case clean
        /// A write-ahead log with its shared memory.
        case killed
        /// A write-ahead log without shared memory, as in a copy.
        case killedAndCopied
    }

    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ path: String? = nil) throws -> DiskResponseStore {
        try DiskResponseStore(directory: path ?? directory.store, durability: .process)
    }

    /// A store with three responses, one of them with a large body.
    private func leave(_ end: End) async throws {
        let made = end == .clean ? directory.store : directory.path + "/made"
        let store = try open(made)
        try await store.put(Samples.body(100, 1), "small")
        try await store.put(Samples.body(100_000, 2), "large")
        try await store.index.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try await store.put(Samples.body(200, 3), "last")
        try await store.distrust("liar.example", at: Samples.time)
        // The files of a store in use, which a killed process leaves.
        if end != .clean { try FileManager.default.copyItem(atPath: made, toPath: directory.store) }
        if end == .killedAndCopied { try FileManager.default.removeItem(atPath: directory.store + "/index.sqlite-shm") }
        try store.index.close()
        if end != .clean {
            let log = try FileManager.default.attributesOfItem(atPath: directory.store + "/index.sqlite-wal")
            #expect((log[.size] as? Int) ?? 0 > 0)
        }
    }

    private func content(of part: String) -> [String: Data] {
        Dictionary(
            uniqueKeysWithValues: directory.files(in: part).map {
                ($0, FileManager.default.contents(atPath: directory.path + "/" + part + "/" + $0) ?? Data())
            })
    }

    @Test("look-ups, summaries, sizes and verification work, and no file changes", arguments: End.allCases)
    func reads(_ end: End) async throws {
        try await leave(end)
        let before = content(of: "store")
        let place = try UnwritableDirectory(of: directory.store)
        do {
            let store = try open(place.path)
            #expect(store.isReadOnly)
            for _ in 0..<3 {
                #expect(try await store.body("small") == Samples.body(100, 1))
                #expect(try await store.body("large") == Samples.body(100_000, 2))
                #expect(try await store.body("last") == Samples.body(200, 3))
                #expect(try await store.entries(for: Samples.key("none")).isEmpty)
            }
            #expect(try await store.searchVariants(of: Samples.key("small")).isEmpty)
            #expect(try await store.summaries(of: .everything, after: nil, limit: 9).count == 3)
            let unused = EntrySelection(unusedSince: Samples.time + .seconds(1))
            #expect(try await store.summaries(of: unused, after: nil, limit: 9).count == 3)
            #expect(try await store.usage().entries == 3)
            #expect(try await store.diskUsage() > ByteCount(100_000))
            #expect(try await store.verify().problems.isEmpty)
            #expect(store.distrustedHosts.keys.sorted() == ["liar.example"])
        }
        #expect(content(of: "store") == before)
        withExtendedLifetime(place) {}
    }

    @Test("every change fails with a typed error, and stored responses are still found", arguments: End.allCases)
    func changes(_ end: End) async throws {
        try await leave(end)
        let place = try UnwritableDirectory(of: directory.store)
        let store = try open(place.path)
        let entry = try #require(try await store.entries(for: Samples.key("small")).first)
        let key = Samples.key("small")
        let changes: [(String, @Sendable () async throws -> Void)] = [
            ("put", { try await store.put([1], "new") }),
            ("copy", { _ = try await store.commit(contentOf: entry, response: Samples.response("v2"), since: nil) }),
            ("update", { try await store.update(entry.id, key: key, response: Samples.response("v2")) }),
            ("remove", { try await store.removeEntries(for: key) }),
            ("remove all", { try await store.remove(.everything) }),
            ("remove unused", { try await store.remove(EntrySelection(unusedSince: Samples.time)) }),
            ("pin", { try await store.pin([key], for: "app") }),
            ("distrust", { try await store.distrust("b.example", at: Samples.time) }),
            ("note", { _ = try await store.noteContent(entry.bodyDigest, under: key, variant: "") }),
            ("flush", { try await store.flush() }),
            ("tidy", { _ = try await store.performMaintenance(at: Samples.time) }),
            ("sweep", { try await store.removeOrphans() }),
        ]
        for (name, change) in changes {
            let error = await storeError(change)
            #expect(error?.code == .writeFailed, "\(name): \(String(describing: error))")
            #expect(try await store.body("small") == Samples.body(100, 1), "\(name)")
        }
        #expect(try await store.usage().entries == 3)
        withExtendedLifetime(place) {}
    }

    @Test("a damaged file is an error that says so, a damaged row a miss", arguments: [End.clean])
    func damage(_ end: End) async throws {
        try await leave(end)
        let bodies = directory.store + "/bodies"
        let file = bodies + "/" + (try #require(FileManager.default.contentsOfDirectory(atPath: bodies).first))
        try Data(Samples.body(100_000, 9)).write(to: URL(fileURLWithPath: file))
        let index = URL(fileURLWithPath: directory.store + "/index.sqlite")
        var bytes = try Data(contentsOf: index)
        bytes[try #require(bytes.range(of: Data(Samples.body(100, 1)))).lowerBound] ^= 1
        try bytes.write(to: index)
        let place = try UnwritableDirectory(of: directory.store)
        let store = try open(place.path)
        for _ in 0..<2 {
            #expect(try await store.entries(for: Samples.key("small")).isEmpty)
            #expect(await storeError { _ = try await store.body("large") }?.code == .corruptEntry)
            #expect(try await store.body("last") == Samples.body(200, 3))
        }
        #expect(try await store.verify().problems.count == 2)
        withExtendedLifetime(place) {}
    }

    @Test("when it can be written again, the next change is made", arguments: End.allCases)
    func writableAgain(_ end: End) async throws {
        try await leave(end)
        let place = try UnwritableDirectory(of: directory.store)
        let store = try open(place.path)
        #expect(try await store.body("small") == Samples.body(100, 1))
        try place.allowWriting()
        try await store.put([7], "new")
        #expect(!store.isReadOnly)
        for (path, body) in [("new", [7]), ("small", Samples.body(100, 1)), ("large", Samples.body(100_000, 2))] {
            #expect(try await store.body(path) == body)
        }
        try await store.removeEntries(for: Samples.key("small"))
        #expect(try await store.entries(for: Samples.key("small")).isEmpty)
        #expect(try await store.verify().problems.isEmpty)
    }

    @Test(
        "what another process writes there is seen at once", .enabled(if: UnwritableDirectory.leavesOriginal),
        arguments: End.allCases)
    func othersWrite(_ end: End) async throws {
        try await leave(end)
        let place = try UnwritableDirectory(of: directory.store)
        let reader = try open(place.path)
        #expect(try await reader.body("small") == Samples.body(100, 1))
        for round in UInt8(1)...4 {
            do {
                let writer = try open()
                try await writer.put([round], "small")
                #expect(try await reader.body("small") == [round])
                #expect(try await reader.body("small") == [round])
                try await writer.put(Samples.body(90_000, round), "large")
                #expect(try await reader.body("large") == Samples.body(90_000, round))
                try await writer.removeEntries(for: Samples.key("last"))
                #expect(try await reader.entries(for: Samples.key("last")).isEmpty)
                if round % 2 == 0 { try writer.index.close() }
            }
            #expect(try await reader.body("small") == [round])
        }
        #expect(reader.isReadOnly)
        withExtendedLifetime(place) {}
    }

    @Test("if there is no store, or one that must be rebuilt, the error says so")
    func nothingToRead() async throws {
        try FileManager.default.createDirectory(atPath: directory.store, withIntermediateDirectories: true)
        do {
            let place = try UnwritableDirectory(of: directory.store)
            let error = await storeError { _ = try open(place.path) }
            #expect(error?.code == .directoryUnusable && error?.message.contains(place.path) == true)
        }
        do {
            let store = try open()
            try await store.put([1], "a")
            try await store.index.pool.write { try $0.execute(sql: "PRAGMA user_version = 3") }
            try store.index.close()
        }
        let place = try UnwritableDirectory(of: directory.store)
        #expect(await storeError { _ = try open(place.path) }?.code == .directoryUnusable)
    }
}
