import CacheTesting
import Foundation
import GRDB
import HTTPCacheSemantics
import Testing

@testable import ResponseStore

@Suite("Sites on the disk: part of the key, within the account")
struct SiteStorageTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ budget: StoreBudget = StoreBudget()) throws -> DiskResponseStore {
        try DiskResponseStore(directory: directory.store, budget: budget, durability: .process)
    }

    private static func key(_ account: String, _ site: String, _ path: String = "a") -> CacheKey {
        CacheKey(partition: account, site: site, uri: "https://example.com/\(path)")
    }

    private static func put(_ store: DiskResponseStore, _ key: CacheKey, _ count: Int = 100) async throws {
        let pending = try store.makePendingBody()
        try pending.append(Array(key.site.utf8) + Array(key.uri.utf8) + Samples.body(count, 1))
        _ = try await store.commit(pending, key: key, response: Samples.response("v1"))
    }

    struct Text: Sendable, CustomTestStringConvertible {
        var account: String
        var site: String
        var stored: String
        var testDescription: String { "\(Array(stored.utf8))" }
    }

    private static let texts: [Text] = [
        Text(account: "", site: "", stored: ""),
        // As stores of before have it.
        Text(account: "anna", site: "", stored: "anna"),
        Text(account: "a\u{1E}b\0", site: "", stored: "a\u{1E}b\0"),
        Text(account: "", site: "https://a.test", stored: "\u{1F}\u{1E}https://a.test"),
        Text(account: "anna", site: "https://a.test", stored: "anna\u{1F}\u{1E}https://a.test"),
        Text(account: "a\u{1F}b", site: "", stored: "a\u{1F}\u{1F}b"),
        Text(account: "a\u{1F}", site: "b", stored: "a\u{1F}\u{1F}\u{1F}\u{1E}b"),
        Text(account: "a", site: "\u{1F}\u{1E}b", stored: "a\u{1F}\u{1E}\u{1F}\u{1E}b"),
        Text(account: "a\u{1F}\u{1E}b", site: "", stored: "a\u{1F}\u{1F}\u{1E}b"),
    ]

    @Test("an account and a site are one text, and come back from it", arguments: texts)
    func roundTrip(_ row: Text) {
        #expect(StoredPartition.text(row.account, site: row.site) == row.stored)
        #expect(StoredPartition.key(row.stored, uri: "u") == CacheKey(partition: row.account, site: row.site, uri: "u"))
    }

    @Test("a text that no key is stored as is no key", arguments: ["\u{1F}", "a\u{1F}", "a\u{1F}b", "a\u{1F}\u{1E}"])
    func damaged(_ text: String) {
        #expect(StoredPartition.key(text, uri: "u") == nil)
    }

    @Test("sites survive reopening")
    func reopened() async throws {
        let keys = [
            Self.key("", ""), Self.key("", "https://a.test"), Self.key("anna", "https://a.test"),
            Self.key("anna\u{1F}", "\u{1E}b"), Self.key("anna", "nul\0"),
        ]
        let first = try open()
        for key in keys { try await Self.put(first, key) }
        try await first.flush()
        try first.index.close()
        let store = try open()
        for key in keys { #expect(try await store.entries(for: key).map(\.key) == [key]) }
        #expect(try await store.verify().problems.isEmpty)
        #expect(try await store.remove(EntrySelection(partition: "anna")).entries == 2)
    }

    @Test("an account's budget and a host's are for all sites together, and sign-out leaves no trace of a site")
    func budgets() async throws {
        let store = try open(
            StoreBudget(total: .mebibytes(8), host: ByteCount(Int64(100_000)), partition: ByteCount(Int64(150_000))))
        for number in 0..<40 {
            try await Self.put(store, Self.key("anna", "https://site\(number).test", "\(number)"), 10_000)
        }
        let kept = try await store.index.pool.read { database in
            try Row.fetchAll(database, sql: "SELECT partition, bytes FROM quota_scope")
                .map { ($0[0] as String, $0[1] as Int64) }
        }
        #expect(kept.map(\.0) == ["anna"] && kept[0].1 <= 100_000 && kept[0].1 > 50_000)
        _ = try await store.remove(EntrySelection(partition: "anna"))
        let rows = try await store.index.pool.read { database in
            try Int.fetchOne(database, sql: "SELECT (SELECT count(*) FROM entry) + (SELECT count(*) FROM quota_scope)")
        }
        #expect(rows == 0)
    }

    @Test("a pin is for the site that it names")
    func pins() async throws {
        let store = try open()
        let (one, two) = (Self.key("", "https://a.test"), Self.key("", "https://b.test"))
        for key in [one, two] { try await Self.put(store, key) }
        try await store.pin([one], for: "app")
        let pinned = try await store.summaries(of: EntrySelection(isPinned: true), after: nil, limit: 10)
        #expect(pinned.map(\.key) == [one])
    }

    @Test("what was noted of a hashed name is one site's, and goes with the account")
    func names() async throws {
        let store = try open()
        let (first, second) = (
            try #require(BodyDigest([UInt8](repeating: 1, count: 32))),
            try #require(BodyDigest([UInt8](repeating: 2, count: 32)))
        )
        let (one, two) = (Self.key("anna", "https://a.test"), Self.key("anna", "https://b.test"))
        #expect(try await store.noteContent(first, under: one, variant: "") == nil)
        #expect(try await store.noteContent(second, under: two, variant: "") == nil)
        #expect(try await store.noteContent(first, under: one, variant: "") == first)
        _ = try await store.remove(EntrySelection(partition: "anna"))
        #expect(try await store.noteContent(second, under: two, variant: "") == nil)
    }
}
