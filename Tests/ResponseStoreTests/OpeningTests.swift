import CacheTesting
import Foundation
import GRDB
import Testing

@testable import ResponseStore

@Suite("Opening a store on disk")
struct OpeningTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("everything survives closing and opening again")
    func survivesReopening() async throws {
        let given = Samples.response("v1", nominated: ["accept": "text/html", "dnt": nil])
        do {
            let store = try DiskResponseStore(directory: directory.store, durability: .process)
            try await store.put(Samples.body(100, 1), "small", nominated: ["accept": "text/html", "dnt": nil])
            try await store.put(Samples.body(100_000, 2), "large")
            try store.index.close()
        }
        let store = try DiskResponseStore(directory: directory.store, durability: .process)
        let small = try #require(try await store.entries(for: Samples.key("small")).first)
        #expect(small.response == given)
        #expect(try await store.body("small") == Samples.body(100, 1))
        #expect(try await store.body("large") == Samples.body(100_000, 2))
        let usage = StoreUsage(entries: 2, bodies: 2, bodyBytes: .init(Int64(100_100)))
        #expect(try await store.usage().hasSameContent(as: usage))
    }

    @Test("while another process holds the lock it is opened for reading, and written once the lock is free")
    func locked() async throws {
        do {
            let store = try DiskResponseStore(directory: directory.store, durability: .process)
            try await store.put(Samples.body(100, 1), "small")
            try store.index.close()
        }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: directory.store + "/index.sqlite", configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let store = try DiskResponseStore(directory: directory.store, durability: .process)
        #expect(store.isReadOnly)
        #expect(try await store.body("small") == Samples.body(100, 1))
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await store.put([2], "next")
        #expect(try await store.body("next") == [2] && !store.isReadOnly)
        try other.close()
    }

    @Test("a newer format is refused, and not one byte of it changes")
    func newerFormat() async throws {
        do {
            let store = try DiskResponseStore(directory: directory.store, durability: .process)
            try await store.put(Samples.body(100_000, 1), "a")
            try await store.index.pool.write { try $0.execute(sql: "PRAGMA user_version = \(IndexSchema.version + 1)") }
            try store.index.close()
        }
        try FileManager.default.createDirectory(
            atPath: directory.store + "/incoming/newer", withIntermediateDirectories: true)
        let leftover = directory.store + "/incoming/\(Int32.max).1.2"
        try Data([1]).write(to: URL(fileURLWithPath: leftover))
        func snapshot() -> [String: Data] {
            Dictionary(
                uniqueKeysWithValues: directory.files().map {
                    ($0, FileManager.default.contents(atPath: directory.store + "/" + $0) ?? Data())
                })
        }
        let before = snapshot()
        let error = await storeError { _ = try DiskResponseStore(directory: directory.store, durability: .process) }
        #expect(error?.code == .newerFormat)
        #expect(error?.message.contains(directory.store) == true)
        #expect(snapshot() == before)
    }

    @Test("a store of an earlier format is removed, and begun anew")
    func earlierFormat() async throws {
        do {
            let store = try DiskResponseStore(directory: directory.store, durability: .process)
            try await store.put(Samples.body(100_000, 1), "a")
            try await store.index.pool.write { try $0.execute(sql: "PRAGMA user_version = 5; DROP TABLE entry") }
            try store.index.close()
        }
        try FileManager.default.createDirectory(
            atPath: directory.store + "/segments", withIntermediateDirectories: false)
        try Data([1]).write(to: URL(fileURLWithPath: directory.store + "/segments/1"))
        let store = try DiskResponseStore(directory: directory.store, durability: .process)
        #expect(!store.isReadOnly)
        #expect(try await store.usage().entries == 0)
        #expect(!directory.files().contains { $0.hasPrefix("segments") || $0.hasPrefix("bodies/") })
        try await store.put([1], "a")
        #expect(try await store.body("a") == [1])
    }

    @Test("another application's database is refused and keeps its tables")
    func foreignDatabase() async throws {
        do {
            let store = try DiskResponseStore(directory: directory.store, durability: .process)
            try await store.index.pool.write { database in
                try database.execute(
                    sql: """
                        DROP TABLE entry; DROP TABLE body; CREATE TABLE notes (text TEXT);
                        PRAGMA user_version = 0; PRAGMA application_id = 7;
                        """)
            }
            try store.index.close()
        }
        let before = FileManager.default.contents(atPath: directory.store + "/index.sqlite")
        let error = await storeError { _ = try DiskResponseStore(directory: directory.store, durability: .process) }
        #expect(error?.code == .directoryUnusable)
        #expect(FileManager.default.contents(atPath: directory.store + "/index.sqlite") == before)
    }

    @Test("a directory that can't be created is an error with its path")
    func unusableDirectory() async throws {
        let file = directory.path + "/file"
        try Data("x".utf8).write(to: URL(fileURLWithPath: file))
        for path in [file, file + "/below"] {
            let error = await storeError { _ = try DiskResponseStore(directory: path, durability: .process) }
            #expect(error?.code == .directoryUnusable)
            #expect(error?.message.contains(path) == true)
        }
        #expect(FileManager.default.contents(atPath: file) == Data("x".utf8))
    }

    @Test("an index that is not a database is an error, not a crash")
    func damagedIndex() async throws {
        try FileManager.default.createDirectory(atPath: directory.store, withIntermediateDirectories: true)
        let noise = Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try noise.write(to: URL(fileURLWithPath: directory.store + "/index.sqlite"))
        let error = await storeError { _ = try DiskResponseStore(directory: directory.store, durability: .process) }
        #expect(error?.code == .directoryUnusable)
    }

    @Test("directories are 0700 and files 0600")
    func modes() async throws {
        let store = try DiskResponseStore(directory: directory.store, durability: .process)
        try await store.put(Samples.body(100_000, 1), "a")
        let pending = try store.makePendingBody()
        try pending.append(Samples.body(100_000, 2))
        for part in ["store", "store/bodies", "store/incoming"] { #expect(try directory.mode(part) == 0o700) }
        let files = directory.files()
        #expect(files.contains { $0.hasPrefix("bodies/") } && files.contains { $0.hasPrefix("incoming/") })
        for file in files {
            #expect(try directory.mode("store/" + file) == 0o600, "\(file)")
            let parent = ("store/" + file as NSString).deletingLastPathComponent
            #expect(try directory.mode(parent) == 0o700, "\(parent)")
        }
        withExtendedLifetime(pending) {}
    }

    @Test("an index that others could read is made private")
    func oldModes() async throws {
        do {
            let store = try DiskResponseStore(directory: directory.store, durability: .process)
            try store.index.close()
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: directory.store + "/index.sqlite")
        let store = try DiskResponseStore(directory: directory.store, durability: .process)
        try await store.put([1], "a")
        #expect(try directory.mode("store/index.sqlite") == 0o600)
    }

    @Test("bodies in transfer of ended processes are removed, those of running ones stay")
    func sweep() async throws {
        let first = try DiskResponseStore(directory: directory.store, durability: .process)
        let pending = try first.makePendingBody()
        try pending.append(Samples.body(100_000, 1))
        let own = directory.files(in: "store/incoming")
        #expect(own.count == 1)
        // No process has the greatest number; process 1 always runs; a file with our number but without our token is
        // from an earlier process with that number, as of the first process of a container.
        let dead = ["\(Int32.max).1.2", "\(SystemCalls.processID).1.2"]
        let kept = ["1.1.2", "README"]
        for name in dead + kept {
            try Data([1]).write(to: URL(fileURLWithPath: directory.store + "/incoming/" + name))
        }
        let second = try DiskResponseStore(directory: directory.store, durability: .process)
        #expect(directory.files(in: "store/incoming") == (own + kept).sorted())
        _ = try await first.commit(pending, key: Samples.key("a"), response: Samples.response("v1"))
        #expect(try await second.body("a") == Samples.body(100_000, 1))
    }
}
