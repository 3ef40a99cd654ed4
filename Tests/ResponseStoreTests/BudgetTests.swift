import CacheTesting
import Foundation
import GRDB
import HTTPCacheSemantics
import Testing

@testable import ResponseStore

@Suite("The budget holds, and responses in use stay")
struct BudgetTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ budget: StoreBudget) throws -> DiskResponseStore {
        try DiskResponseStore(directory: directory.store, budget: budget, durability: .process)
    }

    /// The stored total, and the sum of the tables.
    private func account(_ store: DiskResponseStore) async throws -> (kept: Int64, counted: Int64, writers: Int64) {
        try await store.index.pool.read { database in
            func number(_ sql: String) throws -> Int64 { try Int64.fetchOne(database, sql: sql) ?? -1 }
            return (
                try number("SELECT bytes FROM totals"),
                try number("SELECT (SELECT sum(length(head)) FROM entry) + (SELECT sum(length) FROM body)"),
                try number("SELECT (SELECT sum(bytes) FROM quota_scope) - (SELECT sum(size) FROM score)")
            )
        }
    }

    /// The space of a file on the disk in bytes.
    private static func allocatedSize(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_blocks) * 512 : 0
    }

    private func body(_ number: Int, _ count: Int = 10_000) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) } + Samples.body(count - 8, 1)
    }

    @Test("the counted bytes are the stored bytes, whatever is stored, replaced, shared and removed")
    func exact() async throws {
        let store = try open(StoreBudget(total: .mebibytes(64)))
        var random = SplitMix64(seed: 4)
        for _ in 0..<300 {
            let path = "\(Int.random(in: 0..<20, using: &random))"
            let length = [100, 10_000, 100_000].randomElement(using: &random) ?? 8
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try await store.removeEntries(for: Samples.key(path))
            case 1:
                guard let entry = try await store.entries(for: Samples.key(path)).first else { continue }
                try await store.update(entry.id, key: entry.key, response: Samples.response("longer label \(length)"))
            case 2:
                guard let entry = try await store.entries(for: Samples.key(path)).first else { continue }
                let variant = Samples.response("copy", nominated: ["lang": "\(length)"])
                _ = try await store.commit(contentOf: entry, response: variant, since: nil)
            default:
                try await store.put(
                    body(Int.random(in: 0..<6, using: &random), length), path,
                    nominated: Bool.random(using: &random) ? ["lang": "de"] : [:])
            }
        }
        let account = try await account(store)
        #expect(account.kept == account.counted)
        #expect(account.writers == 0)
    }

    @Test("a store never exceeds its budget, and its files free the space")
    func holds() async throws {
        let limit = ByteCount(Int64(1_000_000))
        let store = try open(StoreBudget(total: limit))
        for number in 0..<300 { try await store.put(body(number, number % 7 == 0 ? 90_000 : 10_000), "\(number)") }
        try await store.flush()
        let account = try await account(store)
        #expect(account.kept <= limit.bytes && account.kept > limit.bytes / 2)
        #expect(account.kept == account.counted)
        let allocated = directory.files().filter { $0 == "index.sqlite" || $0.hasPrefix("bodies/") }
            .reduce(Int64(0)) { $0 + Self.allocatedSize(directory.store + "/" + $1) }
        // Pages that are partly used, and what the index has beside heads and bodies.
        #expect(allocated < limit.bytes * 2, "\(allocated)")
        #expect(try await store.body("299") == body(299))
    }

    @Test("responses that are used often outlive others")
    func usesCount() async throws {
        let store = try open(StoreBudget(total: ByteCount(Int64(500_000))))
        for number in 0..<20 { try await store.put(body(number), "page/\(number)") }
        for number in 0..<400 {
            if number % 20 == 0 {
                for page in 0..<20 { _ = try await store.entries(for: Samples.key("page/\(page)")) }
            }
            try await store.put(body(1_000 + number), "scan/\(number)")
        }
        for page in 0..<20 { #expect(try await store.body("page/\(page)") != nil, "\(page)") }
    }

    @Test("a pinned response stays until its last holder lets it go")
    func pins() async throws {
        let store = try open(StoreBudget(total: ByteCount(Int64(300_000))))
        try await store.put(body(0), "pinned")
        let key = Samples.key("pinned")
        for holder in ["one", "one", "two"] { try await store.pin([key], for: holder) }
        func flood(_ start: Int) async throws {
            for number in start..<start + 100 {
                try await store.put(body(number), "\(number)")
                _ = try await store.entries(for: Samples.key("\(number)"))
            }
        }
        try await flood(1)
        #expect(try await store.body("pinned") == body(0))
        // A replacement keeps the pins, also where it was invalidated before.
        try await store.removeEntries(for: key)
        try await store.put(body(-1), "pinned")
        try await store.unpin([key], for: "two")
        try await flood(200)
        #expect(try await store.body("pinned") == body(-1))
        try await store.unpin([key], for: "one")
        try await flood(400)
        #expect(try await store.body("pinned") == nil)
    }

    @Test("a response that replaces others with other nominated fields is pinned as they were")
    func inheritedPins() async throws {
        let store = try open(StoreBudget(total: .mebibytes(4)))
        var old: [StoredEntry] = []
        for language in ["de", "en"] {
            old.append(try await store.put(body(0), "a", nominated: ["accept-language": language]))
        }
        for holder in ["one", "two"] { try await store.pin([Samples.key("a")], for: holder) }
        let new = try await store.put(body(1), "a", nominated: ["accept-language": "fr"])
        try await store.discard(old)
        let summaries = try await store.summaries(of: .everything, after: nil, limit: 10)
        #expect(summaries.map(\.id) == [new.id] && summaries.map(\.pins) == [2])
    }

    @Test("a host or an account does not exceed its share, and evicts no other's responses")
    func quotas() async throws {
        let store = try open(
            StoreBudget(total: .mebibytes(8), host: ByteCount(Int64(100_000)), partition: ByteCount(Int64(150_000))))
        func put(_ number: Int, _ host: String, _ partition: String) async throws {
            let pending = try store.makePendingBody()
            try pending.append(body(number))
            let key = CacheKey(partition: partition, uri: "https://\(host)/\(number)")
            _ = try await store.commit(pending, key: key, response: Samples.response("v1"))
        }
        try await put(1, "quiet.test", "a")
        for number in 10..<60 { try await put(number, "loud.test", "b") }
        for number in 60..<110 { try await put(number, "other.test", "b") }
        let writers = try await store.index.pool.read { database in
            try Row.fetchAll(database, sql: "SELECT partition || '/' || host, bytes FROM quota_scope ORDER BY 1")
                .map { ($0[0] as String, $0[1] as Int64) }
        }
        #expect(writers.map(\.0) == ["a/quiet.test", "b/loud.test", "b/other.test"])
        #expect(writers[0].1 > 10_000)
        #expect(writers[1].1 <= 100_000 && writers[2].1 <= 100_000)
        #expect(writers[1].1 + writers[2].1 <= 150_000 && writers[1].1 + writers[2].1 > 100_000)
    }

    @Test("a share that one response exceeds by more than is evicted at once holds soon", arguments: [true, false])
    func crowded(_ isHost: Bool) async throws {
        let limit = ByteCount(Int64(1_000_000))
        let store = try open(
            StoreBudget(total: .mebibytes(8), host: isHost ? limit : nil, partition: isHost ? nil : limit))
        for number in 0..<900 { try await store.put(body(number, 1_000), "\(number)") }
        // Its pin keeps the large one itself from being evicted.
        try await store.put(body(1_000, 1_000), "large")
        try await store.pin([Samples.key("large")], for: "app")
        try await store.put(body(1_000, 200_000), "large")
        // Rounds of eviction follow each other; no other response is stored meanwhile.
        while try await store.index.pool.read({ try Int64.fetchOne($0, sql: "SELECT bytes FROM quota_scope") ?? 0 })
            > limit.bytes
        { await Task.yield() }
        #expect(try await store.body("large") == body(1_000, 200_000))
    }

    @Test("a response of more than a quarter of the budget is refused, and evicts nothing")
    func tooLong() async throws {
        let store = try open(StoreBudget(total: ByteCount(Int64(100_000))))
        try await store.put(body(1), "a")
        let error = await storeError { try await store.put(body(2, 25_001), "b") }
        #expect(error?.code == .writeFailed)
        #expect(try await store.body("a") == body(1))
        #expect(directory.files(in: "store/incoming").isEmpty)
    }

    /// Its end may never come, so the limit holds while it arrives.
    @Test("content on its way that is too long leaves the disk once nobody reads it, beside others that fit")
    func tooLongOnItsWay() async throws {
        let store = try open(StoreBudget(total: .mebibytes(4)))
        #expect(store.longestBody == .mebibytes(1))
        let piece = [UInt8](repeating: 7, count: 100_000)
        let endless = try store.makePendingBody()
        let error = await storeError { while true { try endless.append(piece) } }
        #expect(error?.code == .writeFailed && error?.message.contains("1.0 MB") == true)
        #expect(try endless.read(from: 0, upTo: 10) == Array(piece[..<10]), "others may read it still")
        endless.giveUp()
        #expect(directory.files(in: "store/incoming").isEmpty)
        #expect(await storeError { try endless.append([1]) } != nil)
        let good = try store.makePendingBody()
        for _ in 0..<10 { try good.append(piece) }
        _ = try await store.commit(good, key: Samples.key("good"), response: Samples.response("v1"))
        #expect(throws: StoreError.self) { try store.makePendingBody(forLength: 1_048_577) }
        _ = try store.makePendingBody(forLength: 1_048_576)
    }

    @Test("content on its way has the budget for all together, and what is given up makes room")
    func allOnTheirWay() async throws {
        let store = try open(StoreBudget(total: .mebibytes(4)))
        let piece = [UInt8](repeating: 7, count: 1_000_000)
        var bodies: [any PendingBody] = []
        let error = await storeError {
            while true {
                let body = try store.makePendingBody()
                try body.append(piece)
                bodies.append(body)
            }
        }
        #expect(bodies.count == 4 && error?.code == .writeFailed)
        #expect(directory.files(in: "store/incoming").count == 4)
        bodies.removeLast()
        #expect(directory.files(in: "store/incoming").count == 3)
        try store.makePendingBody().append(piece)
    }

    @Test("a smaller budget at the next opening is met, many entries at a time")
    func smaller() async throws {
        do {
            let store = try open(StoreBudget(total: .mebibytes(64)))
            for number in 0..<400 { try await store.put(body(number, 2_000), "\(number)") }
        }
        let store = try open(StoreBudget(total: ByteCount(Int64(100_000))))
        try await store.put(body(1_000), "new")
        for _ in 0..<20 { try await store.flush() }
        let account = try await account(store)
        #expect(account.kept <= 100_000 && account.kept > 50_000 && account.kept == account.counted)
    }

    @Test("releasing memory loses no entry")
    func memory() async throws {
        let store = try open(StoreBudget())
        try await store.put(body(1), "a")
        _ = try await store.entries(for: Samples.key("a"))
        #expect(store.cachedEntries(for: Samples.key("a")) != nil)
        store.releaseMemory()
        #expect(store.cachedEntries(for: Samples.key("a")) == nil)
        #expect(try await store.body("a") == body(1))
    }
}
