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
        // What was asked for before it is not stored, under any site.
        for site in sites + ["https://new.test"] {
            let key = key("a", of: "anna", site: site)
            let pending = try store.makePendingBody()
            try expect(
                try await store.commit(pending, key: key, response: response("old"), since: mark) == nil,
                "an outdated response was stored under '\(site)'")
            if let mark { try expect(store.isInvalidated(key, since: mark), "'\(site)' is not invalidated") }
        }
        // A selection of one key means its site alone.
        let removed = try await store.remove(EntrySelection(of: key("ab", of: "anna", site: "https://one.test")))
        try expect(removed.entries == 1, "\(removed.entries) responses were removed under one key")
        let rest = all(["ab"], of: ["anna"]).filter { $0.site != "https://one.test" }
        try await mustBeLeft(
            all(["a", "ab", "c"], of: ["", "ann"]) + rest + all(["c"], of: ["anna"]), after: "a removal by key")
        // By URI and account, by account, and by URI: all sites.
        let byURI = try await store.remove(
            EntrySelection(uri: "https://conformance.example/ab", partition: "anna"))
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
