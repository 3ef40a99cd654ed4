import Foundation
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import ResponseStore

@Suite("A store of format 1 is brought up to date", .timeLimit(.minutes(2)))
struct MigrationTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The tables of format 1, as they were released.
    private static let oldTables = """
        CREATE TABLE entry (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          partition TEXT NOT NULL,
          uri TEXT NOT NULL,
          nominated BLOB NOT NULL,
          status INTEGER NOT NULL,
          fields BLOB NOT NULL,
          request_time INTEGER NOT NULL,
          response_time INTEGER NOT NULL,
          digest BLOB NOT NULL REFERENCES body(digest),
          UNIQUE (partition, uri, nominated)
        );
        CREATE INDEX entry_digest ON entry (digest);
        CREATE TABLE body (digest BLOB PRIMARY KEY NOT NULL, length INTEGER NOT NULL, content BLOB);
        """

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
    }

    /// A field block, byte by byte.
    private static func block(_ pairs: [(String, String)]) -> String {
        hex(
            pairs.flatMap { name, value in
                [UInt8(name.utf8.count), 0] + name.utf8 + [UInt8(value.utf8.count), 0, 0, 0] + value.utf8
            })
    }

    /// An old store with a small and a large body, the small one in two variants.
    private func makeOldStore(filled: Bool = true) async throws {
        let store = try DiskResponseStore(directory: directory.store)
        let (small, large) = (Samples.body(100, 1), Samples.body(100_000, 2))
        var rows: [String] = []
        if filled {
            for (body, isSmall) in [(small, true), (large, false)] {
                var hasher = SHA256Hasher()
                hasher.update(body)
                let digest = try #require(hasher.digest())
                let content = isSmall ? Self.hex(body) : "NULL"
                rows.append("INSERT INTO body VALUES (\(Self.hex(digest.bytes)), \(body.count), \(content))")
                if !isSmall {
                    try store.layout.makeBodyDirectory(digest)
                    try Data(body).write(to: URL(fileURLWithPath: store.layout.body(digest)))
                }
                for nominated in isSmall ? [[("accept", "1text/html"), ("dnt", "0")], []] : [[]] {
                    rows.append(
                        """
                        INSERT INTO entry
                          (partition, uri, nominated, status, fields, request_time, response_time, digest)
                        VALUES ('', 'https://example.com/\(isSmall ? "small" : "large")', \(Self.block(nominated)), 200,
                          \(Self.block([("Content-Type", "text/plain"), ("ETag", "\"v1\"")])),
                          1700000000000, 1700000000000, \(Self.hex(digest.bytes)))
                        """)
                }
            }
        }
        let inserts = rows.joined(separator: ";\n")
        try await store.pool.write { database in
            try database.execute(
                sql: """
                    DROP TABLE entry; DROP TABLE body; \(Self.oldTables)
                    \(inserts);
                    PRAGMA user_version = 1;
                    """)
        }
        try store.pool.close()
    }

    private static func version(_ store: DiskResponseStore) async throws -> Int? {
        try await store.pool.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    }

    @Test("what was stored is still there, complete and in no need of validation")
    func keepsEntries() async throws {
        try await makeOldStore()
        for _ in 0..<2 {
            let store = try DiskResponseStore(directory: directory.store)
            #expect(try await Self.version(store) == 2)
            let small = try await store.entries(for: Samples.key("small"))
            #expect(
                Set(small.map(\.response)) == [
                    Samples.response("v1"), Samples.response("v1", nominated: ["accept": "text/html", "dnt": nil]),
                ])
            let large = try await store.entries(for: Samples.key("large"))
            #expect(large.map(\.response) == [Samples.response("v1")])
            #expect(try await store.body("small") == Samples.body(100, 1))
            #expect(try await store.body("large") == Samples.body(100_000, 2))
            #expect(try await store.usage() == StoreUsage(entries: 3, bodies: 2, bodyBytes: .init(Int64(100_100))))
            try store.pool.close()
        }
    }

    @Test("what came with format 2 works on entries of format 1")
    func works() async throws {
        try await makeOldStore()
        let store = try DiskResponseStore(directory: directory.store)
        let large = try #require(try await store.entries(for: Samples.key("large")).first)
        let copy = Samples.response("copy", nominated: ["accept": "image/png"])
        _ = try #require(try await store.commit(contentOf: large, response: copy))
        var changed = large.response
        changed.needsValidation = true
        changed.fields[.noVarySearch] = "key-order"
        try await store.update(large.id, key: large.key, response: changed)
        #expect(try await store.searchVariants(of: Samples.key("large?x=1")).map(\.response) == [changed])
        var part = Samples.response("part")
        part.extent = .partial([5..<105], completeLength: 900)
        let pending = store.makePendingBody()
        try pending.append(Samples.body(100, 3))
        _ = try await store.commit(pending, key: Samples.key("part"), response: part)
        #expect(try await store.entries(for: Samples.key("part")).map(\.response) == [part])
        #expect(try await store.removeEntries(origin: "https://example.com", partition: "") == 5)
        #expect(try await store.usage() == StoreUsage(entries: 0, bodies: 0, bodyBytes: .zero))
        #expect(directory.files(in: "store/bodies").isEmpty)
    }

    @Test("an empty store of format 1 opens, also twice at once")
    func twiceAtOnce() async throws {
        try await makeOldStore(filled: false)
        let path = directory.store
        let stores = try await withThrowingTaskGroup(of: DiskResponseStore.self) { group in
            for _ in 0..<2 { group.addTask { try DiskResponseStore(directory: path) } }
            return try await group.reduce(into: [DiskResponseStore]()) { $0.append($1) }
        }
        try await stores[0].put(Samples.body(100, 1), "a")
        #expect(try await stores[1].body("a") == Samples.body(100, 1))
        #expect(try await Self.version(stores[1]) == 2)
    }

    @Test(
        "an extent that makes no sense costs the entry, not the store",
        arguments: [
            "x''", "x'00'", "'text'", "7",
            // A length without parts; a part that ends before it begins; parts for more bytes than are stored; beyond
            // the complete length; overlapping.
            numbers([100]), numbers([100, 50, 40]), numbers([-1, 0, 101]), numbers([50, 0, 100]),
            numbers([200, 0, 60, 50, 90]), numbers([200, -100, 0]), numbers([-1, 0, .max]),
        ])
    func damagedExtent(_ extent: String) async throws {
        let store = try DiskResponseStore(directory: directory.store, memoryBudget: .zero)
        try await store.put(Samples.body(100, 1), "bad")
        try await store.put(Samples.body(100, 2), "good")
        try await store.pool.write {
            try $0.execute(sql: "UPDATE entry SET extent = \(extent) WHERE uri = 'https://example.com/bad'")
        }
        #expect(try await store.entries(for: Samples.key("bad")).isEmpty)
        #expect(try await store.body("good") == Samples.body(100, 2))
        #expect(try await store.usage() == StoreUsage(entries: 1, bodies: 1, bodyBytes: .init(Int64(100))))
    }

    private static func numbers(_ numbers: [Int64]) -> String {
        hex(numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } })
    }
}
