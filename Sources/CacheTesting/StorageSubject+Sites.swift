import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension StorageSubject {
    private func key(_ path: String, of account: String = "", site: String) -> CacheKey {
        CacheKey(partition: account, site: site, uri: "https://conformance.example/\(path)")
    }

    private func listed() async throws -> Set<CacheKey> {
        Set(try await store.summaries(of: .everything, after: nil, limit: 1_000).map(\.key))
    }

    private func mustBeLeft(_ keys: [CacheKey], after what: String) async throws {
        let left = try await listed()
        try expect(left == Set(keys), "after \(what) are left: \(left.map { "\($0.partition)|\($0.site)|\($0.uri)" })")
        for key in keys { _ = try await onlyEntry(key) }
    }

    func keepsSitesApart() async throws {
        let (one, two) = (key("a", site: "https://one.test"), key("a", site: "https://two.test"))
        try await commit(bytes(10, seed: 1), one, response("one"))
        for other in [two, key("a"), key("a", of: "anna", site: "https://one.test")] {
            try expect(try await store.entries(for: other).isEmpty, "found under '\(other.site)'")
            try expect(store.cachedEntries(for: other)?.isEmpty ?? true, "found at once under '\(other.site)'")
        }
        try await commit(bytes(10, seed: 2), two, response("two"))
        try await commit(bytes(10, seed: 3), key("a"), response("none"))
        for (stored, seed) in [(one, 1), (two, 2), (key("a"), 3)] as [(CacheKey, UInt64)] {
            let entry = try await onlyEntry(stored)
            try expect(entry.key == stored, "found under another key: \(entry.key.site)")
            try expect(try await content(entry) == bytes(10, seed: seed), "found another site's content")
        }
        // A validation, and the query that does not matter, stay within their site as well.
        let entry = try await onlyEntry(one)
        try await store.update(entry.id, key: one, response: response("new"))
        for (stored, tag) in [(one, "\"new\""), (two, "\"two\""), (key("a"), "\"none\"")] {
            let found = try await onlyEntry(stored).response.fields[.eTag]
            try expect(found == tag, "after an update of one site's response another is \(found ?? "")")
        }
        for name in ["one", "two"] {
            var varying = response("search-\(name)")
            varying.fields[.noVarySearch] = "params"
            try await commit(bytes(10), key("b?x=\(name)", site: "https://\(name).test"), varying)
        }
        let found = try await store.searchVariants(of: key("b?x=1", site: "https://one.test"))
        try expect(found.map { $0.response.fields[.eTag] } == ["\"search-one\""], "the queries of sites are mixed")
        try expect(try await store.searchVariants(of: key("b?x=1")).isEmpty, "a site's queries are everybody's")
    }

    /// A site is no account and an account no site, whatever their names.
    func keepsOddSitesApart() async throws {
        let separators = ["\u{1F}", "\u{1E}", "\u{1F}\u{1E}", "\u{1F}\u{1F}", "\u{1F}\u{1F}\u{1E}", "\0", "\u{301}"]
        var keys = [key("a", of: "a", site: ""), key("a", of: "a", site: "b")]
        for separator in separators {
            keys += [
                key("a", of: "a\(separator)b", site: ""), key("a", of: "a\(separator)", site: "b"),
                key("a", of: "a", site: "\(separator)b"), key("a", of: "a", site: "b\(separator)"),
                key("a", of: "a\(separator)", site: "\(separator)b"), key("a", of: separator, site: separator),
            ]
        }
        for (number, key) in keys.enumerated() { try await commit(bytes(10), key, response("\(number)")) }
        for (number, key) in keys.enumerated() {
            let entry = try await onlyEntry(key)
            try expect(
                entry.key == key && entry.response.fields[.eTag] == "\"\(number)\"",
                "account '\(key.partition)' and site '\(key.site)' are taken for others")
        }
        try expect(try await listed() == Set(keys), "listed under other names")
        for separator in separators {
            let account = "a\(separator)"
            _ = try await store.remove(EntrySelection(partition: account))
            keys.removeAll { $0.partition == account }
            try await mustBeLeft(keys, after: "the removal of the account '\(account)'")
        }
        try await store.removeEntries(for: key("a", of: "a", site: "anything"))
        keys.removeAll { $0.partition == "a" }
        try await mustBeLeft(keys, after: "an invalidation for the account 'a'")
        for separator in separators {
            try await store.removeEntries(origin: "https://conformance.example", partition: "a\(separator)b")
            keys.removeAll { $0.partition == "a\(separator)b" }
            try await mustBeLeft(keys, after: "the removal of an origin for the account 'a\(separator)b'")
        }
    }

    func removesForAllSites() async throws {
        let sites = ["", "https://one.test", "https://two.test", "null", "with\0nul"]
        let accounts = ["", "anna", "ann"]
        func all(_ paths: [String], of accounts: [String]) -> [CacheKey] {
            accounts.flatMap { account in
                sites.flatMap { site in paths.map { key($0, of: account, site: site) } }
            }
        }
        for key in all(["a", "ab", "c"], of: accounts) { try await commit(bytes(10), key, response("v")) }
        // RFC 9111 §4.4: "all stored responses whose target URI matches", and no others.
        let mark = store.mark()
        let count = try await store.removeEntries(for: key("a", of: "anna", site: "https://one.test"))
        try expect(count == sites.count, "an invalidation removed \(count) responses of \(sites.count)")
        try await mustBeLeft(
            all(["a", "ab", "c"], of: ["", "ann"]) + all(["ab", "c"], of: ["anna"]), after: "an invalidation")
        // A response that was asked for before the invalidation is not stored, under any site.
        for site in sites + ["https://new.test"] {
            let key = key("a", of: "anna", site: site)
            let pending = try store.makePendingBody()
            try expect(
                try await store.commit(pending, key: key, response: response("old"), since: mark) == nil,
                "an outdated response was stored under '\(site)'")
            if let mark {
                try expect(store.history(of: key, since: mark).isInvalidated, "'\(site)' is not invalidated")
            }
        }
        // A selection of one key means its site alone.
        let removed = try await store.remove(EntrySelection(of: key("ab", of: "anna", site: "https://one.test")))
        try expect(removed.entries == 1, "\(removed.entries) responses were removed under one key")
        let rest = all(["ab"], of: ["anna"]).filter { $0.site != "https://one.test" }
        try await mustBeLeft(
            all(["a", "ab", "c"], of: ["", "ann"]) + rest + all(["c"], of: ["anna"]), after: "a removal by key")
        // Removal by URI and account, by account, and by URI: all sites.
        let byURI = try await store.remove(EntrySelection(uri: "https://conformance.example/ab", partition: "anna"))
        try expect(byURI.entries == sites.count - 1, "\(byURI.entries) responses were removed by URI and account")
        let byAccount = try await store.remove(EntrySelection(partition: "anna"))
        try expect(byAccount.entries == sites.count, "\(byAccount.entries) responses were removed by account")
        try await mustBeLeft(all(["a", "ab", "c"], of: ["", "ann"]), after: "the removal of an account")
        let everywhere = try await store.remove(EntrySelection(uri: "https://conformance.example/a"))
        try expect(everywhere.entries == 2 * sites.count, "\(everywhere.entries) responses were removed by URI")
        let origin = try await store.removeEntries(origin: "https://conformance.example", partition: "")
        try expect(origin == 2 * sites.count, "\(origin) responses of an origin were removed")
        try await mustBeLeft(all(["ab", "c"], of: ["ann"]), after: "the removal of an origin")
        let host = try await store.remove(EntrySelection(host: "conformance.example"))
        try expect(host.entries == 2 * sites.count, "\(host.entries) responses of a host were removed")
    }
}

extension StorageSubject {
    func makesVariantsOfOneContent() async throws {
        for size in [100, 100_000] {
            let before = try await store.usage()
            let path = key("\(size)")
            let first = try await commit(bytes(size), path, response("en", nominated: ["lang": "en"]))
            let given = response("de", at: 1_700_000_100, nominated: ["lang": "de"])
            let second = try require(
                try await store.commit(contentOf: first, response: given, since: nil),
                "content of \(size) bytes was said to be gone")
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
            let german = try require(try await store.entries(for: path).last, "a variant went with another")
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
