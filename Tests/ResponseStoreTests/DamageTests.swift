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
            "segment = 'abc'", "segment = 0", "segment = 99", "segment = 4294967296", "offset = -1", "offset = x'00'",
            "offset = offset + 8", "offset = 1000000", "length = 0", "length = length - 1", "length = 'long'",
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
    }

    @Test("a flipped bit anywhere in a segment costs at most one entry", arguments: 0..<60)
    func flippedBit(_ round: Int) async throws {
        for number in 0..<8 { try await store.put(Samples.body(2_000 + number, UInt8(number)), "\(number)") }
        let path = directory.store + "/" + (try #require(directory.files().first { $0.hasPrefix("segments/") }))
        var bytes = try #require(FileManager.default.contents(atPath: path))
        var random = SplitMix64(seed: UInt64(round))
        let place = Int.random(in: Segment.headerLength..<bytes.count, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try bytes.write(to: URL(fileURLWithPath: path))
        let reopened = try DiskResponseStore(directory: directory.store, durability: .process)
        var lost = 0
        for number in 0..<8 {
            guard let body = try await reopened.body("\(number)") else {
                lost += 1
                continue
            }
            #expect(body == Samples.body(2_000 + number, UInt8(number)))
        }
        #expect(lost <= 1)
        try await reopened.flush()
        #expect(try await reopened.usage().entries == 8 - lost)
        try await reopened.put([9], "new")
        #expect(try await reopened.body("new") == [9])
    }

    @Test("a flipped bit in a large body is found before its block is read, and costs that body", arguments: 0..<12)
    func flippedBitInFile(_ round: Int) async throws {
        // Up to 2 MiB it is found when the body is opened, in longer bodies when the block is read.
        let body = (0..<(round % 2 == 0 ? 300_000 : 3_000_000)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 251) }
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
