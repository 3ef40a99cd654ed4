import CacheTesting
import Foundation
import Testing

@testable import ResponseStore

@Suite("Damage on disk costs one body, never the store")
struct DamageTests {
    let directory: TemporaryDirectory
    let store: DiskResponseStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try DiskResponseStore(directory: directory.store, durability: .process)
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
        let usage = StoreUsage(entries: 2, bodies: 2, bodyBytes: .init(Int64(100_050)))
        #expect(try await store.usage().hasSameContent(as: usage))
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

    @Test("every entry that shares a damaged body is dropped, so that none is found and then missing")
    func dropsAllSharers() async throws {
        try await store.put(Samples.body(100_000, 1), "one")
        try await store.put(Samples.body(100_000, 1), "two")
        _ = try await store.entries(for: Samples.key("two"))
        try await damage("one", .truncated)
        let entry = try #require(try await store.entries(for: Samples.key("one")).first)
        _ = await storeError { _ = try await store.open(entry) }
        #expect(try await store.entries(for: Samples.key("two")).isEmpty)
        let usage = StoreUsage(entries: 0, bodies: 0, bodyBytes: .zero)
        #expect(try await store.usage().hasSameContent(as: usage))
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

    @Test("opening an entry that was replaced meanwhile does not remove its successor")
    func replacedMeanwhile() async throws {
        let old = try await store.put(Samples.body(100_000, 1), "a", "v1")
        try await store.put(Samples.body(100_000, 2), "a", "v2")
        _ = await storeError { _ = try await store.open(old) }
        #expect(try await store.body("a") == Samples.body(100_000, 2))
    }

    @Test("files without an entry are removed, and only those")
    func orphans() async throws {
        try await store.put(Samples.body(100_000, 1), "a")
        let bodies = directory.files(in: "store/bodies")
        let orphan = directory.store + "/bodies/" + String(repeating: "c", count: 64)
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
        "an invalid row is ignored",
        arguments: [
            "head = 'abc'", "head = 7", "head = x''", "head = x'00'", "head = substr(head, 2)",
            "head = zeroblob(length(head))", "head = (SELECT head FROM entry WHERE uri LIKE '%/good')",
        ])
    func senselessRow(_ change: String) async throws {
        try await store.put([1, 2, 3], "bad")
        try await store.put([1, 2, 3], "good")
        try await store.index.pool.write { database in
            try database.execute(sql: "UPDATE entry SET \(change) WHERE uri LIKE '%/bad'")
        }
        #expect(try await store.entries(for: Samples.key("bad")).isEmpty)
        try await store.flush()
        #expect(try await store.usage().entries == 1)
        #expect(try await store.body("good") == [1, 2, 3])
        try await store.put([4], "bad")
        #expect(try await store.body("bad") == [4])
        #expect(try await store.verify().problems.isEmpty)
    }

    @Test(
        "a damaged body in a row costs its entries, and the same bytes replace it",
        arguments: [
            "bytes = x'010204'", "bytes = NULL", "bytes = 'abc'", "checksums = x''", "checksums = zeroblob(8)",
            "length = 2", "length = 'long'", "digest = zeroblob(32)",
        ])
    func damagedBody(_ change: String) async throws {
        for path in ["bad", "same"] { try await store.put([1, 2, 3], path) }
        try await store.put([4], "good")
        try await store.index.pool.write { database in
            try database.execute(sql: "UPDATE body SET \(change) WHERE length = 3")
        }
        #expect(try await store.entries(for: Samples.key("bad")).isEmpty)
        try await store.put([1, 2, 3], "again")
        for path in ["bad", "same"] {
            let body = try await store.body(path)
            #expect(body == nil || body == [1, 2, 3])
        }
        #expect(try await store.body("again") == [1, 2, 3])
        #expect(try await store.body("good") == [4])
        #expect(try await store.verify().problems.isEmpty)
    }

    /// After a loss of some pages a row of the index can lead to another's.
    @Test(
        "no change makes the body to which a damaged row leads its entry's own",
        arguments: ["update", "copy", "move"],
        ["body = (SELECT body FROM entry WHERE uri LIKE '%/other')", "head = x'00'"])
    func foreignBody(_ change: String, _ damage: String) async throws {
        let entry = try await store.put([1, 2, 3], "bad")
        let other = try await store.put([4], "other")
        try await store.index.pool.write { database in
            try database.execute(sql: "UPDATE entry SET \(damage) WHERE uri LIKE '%/bad'")
        }
        switch change {
        case "update": try await store.update(entry.id, key: entry.key, response: other.response)
        case "copy": _ = try await store.commit(contentOf: entry, response: other.response, since: nil)
        default:
            _ = try await store.move([StoredMove(entry, to: Samples.key("new"), response: other.response, since: nil)])
        }
        let reopened = try DiskResponseStore(directory: directory.store, durability: .process)
        for path in ["bad", "new"] { #expect(try await reopened.body(path) == nil) }
        #expect(try await reopened.body("other") == [4])
        #expect(try await reopened.verify().problems.isEmpty)
    }

    @Test("a flipped bit in a stored body costs that entry", arguments: 0..<16)
    func flippedBit(_ round: Int) async throws {
        for number in 0..<8 { try await store.put(Samples.body(2_000 + number, UInt8(100 + number)), "\(number)") }
        try store.index.close()
        let index = URL(fileURLWithPath: directory.store + "/index.sqlite")
        var bytes = try Data(contentsOf: index)
        let stored = Data(Samples.body(2_000, UInt8(100 + round % 8)))
        bytes[try #require(bytes.range(of: stored)).lowerBound + round * 120] ^= 1 << (round % 7)
        try bytes.write(to: index)
        let reopened = try DiskResponseStore(directory: directory.store, durability: .process)
        for number in 0..<8 {
            let expected = number == round % 8 ? nil : Samples.body(2_000 + number, UInt8(100 + number))
            #expect(try await reopened.body("\(number)") == expected)
        }
        try await reopened.flush()
        #expect(try await reopened.usage().entries == 7)
        #expect(try await reopened.verify().problems.isEmpty)
    }

    @Test("with a flipped bit anywhere in the index nothing wrong is served, and the store goes on", arguments: 0..<40)
    func flippedBitAnywhere(_ round: Int) async throws {
        for number in 0..<8 { try await store.put(Samples.body(2_000 + number, UInt8(number)), "\(number)") }
        try store.index.close()
        let index = URL(fileURLWithPath: directory.store + "/index.sqlite")
        var bytes = try Data(contentsOf: index)
        var random = SplitMix64(seed: UInt64(round))
        // Its first hundred bytes say whose it is.
        let place = Int.random(in: 100..<bytes.count, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try bytes.write(to: index)
        let reopened = try DiskResponseStore(directory: directory.store, durability: .process)
        _ = try await reopened.removeOrphans()
        for number in 0..<8 {
            let body = try await reopened.body("\(number)")
            #expect(body == nil || body == Samples.body(2_000 + number, UInt8(number)), "\(place)")
        }
        try await reopened.put([9], "new")
        #expect(try await reopened.body("new") == [9])
    }

    /// A second connection waited for the locks that the first one holds until it closes.
    @Test("an index that is cut while the store is open begins anew at the next look-up", arguments: [0, 100, 5_000])
    func cutWhileOpen(_ length: Int) async throws {
        for number in 0..<200 { try await store.put(Samples.body(2_000 + number, 1), "\(number)") }
        try store.index.close()
        let reopened = try DiskResponseStore(directory: directory.store, durability: .process)
        for number in 0..<3 { #expect(try await reopened.entries(for: Samples.key("none\(number)")).isEmpty) }
        try await reopened.index.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        #expect(truncate(directory.store + "/index.sqlite", length) == 0)
        for number in 0..<200 {
            let body = try await reopened.body("\(number)")
            #expect(body == nil || body == Samples.body(2_000 + number, 1))
        }
        try await reopened.put([2], "new")
        #expect(try await reopened.body("new") == [2])
        #expect(try await reopened.verify().problems.isEmpty)
    }

    @Test("a flipped bit in a large body is found before its block is read, and costs that body", arguments: 0..<12)
    func flippedBitInFile(_ round: Int) async throws {
        // Up to 2 MiB it is found when the body is opened, in longer bodies when the block is read.
        let body = PatternedContent.octets(round % 2 == 0 ? 300_000 : 3_000_000)
        try await store.put(body, "bad")
        try await store.put(Samples.body(100_000, 2), "good")
        let path = try await bodyPath("bad")
        var bytes = try #require(FileManager.default.contents(atPath: path))
        let place = (round * 226_111) % bytes.count
        bytes[place] ^= 4
        try bytes.write(to: URL(fileURLWithPath: path))
        let reopened = try DiskResponseStore(directory: directory.store, durability: .process)
        let entry = try #require(try await reopened.entries(for: Samples.key("bad")).first)
        guard round % 2 == 1 else {
            let error = await storeError { _ = try await reopened.open(entry) }
            #expect(error?.code == .corruptEntry)
            #expect(try await reopened.entries(for: Samples.key("bad")).isEmpty)
            #expect(try await reopened.body("good") == Samples.body(100_000, 2))
            return
        }
        guard case .file(let file) = try await reopened.open(entry) else {
            Issue.record("a large body is no file")
            return
        }
        var offset: Int64 = 0
        var isFound = false
        while offset < file.length.bytes {
            let error = Result { try file.read(from: offset, upTo: 50_000) }
            guard case .success(let piece) = error else {
                isFound = true
                break
            }
            #expect(piece.elementsEqual(body[Int(offset)..<Int(offset) + piece.count]))
            offset += Int64(piece.count)
        }
        #expect(isFound)
        #expect(throws: StoreError.self) { try file.verify(Int64(place)..<Int64(place) + 1) }
        // The task that finds the damage drops the entry.
        await reopened.dropBody(entry.bodyDigest)
        #expect(try await reopened.entries(for: Samples.key("bad")).isEmpty)
        #expect(try await reopened.body("good") == Samples.body(100_000, 2))
    }
}
