import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension StorageSubject {
    func makesVariantsOfOneContent() async throws {
        for size in [100, 100_000] {
            let before = try await store.usage()
            let path = key("\(size)")
            let first = try await commit(bytes(size), path, response("en", nominated: ["lang": "en"]))
            let given = response("de", at: 1_700_000_100, nominated: ["lang": "de"])
            guard let second = try await store.commit(contentOf: first, response: given, since: nil) else {
                throw ConformanceFailure(guarantee: guarantee, message: "content of \(size) bytes was said to be gone")
            }
            try expect(second.id != first.id && second.key == path, "the new variant has another's identity or key")
            let entries = try await store.entries(for: path)
            try expect(
                entries.map(\.id) == [second.id, first.id],
                "the variants are \(entries.map(\.response.nominatedFields))")
            try expect(entries.first?.response == given, "the new variant came back changed")
            for entry in entries { try expect(try await content(entry) == bytes(size), "a variant's content changed") }
            let usage = try await store.usage()
            try expect(
                usage.entries - before.entries == 2 && usage.bodies - before.bodies == 1,
                "two variants of one content count as \(usage), before \(before)")
            // The same nominated fields again: that one is replaced.
            let again = response("de2", at: 1_700_000_200, nominated: ["lang": "de"])
            _ = try await store.commit(contentOf: first, response: again, since: nil)
            let tags = try await store.entries(for: path).compactMap { $0.response.fields[.eTag] }
            try expect(tags == ["\"de2\"", "\"en\""], "after a replacement the variants are \(tags)")
            // The one whose content it was goes; the content stays as long as somebody has it.
            try await commit(bytes(5, seed: 9), path, response("en2", at: 1_700_000_300, nominated: ["lang": "en"]))
            guard let german = try await store.entries(for: path).last else {
                throw ConformanceFailure(guarantee: guarantee, message: "a variant went with another")
            }
            try expect(try await content(german) == bytes(size), "the content went with the entry it came from")
        }
    }

    func makesNoVariantOfWhatIsGone() async throws {
        let entry = try await commit(bytes(50_000), key("a"), response("en", nominated: ["lang": "en"]))
        try await store.removeEntries(for: key("a"))
        let given = response("de", nominated: ["lang": "de"])
        try expect(
            try await store.commit(contentOf: entry, response: given, since: nil) == nil,
            "content that is gone was taken")
        try expect(try await store.entries(for: key("a")).isEmpty, "a variant of what is gone was stored")
        let usage = try await store.usage()
        let nothing = StoreUsage(entries: 0, bodies: 0, bodyBytes: .zero)
        try expect(usage.hasSameContent(as: nothing), "something still counts: \(usage)")
    }

    func findsSearchVariants() async throws {
        func varying(_ label: String, at seconds: Int64 = 1_700_000_000) -> StoredResponse {
            var response = response(label, at: seconds)
            response.fields[.noVarySearch] = "params"
            return response
        }
        func tags(_ asked: CacheKey) async throws -> Set<String> {
            Set(try await store.searchVariants(of: asked).compactMap { $0.response.fields[.eTag] })
        }
        try expect(try await tags(key("a?x=9")).isEmpty, "an empty store has search variants")
        try await commit(bytes(10), key("a?x=1"), varying("one"))
        try await commit(bytes(40_000), key("a?x=2&y=/b?c"), varying("two", at: 1_700_000_100))
        try await commit(bytes(10), key("a"), varying("bare"))
        try await commit(bytes(10), key("a?x=3"), response("plain"))
        try await commit(bytes(10), key("b?x=1"), varying("elsewhere"))
        try await commit(bytes(10), key("a/b?x=1"), varying("below"))
        try await commit(bytes(10), key("a?x=1", partition: "two"), varying("partition"))
        for asked in ["a?x=9", "a", "a?", "a?x=1"] {
            let found = try await tags(key(asked))
            try expect(found == ["\"one\"", "\"two\"", "\"bare\""], "search variants of '\(asked)' are \(found)")
        }
        try expect(try await tags(key("a?x=1", partition: "two")) == ["\"partition\""], "partitions are mixed")
        // They are whole entries, with their own keys.
        for entry in try await store.searchVariants(of: key("a?x=9")) {
            let size = entry.response.fields[.eTag] == "\"two\"" ? 40_000 : 10
            try expect(try await content(entry) == bytes(size), "the content of a search variant is wrong")
            let own = try await store.entries(for: entry.key)
            try expect(own.map(\.id) == [entry.id], "a search variant has another's key, '\(entry.key)'")
        }
        // An update can take the field away and bring it.
        let one = try await onlyEntry(key("a?x=1"))
        try await store.update(one.id, key: one.key, response: response("one"))
        let plain = try await onlyEntry(key("a?x=3"))
        try await store.update(plain.id, key: plain.key, response: varying("plain"))
        try await store.removeEntries(for: key("a"))
        let left = try await tags(key("a?x=9"))
        try expect(left == ["\"two\"", "\"plain\""], "after changes the search variants are \(left)")
    }

    func removesAnOrigin() async throws {
        let own = ["a", "", "a?x=https://other.example/", "deep/er", "variants"].map { key($0) }
        for (number, key) in own.enumerated() {
            try await commit(bytes(number.isMultiple(of: 2) ? 10 : 40_000, seed: UInt64(number)), key, response("v"))
        }
        try await commit(bytes(10), key("variants"), response("en", nominated: ["lang": "en"]))
        let others = [
            key("a", partition: "two"), CacheKey(uri: "http://conformance.example/a"),
            CacheKey(uri: "https://conformance.example:8443/a"), CacheKey(uri: "https://conformance.example.org/a"),
            CacheKey(uri: "https://conformance.example0/a"), CacheKey(uri: "https://a.conformance.example/a"),
            CacheKey(uri: "https://other.example/?https://conformance.example/a"),
        ]
        for key in others { try await commit(bytes(20, seed: 7), key, response("other")) }
        // Known to a memory tier, where there is one.
        for key in own + others { _ = try await store.entries(for: key) }
        let opened = try await store.open(try await onlyEntry(key("deep/er")))
        let count = try await store.removeEntries(origin: "https://conformance.example", partition: "")
        try expect(count == own.count + 1, "the removal of \(own.count + 1) entries returned \(count)")
        for key in own { try expect(try await store.entries(for: key).isEmpty, "'\(key)' is still found") }
        for key in others { _ = try await onlyEntry(key) }
        try expect(try read(opened) == bytes(40_000, seed: 3), "removing an origin changed content that was open")
        let usage = try await store.usage()
        try expect(usage.entries == others.count && usage.bodies == 1, "what was removed still counts: \(usage)")
        let again = try await store.removeEntries(origin: "https://conformance.example", partition: "")
        try expect(again == 0, "a second removal found \(again) entries")
        try expect(
            try await store.removeEntries(origin: "https://conformance", partition: "") == 0,
            "a beginning of an origin was taken for one")
    }
}
