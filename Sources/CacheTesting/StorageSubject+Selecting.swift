import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension StorageSubject {
    private static let noon: Int64 = 1_700_000_000

    func keepsTagsAndExpiry() async throws {
        var given = response("a")
        (given.tags, given.expires) = (["shop", "product 7", "one\nof, two"], WallInstant(unixSeconds: Self.noon + 60))
        let entry = try await commit(bytes(10), key("a"), given)
        try expect(try await onlyEntry(key("a")).response == given, "the response came back changed")
        let listed = try await store.summaries(of: .everything, after: nil, limit: 1).first?.tags
        try expect(listed == given.tags.sorted(), "the tags were listed as \(listed ?? [])")
        (given.tags, given.expires) = (["other"], nil)
        try await store.update(entry.id, key: key("a"), response: given)
        try expect(try await onlyEntry(key("a")).response == given, "the updated response came back changed")
        let old = try await all(EntrySelection(tag: "shop"))
        try expect(old.isEmpty, "a tag that was taken off still finds \(old)")
        try expect(try await all(EntrySelection(tag: "other")) == [key("a").uri], "a new tag finds nothing")
    }

    /// Five responses that differ in everything a selection can name.
    private func fill() async throws {
        func put(
            _ uri: String, _ partition: String, _ type: String?, at seconds: Int64, tags: [String] = [],
            expires: Int64? = nil
        ) async throws {
            var given = response("x", at: Self.noon + seconds)
            given.fields[.contentType] = type
            given.tags = tags
            given.expires = expires.map { WallInstant(unixSeconds: Self.noon + $0) }
            try await commit(bytes(100, seed: UInt64(seconds + 1_000)), CacheKey(partition: partition, uri: uri), given)
        }
        try await put("https://shop.example/", "", "text/html; charset=utf-8", at: 0, tags: ["page", "shop"])
        try await put("https://shop.example/a.png", "", "IMAGE/PNG", at: 100, tags: ["shop"], expires: 160)
        try await put("https://shop.example/", "anna", "text/html", at: 200)
        try await put("https://img.shop.example:8443/b.jpg", "anna", "image/jpeg", at: 300, expires: 500)
        try await put("http://other.example/shop.example/", "", nil, at: 400)
    }

    func selects() async throws {
        try await fill()
        let (page, picture) = ("https://shop.example/", "https://shop.example/a.png")
        let (photo, other) = ("https://img.shop.example:8443/b.jpg", "http://other.example/shop.example/")
        func at(_ seconds: Int64) -> WallInstant { WallInstant(unixSeconds: Self.noon + seconds) }
        let rows: [(EntrySelection, [String])] = [
            (.everything, [page, picture, page, photo, other]),
            (.init(uri: page), [page, page]), (.init(uri: page, partition: "anna"), [page]),
            (.init(uri: "https://shop.example/A.png"), []),
            (.init(host: "shop.example"), [page, picture, page]), (.init(host: "SHOP.example"), [page, picture, page]),
            (.init(host: "img.shop.example:8443"), [photo]), (.init(host: "img.shop.example"), []),
            (.init(host: "*.shop.example:8443"), [photo]), (.init(host: "*.example"), [page, picture, page, other]),
            (.init(host: "%"), []), (.init(host: "*"), []),
            (.init(partition: "anna"), [page, photo]), (.init(partition: ""), [page, picture, other]),
            (.init(partition: "ann"), []),
            (.init(storedBefore: at(200)), [page, picture]), (.init(storedBefore: at(0)), []),
            (.init(storedSince: at(300)), [photo, other]), (.init(storedSince: at(401)), []),
            (.init(storedBefore: at(300), storedSince: at(100)), [picture, page]),
            (.init(unusedSince: at(200)), [page, picture]),
            (.init(contentType: "text/html"), [page, page]), (.init(contentType: "image/*"), [picture, photo]),
            (.init(contentType: "image/png"), [picture]), (.init(contentType: "image"), []),
            (.init(tag: "shop"), [page, picture]), (.init(tag: "sho"), []), (.init(tag: "page"), [page]),
            (.init(isPinned: true), []), (.init(isPinned: false), [page, picture, page, photo, other]),
            (.init(expiredAt: at(159)), []), (.init(expiredAt: at(160)), [picture]),
            (.init(expiredAt: at(1_000)), [picture, photo]),
            (.init(host: "shop.example", partition: "", contentType: "image/*", tag: "shop"), [picture]),
            (.init(partition: "anna", tag: "shop"), []),
        ]
        for (selection, expected) in rows {
            let found = try await all(selection)
            try expect(found.sorted() == expected.sorted(), "\(selection) names \(found), expected \(expected)")
        }
    }

    /// The URIs that a selection names.
    private func all(_ selection: EntrySelection) async throws -> [String] {
        try await store.summaries(of: selection, after: nil, limit: 1_000).map(\.key.uri)
    }

    func listsInPortions() async throws {
        for number in 0..<25 { try await commit(bytes(10), key("\(number)"), response("\(number)")) }
        var (found, last): ([String], StoredEntry.ID?) = ([], nil)
        for expected in [10, 10, 5, 0] {
            let portion = try await store.summaries(of: .everything, after: last, limit: 10)
            try expect(portion.count == expected, "a portion of \(portion.count), expected \(expected)")
            found += portion.map(\.key.uri)
            last = portion.last?.id ?? last
        }
        try expect(Set(found).count == 25, "25 entries were listed as \(Set(found).count)")
        try expect(try await store.summaries(of: .everything, after: nil, limit: 0).isEmpty, "none is not none")
    }

    func removesASelection() async throws {
        try await fill()
        // More than any store takes at a time, with one body among them.
        for number in 0..<600 {
            try await commit(bytes(500), key("many/\(number)", partition: "many"), response("\(number)"))
        }
        let before = try await store.usage()
        let many = try await store.remove(EntrySelection(partition: "many"))
        let after = try await store.usage()
        try expect(many.entries == 600, "600 entries were removed as \(many.entries)")
        try expect(
            many.bytes == before.bytes - after.bytes,
            "\(many.bytes) went, but \(before.bytes - after.bytes) less are stored")
        try expect(after.entries == 5 && after.bodies == 5, "what was not named went as well: \(after)")
        try expect(try await store.entries(for: key("many/1", partition: "many")).isEmpty, "what was removed is found")
        try expect(store.cachedEntries(for: key("many/1", partition: "many"))?.isEmpty ?? true, "it is found at once")
        let images = try await store.remove(EntrySelection(contentType: "image/*"))
        try expect(images.entries == 2, "two images were removed as \(images.entries)")
        try expect(try await store.remove(EntrySelection(tag: "absent")) == RemovedContent(), "nothing is something")
        try expect(try await store.remove(.everything).entries == 3, "everything was not three entries")
        let none = try await store.usage()
        let nothing = StoreUsage(entries: 0, bodies: 0, bodyBytes: .zero)
        try expect(none.hasSameContent(as: nothing), "something still counts: \(none)")
    }

    private func commitNoting(_ content: [UInt8], _ key: CacheKey) async throws -> (StoredEntry, BodyDigest?) {
        let noted = response("noted")
        let stored = try require(
            try await store.commit(try pending(content), key: key, response: noted, since: nil, noting: ""),
            "a response was not stored")
        return (stored.entry, stored.seen)
    }

    func notesContentOfNames() async throws {
        let (name, other) = (key("app.0a1b2c3d.js"), key("app.0a1b2c3d.js", partition: "anna"))
        let first = try await commit(bytes(100), name, response("a")).bodyDigest
        let second = try await commit(bytes(100, seed: 2), name, response("b")).bodyDigest
        func note(_ digest: BodyDigest, _ key: CacheKey, _ variant: String = "") async throws -> BodyDigest? {
            try await store.noteContent(digest, under: key, variant: variant)
        }
        try expect(try await note(first, name) == nil, "something was noted before anything was")
        try expect(try await note(second, name, "gzip") == nil, "variants are not told apart")
        try expect(try await note(second, other) == nil, "partitions are not told apart")
        try await store.removeEntries(for: name)
        try expect(try await note(second, name) == first, "the note went with its response")
        try expect(try await note(second, name) == second, "what was seen last is not what is noted")
        try expect(store.distrustedHosts.isEmpty, "a host is distrusted from the start")
        let time = WallInstant(unixSeconds: 1_000_000)
        try await store.distrust("conformance.example", at: time)
        try expect(store.distrustedHosts == ["conformance.example": time], "the host was not noted")
        try await store.remove(EntrySelection(partition: ""))
        try expect(try await note(second, name) == nil, "the note stayed when its partition was removed")
        try expect(try await note(first, other) == second, "another partition's note went")
        try await commit(bytes(100, seed: 3), other, response("c"))
        try await store.remove(EntrySelection(storedSince: WallInstant(unixSeconds: 0)))
        try expect(try await note(second, other) == nil, "the note stayed when all since a date was removed")
        try await commit(bytes(100, seed: 4), name, response("d"))
        try expect(try await note(first, name) == nil, "the note was there already")
        try await store.removeEntries(for: name)
        try await store.remove(EntrySelection(storedSince: WallInstant(unixSeconds: 0)))
        try expect(try await note(second, name) == nil, "the note of a response that was gone stayed")
        let fresh = key("page.0a1b2c3d.js")
        let (stored, none) = try await commitNoting(bytes(100, seed: 5), fresh)
        try expect(none == nil, "something was noted before anything was")
        try expect(try await onlyEntry(fresh).bodyDigest == stored.bodyDigest, "what was noted was not stored")
        try expect(try await note(stored.bodyDigest, fresh) == stored.bodyDigest, "a commit noted nothing")
        let (later, known) = try await commitNoting(bytes(100, seed: 6), fresh)
        try expect(try await onlyEntry(fresh).bodyDigest == later.bodyDigest, "what came later was not stored")
        try expect(known == stored.bodyDigest, "a commit did not say what was noted")
        try await store.remove(.everything)
        try expect(store.distrustedHosts.isEmpty, "the host stayed noted when everything was removed")
    }
}
