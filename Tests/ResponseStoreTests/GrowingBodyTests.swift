import CacheTesting
import Foundation
import HTTPCacheSemantics
import Testing

@testable import ResponseStore

/// A film that arrives in parts, as a player requests it.
@Suite("Adding a part writes only that part")
struct GrowingBodyTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let partLength = 40_000

    /// Parts of a representation in which every byte depends on its offset.
    private struct Film {
        var parts: Int
        var order: [Int]

        var length: Int64 { Int64(parts * partLength) }

        func range(_ number: Int) -> Range<Int64> {
            Int64(number * partLength)..<Int64((number + 1) * partLength)
        }
    }

    enum Order: CaseIterable {
        case forwards, backwards, random

        func numbers(_ count: Int) -> [Int] {
            var random = SplitMix64(seed: 12)
            return switch self {
            case .forwards: Array(0..<count)
            case .backwards: (0..<count).reversed()
            case .random: (0..<count).shuffled(using: &random)
            }
        }
    }

    private func open(_ disk: any FileSystem = LocalFileSystem(synchronizes: false)) throws -> DiskResponseStore {
        try DiskResponseStore(
            directory: directory.store, memoryBudget: .mebibytes(1), budget: .init(), fileSystem: disk,
            durability: .process)
    }

    private static func response(_ extent: ContentExtent) -> StoredResponse {
        var response = Samples.response("film")
        response.extent = extent
        return response
    }

    private static func entry(_ store: DiskResponseStore) async throws -> StoredEntry {
        try #require(try await store.entries(for: Samples.key("film")).first)
    }

    /// Stores a part like an exchange.
    @discardableResult
    private static func add(_ part: Range<Int64>, of length: Int64, to store: DiskResponseStore) async throws
        -> StoredEntry?
    {
        let pending = try store.makePendingBody()
        try pending.append(PatternedContent.octets(part))
        guard let known = try await store.entries(for: Samples.key("film")).first else {
            let extent = try #require(ContentExtent(part, completeLength: length))
            return try await store.commit(pending, key: Samples.key("film"), response: response(extent))
        }
        let combination = try #require(Combination(known.response.extent, with: part, completeLength: length))
        return try await store.extend(
            known, with: pending, by: combination, response: response(combination.extent), since: nil)
    }

    /// Checks every stored byte by its offset.
    private static func check(_ store: DiskResponseStore, holds parts: [Range<Int64>]? = nil) async throws {
        let entry = try await entry(store)
        if let parts { #expect(entry.response.extent.parts == parts) }
        let content = try await store.open(entry)
        for part in entry.response.extent.parts ?? [0..<entry.bodyLength.bytes] {
            let regions = try #require(entry.response.extent.regions(of: part))
            let bytes = try regions.flatMap { try content.read(from: $0.lowerBound, upTo: $0.count) }
            #expect(bytes == PatternedContent.octets(part))
        }
        let problems = try await store.verify().problems
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test("in any order of parts, the written bytes are proportional to the received ones", arguments: Order.allCases)
    func costs(_ order: Order) async throws {
        let film = Film(parts: 120, order: order.numbers(120))
        let disk = CountedWrites()
        let store = try open(disk)
        for number in film.order.dropLast() {
            let before = disk.bytes
            try await Self.add(film.range(number), of: film.length, to: store)
            // The part, and a head with the places of all parts and a checksum for each block.
            #expect(disk.bytes - before < 2 * Int64(Self.partLength) + 8_192, "part \(number)")
        }
        try await Self.check(store)
        try await Self.add(film.range(film.order.last ?? 0), of: film.length, to: store)
        #expect(disk.bytes < film.length * 5 / 2, "\(disk.bytes) bytes were written for \(film.length)")
        let entry = try await Self.entry(store)
        #expect(entry.response.extent == .complete)
        var hasher = SHA256Hasher()
        hasher.update(PatternedContent.octets(0..<film.length))
        #expect(entry.bodyDigest == hasher.digest())
        try await Self.check(store)
        #expect(directory.files(in: "store/bodies").count == 1)
        #expect(directory.files(in: "store/incoming").isEmpty)
        let usage = StoreUsage(entries: 1, bodies: 1, bodyBytes: .init(film.length))
        #expect(try await store.usage().hasSameContent(as: usage))
    }

    @Test("the next process takes over the growing body of an ended one, and never two at once")
    func takenOver() async throws {
        let film = Film(parts: 40, order: [])
        var disk = CountedWrites()
        var store = try open(disk)
        for number in 0..<20 { try await Self.add(film.range(number), of: film.length, to: store) }
        // As if that process had ended.
        try await store.index.pool.write { try $0.execute(sql: "UPDATE body SET writer = '999999999.x.y'") }
        disk = CountedWrites()
        store = try open(disk)
        try await Self.add(film.range(20), of: film.length, to: store)
        #expect(disk.bytes < 2 * Int64(Self.partLength) + 8_192)
        // The other store of this process is open: this one makes a copy and continues with that.
        disk = CountedWrites()
        let other = try open(disk)
        try await Self.add(film.range(21), of: film.length, to: other)
        #expect(disk.bytes > film.range(21).lowerBound)
        let before = disk.bytes
        try await Self.add(film.range(22), of: film.length, to: other)
        #expect(disk.bytes - before < 2 * Int64(Self.partLength) + 8_192)
        try await Self.check(other, holds: [0..<film.range(23).lowerBound])
        try await Self.check(store, holds: [0..<film.range(23).lowerBound])
        #expect(directory.files(in: "store/bodies").count == 1)
    }

    @Test(
        "a disk that is full in the middle of a part leaves what was there, and the next part is written over the rest")
    func fullDisk() async throws {
        let film = Film(parts: 20, order: [])
        let disk = CountedWrites()
        let store = try open(disk)
        for number in 0..<5 { try await Self.add(film.range(number), of: film.length, to: store) }
        disk.setRoom(1_000)
        await #expect(throws: StoreError.self) {
            try await Self.add(film.range(5), of: film.length, to: store)
        }
        disk.setRoom(.max)
        try await Self.check(store, holds: [0..<film.range(5).lowerBound])
        try await Self.add(film.range(7), of: film.length, to: store)
        try await Self.check(store, holds: [0..<film.range(5).lowerBound, film.range(7)])
        #expect(try await store.removeOrphans() == 0)
        try await Self.check(store, holds: [0..<film.range(5).lowerBound, film.range(7)])
    }

    @Test("readers of the former content are not disturbed, until the end")
    func readers() async throws {
        let film = Film(parts: 10, order: [])
        let store = try open()
        for number in 0..<5 { try await Self.add(film.range(number), of: film.length, to: store) }
        let early = try await Self.entry(store)
        let content = try await store.open(early)
        for number in 5..<10 { try await Self.add(film.range(number), of: film.length, to: store) }
        #expect(content.length.bytes == film.range(5).lowerBound)
        #expect(try content.read(from: 0, upTo: 1_000_000) == PatternedContent.octets(0..<film.range(5).lowerBound))
        let again = try await store.open(early)
        #expect(try again.read(from: 0, upTo: 1_000_000) == PatternedContent.octets(0..<film.range(5).lowerBound))
        try await store.removeEntries(for: Samples.key("film"))
        #expect(try content.read(from: 0, upTo: 1_000_000) == PatternedContent.octets(0..<film.range(5).lowerBound))
        #expect(directory.files(in: "store/bodies").isEmpty)
    }

    @Test("content that two variants share is not extended under one of them")
    func sharedByVariants() async throws {
        let film = Film(parts: 10, order: [])
        let store = try open()
        for number in 0..<4 { try await Self.add(film.range(number), of: film.length, to: store) }
        let entry = try await Self.entry(store)
        var other = entry.response
        other.nominatedFields = NominatedFields(values: ["accept": "b"])
        _ = try await store.commit(contentOf: entry, response: other, since: nil)
        let pending = try store.makePendingBody()
        try pending.append(PatternedContent.octets(film.range(4)))
        let combination = try #require(Combination(entry.response.extent, with: film.range(4), completeLength: nil))
        _ = try await store.extend(
            entry, with: pending, by: combination, response: Self.response(combination.extent), since: nil)
        let entries = try await store.entries(for: Samples.key("film"))
        #expect(entries.count == 2)
        for entry in entries {
            let content = try await store.open(entry)
            #expect(try content.read(from: 0, upTo: 1_000_000) == PatternedContent.octets(0..<entry.bodyLength.bytes))
        }
        #expect(try await store.verify().problems.isEmpty)
    }

    @Test("damage in the block that a part continues is found, and the damaged body is dropped")
    func damaged() async throws {
        let film = Film(parts: 10, order: [])
        let store = try open()
        for number in 0..<4 { try await Self.add(film.range(number), of: film.length, to: store) }
        let file = directory.store + "/bodies/" + (try #require(directory.files(in: "store/bodies").first))
        var bytes = try #require(FileManager.default.contents(atPath: file))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        let error = await storeError { try await Self.add(film.range(4), of: film.length, to: store) }
        #expect(error?.code == .corruptEntry)
        #expect(try await store.entries(for: Samples.key("film")).isEmpty)
    }

    @Test("parts survive reopening, and more are added", arguments: [7, 10])
    func reopened(parts: Int) async throws {
        let film = Film(parts: 10, order: [])
        do {
            let store = try open()
            for number in 0..<parts { try await Self.add(film.range(number), of: film.length, to: store) }
            try store.index.close()
        }
        let store = try open()
        try await Self.check(store)
        #expect(try await store.removeOrphans() == 0)
        for number in parts..<10 { try await Self.add(film.range(number), of: film.length, to: store) }
        try await Self.check(store)
        #expect(try await Self.entry(store).response.extent == .complete)
        #expect(directory.files(in: "store/bodies").count == 1)
    }

    @Test("concurrent parts: each is stored or not, and no bytes are mixed")
    func atOnce() async throws {
        let film = Film(parts: 30, order: [])
        let store = try open()
        try await Self.add(film.range(0), of: film.length, to: store)
        try await Self.add(film.range(1), of: film.length, to: store)
        await withTaskGroup(of: Void.self) { group in
            for number in 2..<30 {
                // A part is not stored if the response that it was joined with has changed.
                group.addTask { _ = try? await Self.add(film.range(number), of: film.length, to: store) }
            }
            await group.waitForAll()
        }
        try await Self.check(store)
    }

    @Test("parts beyond the budget are refused, and the stored ones stay")
    func budget() async throws {
        let film = Film(parts: 40, order: [])
        let store = try DiskResponseStore(
            directory: directory.store, budget: StoreBudget(total: .mebibytes(1)), durability: .process)
        for number in 0..<6 { try await Self.add(film.range(number), of: film.length, to: store) }
        let error = await storeError { try await Self.add(film.range(6), of: film.length, to: store) }
        #expect(error?.code == .writeFailed)
        try await Self.check(store, holds: [0..<film.range(6).lowerBound])
    }
}
