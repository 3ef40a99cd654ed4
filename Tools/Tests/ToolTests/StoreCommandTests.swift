import CacheTesting
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore
import Testing
import WireSupport

@Suite("larder store")
struct StoreCommandTests {
    private func makeStore(_ directory: String) async throws {
        let store = try DiskResponseStore(directory: directory, durability: .process)
        let now = WallInstant(unixSeconds: 1_790_000_000)
        for (path, length) in [("small", 100), ("large", 200_000)] {
            let pending = try store.makePendingBody()
            try pending.append([UInt8](repeating: 7, count: length))
            _ = try await store.commit(
                pending, key: CacheKey(uri: "https://shop.test/\(path)"),
                response: StoredResponse(status: .ok, fields: [:], requestTime: now, responseTime: now))
        }
    }

    @Test("verify reads everything: 0 when it is whole, 1 and the URI when it is not, 2 where there is no store")
    func verify() async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.store
        let none = try await ToolProcess.run(ToolProcess.larder, ["store", "verify", "--store", folder])
        #expect(none.status == 2 && none.err.contains(folder))
        try await makeStore(folder)
        let whole = try await ToolProcess.run(ToolProcess.larder, ["store", "verify", "--store", folder])
        #expect(whole.status == 0 && whole.out.contains("2 entries, 2 bodies, 20"), "\(whole)")
        let bodies = FileManager.default.enumerator(atPath: folder + "/bodies")?.allObjects as? [String] ?? []
        let file = folder + "/bodies/" + (try #require(bodies.first { $0.count == 64 }))
        var bytes = try #require(FileManager.default.contents(atPath: file))
        bytes[150_000] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        let damaged = try await ToolProcess.run(ToolProcess.larder, ["store", "verify", "--json", "--store", folder])
        #expect(damaged.status == 1)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(damaged.out.utf8)) as? [String: Any])
        let problems = try #require(report["problems"] as? [[String: String]])
        #expect(problems.map { $0["url"] } == ["https://shop.test/large"])
        #expect(report["entries"] as? Int == 2)
        for (command, status) in [("verify", 1), ("list", 1), ("stats", 0)] as [(String, Int32)] {
            try Data("no index".utf8).write(to: URL(fileURLWithPath: folder + "/index.sqlite"))
            let lost = try await ToolProcess.run(ToolProcess.larder, ["store", command, "--store", folder])
            #expect(lost.status == status && (lost.out + lost.err).contains("The store's index was damaged"), "\(lost)")
        }
    }

    @Test("show says when a response was last used, and is no use of it")
    func lastUsed() async throws {
        let directory = try TemporaryDirectory()
        try await makeStore(directory.store)
        func lastUsed(_ arguments: [String]) async throws -> String {
            let said = try await ToolProcess.run(
                ToolProcess.larder, ["store"] + arguments + ["--json", "--store", directory.store])
            return String(try #require(said.out.firstMatch(of: /"lastUsed" *: *"?([^",\n}]+)/)?.1))
        }
        let listed = try await lastUsed(["list", "--url", "https://shop.test/small"])
        #expect(try await lastUsed(["show", "https://shop.test/small"]) == listed)
    }

    /// A store with five responses that differ in host, account, type, tag and size.
    private func fill(_ directory: String) async throws {
        let store = try DiskResponseStore(directory: directory, durability: .process)
        func put(_ uri: String, _ account: String, _ type: String, _ length: Int, tags: [String] = []) async throws {
            let pending = try store.makePendingBody()
            try pending.append([UInt8](repeating: UInt8(65 + length % 23), count: length))
            let now = WallInstant(unixSeconds: 1_700_000_000)
            _ = try await store.commit(
                pending, key: CacheKey(partition: account, uri: uri),
                response: StoredResponse(
                    status: .ok, fields: [.contentType: type], requestTime: now, responseTime: now, tags: tags))
        }
        try await put("https://shop.test/", "", "text/html", 1_000, tags: ["page"])
        try await put("https://shop.test/a.png", "", "image/png", 90_000)
        try await put("https://shop.test/", "anna", "text/html", 2_000, tags: ["page"])
        try await put("https://img.shop.test/b.jpg", "anna", "image/jpeg", 70_000)
        try await put("http://other.test/", "", "text/html", 3_000)
        try await store.pin([CacheKey(uri: "http://other.test/")], for: "app")
    }

    private func withStore(_ body: (String) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.store
        try await fill(folder)
        try await body(folder)
    }

    private func larder(_ store: String, _ arguments: [String]) async throws -> ToolProcess.Output {
        try await ToolProcess.run(ToolProcess.larder, ["store"] + arguments + ["--store", store])
    }

    @Test("list, remove and its dry run mean the same, by every criterion")
    func selections() async throws {
        let rows: [([String], [String])] = [
            (["--url", "HTTPS://SHOP.test"], ["https://shop.test/", "https://shop.test/"]),
            (["--url", "https://shop.test/", "--account", "anna"], ["https://shop.test/"]),
            (["--host", "*.shop.test"], ["https://img.shop.test/b.jpg"]),
            (["--account", ""], ["http://other.test/", "https://shop.test/", "https://shop.test/a.png"]),
            (["--type", "image/*"], ["https://img.shop.test/b.jpg", "https://shop.test/a.png"]),
            (["--tag", "page", "--host", "shop.test"], ["https://shop.test/", "https://shop.test/"]),
            (["--pinned"], ["http://other.test/"]), (["--older-than", "365d", "--pinned"], ["http://other.test/"]),
            (["--unused-for", "1d", "--type", "image/png"], ["https://shop.test/a.png"]),
            (["--older-than", "20000d"], []), (["--newer-than", "1d"], []), (["--expired"], []),
        ]
        for (arguments, expected) in rows {
            try await withStore { store in
                let listed = try await larder(store, ["list", "--json"] + arguments)
                #expect(listed.status == (expected.isEmpty ? 1 : 0), "\(arguments): \(listed)")
                let items = try #require(
                    try JSONSerialization.jsonObject(with: Data(listed.out.utf8)) as? [[String: Any]])
                #expect(items.compactMap { $0["url"] as? String }.sorted() == expected, "\(arguments)")
                let dry = try await larder(store, ["remove", "--dry-run", "--json"] + arguments)
                let removed = try await larder(store, ["remove", "--json"] + arguments)
                for output in [dry, removed] {
                    let result = try JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [String: Any]
                    #expect(result?["responses"] as? Int == expected.count, "\(arguments): \(output)")
                    #expect(output.status == (expected.isEmpty ? 1 : 0))
                }
                let left = try await larder(store, ["list", "--json"])
                #expect(left.out.components(separatedBy: "\"url\"").count - 1 == 5 - expected.count, "\(arguments)")
                #expect(try await larder(store, ["verify"]).status == 0)
            }
        }
    }

    @Test(
        "bad use says what helps, and removes nothing",
        arguments: [
            ["remove"], ["remove", "--everything", "--tag", "page"], ["remove", "--older-than", "5"],
            ["remove", "--type", "image"], ["remove", "--url", "shop.test"], ["show", "shop.test"],
            ["refresh", "shop.test"],
            ["remove", "--pinned", "--no-pinned"],
        ])
    func badUse(arguments: [String]) async throws {
        try await withStore { store in
            let output = try await larder(store, arguments)
            #expect(output.status == 2 && output.out.isEmpty && !output.err.isEmpty, "\(output)")
            #expect(try await larder(store, ["stats"]).out.contains("5 responses"))
        }
    }

    @Test("show tells every variant and hands out content; stats adds up; remove empties all")
    func showAndStats() async throws {
        try await withStore { store in
            let shown = try await larder(store, ["show", "https://shop.test/"])
            #expect(shown.status == 0)
            for piece in ["account    anna", "tags       page", "content-type: text/html", "all of it"] {
                #expect(shown.out.lowercased().contains(piece), "\(piece) in \(shown.out)")
            }
            #expect(shown.out.components(separatedBy: "https://shop.test/\n").count == 3)
            let body = try await larder(store, ["show", "--body", "http://other.test/"])
            #expect(body.out.utf8.count == 3_000)
            let none = try await larder(store, ["show", "https://shop.test/none"])
            #expect(none.status == 1 && none.out == "nothing is stored for it\n")
            let stats = try await larder(store, ["stats"])
            for piece in ["5 responses", "image/png", "img.shop.test", "anna", "on the disk", "1 pinned"] {
                #expect(stats.out.contains(piece), "\(piece) in \(stats.out)")
            }
            let all = try await larder(store, ["remove", "--everything"])
            #expect(all.status == 0 && all.out.contains("removed 5 responses"))
            #expect(try await larder(store, ["list"]).out == "nothing\n")
        }
    }

    @Test("list tells variants of a URL apart and marks parts; show says on standard error which part it writes")
    func variantsAndParts() async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.store
        do {
            let store = try DiskResponseStore(directory: folder, durability: .process)
            func put(_ uri: String, _ nominated: [String: String?], _ extent: ContentExtent, _ length: Int) async throws
            {
                let pending = try store.makePendingBody()
                try pending.append([UInt8](repeating: 65, count: length))
                let now = WallInstant(unixSeconds: 1_700_000_000)
                _ = try await store.commit(
                    pending, key: CacheKey(uri: uri),
                    response: StoredResponse(
                        nominatedFields: NominatedFields(values: nominated), status: .ok, fields: [:],
                        requestTime: now, responseTime: now, extent: extent))
            }
            try await put("https://shop.test/page", ["accept-language": "de"], .complete, 300)
            try await put("https://shop.test/page", ["accept-language": nil], .complete, 200)
            try await put("https://shop.test/film", [:], .partial([0..<100, 200..<300], completeLength: 1_000), 200)
        }
        let listed = try await larder(folder, ["list"])
        for piece in ["for accept-language: de ", "for no accept-language ", "partial: bytes 0-99,200-299/1000 "] {
            #expect(listed.out.contains(piece), "\(piece) in \(listed.out)")
        }
        let json = try await larder(folder, ["list", "--json"])
        let items = try #require(try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [[String: Any]])
        #expect(items.compactMap { $0["partial"] as? String } == ["bytes 0-99,200-299/1000"])
        #expect(
            Set(items.compactMap { $0["nominatedFields"] as? [String] }) == [
                ["accept-language: de"], ["accept-language:"],
            ])
        let part = try await larder(folder, ["show", "--body", "https://shop.test/film"])
        #expect(part.status == 0 && part.out.utf8.count == 200)
        #expect(part.err == "larder: The stored content is not complete: bytes 0-99,200-299/1000.\n")
        let whole = try await larder(folder, ["show", "--body", "https://shop.test/page"])
        #expect(whole.status == 0 && whole.err.isEmpty)
    }

    @Test("a dry run and a removal say what contents that are shared give back, without a contradiction")
    func sharedContents() async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.store
        do {
            let store = try DiskResponseStore(directory: folder, durability: .process)
            let now = WallInstant(unixSeconds: 1_700_000_000)
            for host in ["one.test", "other.test"] {
                let pending = try store.makePendingBody()
                try pending.append([UInt8](repeating: 7, count: 500_000))
                _ = try await store.commit(
                    pending, key: CacheKey(uri: "https://\(host)/"),
                    response: StoredResponse(status: .ok, fields: [:], requestTime: now, responseTime: now))
            }
        }
        let dry = try await larder(folder, ["remove", "--host", "one.test", "--dry-run"])
        let size = try #require(dry.out.firstMatch(of: #/would remove one response, (50[0-9.]+ kB);/#)).1
        let removed = try await larder(folder, ["remove", "--host", "one.test"])
        #expect(removed.out.hasPrefix("removed one response, \(size); "), "\(removed)")
        #expect(removed.out.hasSuffix(" given back, the rest is shared\n"), "\(removed)")
        // One that shares with nothing gives all of it back.
        let last = try await larder(folder, ["remove", "--everything"])
        #expect(last.out == "removed one response, \(size)\n")
    }

    @Test("compare asks the servers, says which stored response is another by now, and stores nothing")
    func compare() async throws {
        let version = LockedBox("one")
        let origin = try await PageOrigin.start { request in
            switch request.path {
            case "/changes": .page("Shop", version.withLock { $0 })
            case "/stays": .page("Shop", "stays")
            default: version.withLock { $0 } == "one" ? .page("Shop", "goes") : .notFound
            }
        }
        let base = "http://127.0.0.1:\(origin.port)"
        try await withStore { store in
            for path in ["/changes", "/stays", "/goes"] {
                #expect(try await larder(store, ["refresh", base + path]).status == 0)
            }
            let same = try await larder(store, ["list", "--compare", "--url-prefix", base + "/"])
            #expect(same.status == 0 && same.out.components(separatedBy: " same ").count == 4, "\(same)")
            version.withLock { $0 = "two" }
            let other = try await larder(store, ["list", "--compare", "--json", "--url-prefix", base])
            let items = try #require(try JSONSerialization.jsonObject(with: Data(other.out.utf8)) as? [[String: Any]])
            let found = Dictionary(
                uniqueKeysWithValues: items.compactMap { item in
                    (item["url"] as? String).map { ($0.dropFirst(base.count), item["current"] as? String) }
                })
            #expect(other.status == 1)
            #expect(found == ["/changes": "other", "/stays": "same", "/goes": "status 404"])
            await origin.stop()
            let gone = try await larder(store, ["list", "--compare", "--url", base + "/stays"])
            #expect(gone.status == 1 && gone.out.contains("no answer"))
            #expect(try await larder(store, ["show", "--body", base + "/changes"]).out.contains("one"))
        }
    }

    @Test("refresh fetches what is stuck, stores it, and keeps what is stored when nothing comes")
    func refresh() async throws {
        let origin = try await ScriptedOrigin.start()
        let url = "http://127.0.0.1:\(origin.port)/page"
        try await withStore { store in
            for account in ["", "anna"] {
                let fetched = try await larder(store, ["refresh", url, "--account", account])
                #expect(fetched.status == 0 && fetched.out.contains("200 OK: stored"), "\(fetched)")
            }
            let first = try await larder(store, ["show", "--body", url])
            _ = try await larder(store, ["refresh", url])
            let second = try await larder(store, ["show", "--body", url])
            #expect(first.out.hasPrefix("fixed") && second.out.hasPrefix("fixed") && first.out != second.out)
            let passing = try await larder(store, ["refresh", "http://127.0.0.1:\(origin.port)/counted"])
            #expect(passing.status == 0 && passing.out.contains("not stored"))
            await origin.stop()
            let failed = try await larder(store, ["refresh", url])
            #expect(failed.status == 1 && !failed.err.isEmpty)
            #expect(try await larder(store, ["show", "--body", url]).out == second.out)
        }
    }

    @Test("nothing that a URL or a field says can move the cursor or change colours")
    func hostileText() async throws {
        let directory = try TemporaryDirectory()
        let folder = directory.store
        do {
            let store = try DiskResponseStore(directory: folder, durability: .process)
            let now = WallInstant(unixSeconds: 1_700_000_000)
            let hostile = "https://shop.test/\u{1B}[2J\u{202E}"
            _ = try await store.commit(
                try store.makePendingBody(), key: CacheKey(partition: "a\u{1B}[31m", uri: hostile),
                response: StoredResponse(
                    status: .ok, fields: [.contentType: "text/\u{9B}31m"], requestTime: now, responseTime: now,
                    tags: ["\u{7}"]))
        }
        for arguments in [["list"], ["stats"]] {
            let output = try await larder(folder, arguments)
            #expect(output.status == 0)
            #expect(!output.out.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
        }
    }
}
