import HTTPCacheSemantics
import Testing

@testable import ResponseStore

@Suite("The memory tier in front of the disk", .timeLimit(.minutes(2)))
struct MemoryTierTests {
    let directory: TemporaryDirectory
    let store: DiskResponseStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try DiskResponseStore(directory: directory.store)
    }

    @Test("answers without the index, until a change of the key")
    func answersAlone() async throws {
        let entry = try await store.put([1], "a", "v1")
        _ = try await store.entries(for: Samples.key("a"))
        // Behind the store's back, so that only the tier can still know the entry.
        try await store.pool.write { try $0.execute(sql: "DELETE FROM entry") }
        #expect(try await store.entries(for: Samples.key("a")).map(\.id) == [entry.id])
        try await store.update(entry.id, key: Samples.key("a"), response: Samples.response("v1"))
        #expect(try await store.entries(for: Samples.key("a")).isEmpty)
    }

    @Test("never answers with what a finished commit has replaced", arguments: [10, 40_000])
    func concurrentReads(_ size: Int) async throws {
        let rounds = 150
        let written = WrittenRound()
        try await store.put(Samples.body(size, 0), "a", "0")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    while true {
                        let before = await written.value
                        guard before < rounds else { return }
                        let entry = try #require(try await store.entries(for: Samples.key("a")).first)
                        let tag = try #require(entry.response.fields[.eTag])
                        let round = try #require(Int(tag.dropFirst().dropLast()))
                        #expect(round >= before, "round \(round) was read after round \(before) was stored")
                        // Reading from the tier never waits, so without this the writer would not get a turn.
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                for round in 1...rounds {
                    try await store.put(Samples.body(size, UInt8(round)), "a", "\(round)")
                    await written.finish(round)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.body("a") == Samples.body(size, UInt8(rounds)))
    }

    @Test("a read that began before a commit does not put the old entry back")
    func slowRead() async throws {
        try await store.put([1], "a", "v1")
        for round in 2...60 {
            async let reading = store.entries(for: Samples.key("a"))
            try await store.put([UInt8(round)], "a", "v\(round)")
            _ = try await reading
            #expect(try await store.body("a") == [UInt8(round)])
        }
    }

    @Test("a removed key stays removed, whoever reads meanwhile")
    func removal() async throws {
        for _ in 0..<40 {
            try await store.put([1], "a")
            async let reading = store.entries(for: Samples.key("a"))
            try await store.removeEntries(for: Samples.key("a"))
            _ = try await reading
            #expect(try await store.entries(for: Samples.key("a")).isEmpty)
        }
    }
}
