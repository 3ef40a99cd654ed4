import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension StorageSubject {
    private func commit(
        _ body: [UInt8], _ key: CacheKey, _ response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await store.commit(try pending(body), key: key, response: response, since: mark)
    }

    func refusesWhatWasInvalidated() async throws {
        let early = store.mark()
        try expect(early != nil, "the moment can't be told")
        try await store.removeEntries(for: key("a"))
        for number in 0..<300 { try await store.removeEntries(for: key("other/\(number)")) }
        let late = store.mark()
        try expect(
            try await commit([1], key("a"), response("old"), since: early) == nil,
            "stored what was asked for before the invalidation")
        try expect(try await store.entries(for: key("a")).isEmpty, "found what was not stored")
        try expect(
            try await commit([1], key("b"), response("b"), since: early) != nil,
            "an invalidation of one key is one of another")
        try expect(
            try await commit([2], key("a"), response("new"), since: late) != nil,
            "not stored what was asked for after the invalidation")
        _ = try await store.remove(EntrySelection(contentType: "image/png"))
        try expect(
            try await commit([3], key("c"), response("c"), since: late) == nil,
            "stored what may have been meant by a selection")
        let last = store.mark()
        _ = try await store.remove(EntrySelection(unusedSince: WallInstant(unixSeconds: 0)))
        try expect(
            try await commit([3], key("c"), response("c"), since: last) != nil,
            "what is new was taken for unused")
    }

    /// A response between two seconds, that states no validator and another `Date` where it is given.
    private func response(_ label: String, _ asked: Int64, _ received: Int64, date: Int64? = nil) -> StoredResponse {
        var response = response(label, at: 1_700_000_000 + received)
        response.requestTime = WallInstant(unixSeconds: 1_700_000_000 + asked)
        response.fields[.eTag] = nil
        response.fields[.date] = HTTPDate.print(WallInstant(unixSeconds: 1_700_000_000 + (date ?? 0)))
        return response
    }

    func keepsTheNewer() async throws {
        func stored(_ name: String) async throws -> ([UInt8], Bool) {
            let entry = try await onlyEntry(key(name))
            return (try await content(entry), entry.response.needsValidation)
        }
        // In order, as nearly always.
        var mark = store.mark()
        _ = try await commit([1], key("a"), response("1", 1, 2), since: mark)
        mark = store.mark()
        _ = try await commit([2], key("a"), response("2", 2, 3), since: mark)
        try expect(try await stored("a") == ([2], false), "the later response did not take its place")
        // Asked for and received before the one that is stored.
        mark = store.mark()
        _ = try await commit([2], key("b"), response("2", 5, 6), since: mark)
        try expect(
            try await commit([1], key("b"), response("1", 1, 2), since: mark) == nil, "an older response was stored")
        try expect(try await stored("b") == ([2], false), "an older response took the place of a newer one")
        // At the same time: Date does not tell, which may be later for an older state.
        mark = store.mark()
        _ = try await commit([2], key("c"), response("2", 2, 3, date: 3), since: mark)
        _ = try await commit([1], key("c"), response("1", 1, 4, date: 4), since: mark)
        try expect(try await stored("c").1, "a later Date was taken for a newer state")
        mark = store.mark()
        _ = try await commit([2], key("d"), response("2", 2, 3), since: mark)
        _ = try await commit([1], key("d"), response("1", 1, 4), since: mark)
        try expect(try await stored("d").1, "nobody knows which is newer, and no validation is needed")
        // A client has a response that came too late to be stored; what was asked for meanwhile may be older than that.
        for isFirst in [true, false] {
            let name = "g\(isFirst)"
            let early = store.mark()
            try await store.removeEntries(for: key(name))
            mark = store.mark()
            if isFirst { _ = try await commit([1], key(name), response("1", 2, 3), since: mark) }
            _ = try await commit([2], key(name), response("2", 1, 4), since: early)
            if !isFirst { _ = try await commit([1], key(name), response("1", 2, 3), since: mark) }
            try expect(try await stored(name) == ([1], true), "a response that was refused is taken for the older one")
            mark = store.mark()
            _ = try await commit([3], key(name), response("3", 5, 6), since: mark)
            try expect(try await !stored(name).1, "what was asked for later is taken for the older one")
        }
        // The same content is the same state.
        mark = store.mark()
        _ = try await commit([2], key("e"), response("2", 2, 3), since: mark)
        _ = try await commit([2], key("e"), response("2", 1, 4), since: mark)
        try expect(try await !stored("e").1, "equal responses contradict each other")
    }

    func limitsVariants() async throws {
        for number in 0..<40 {
            try await commit(
                [UInt8(number)], key("a"),
                response("\(number)", at: 1_700_000_000 + Int64(number), nominated: ["lang": "\(number)"]))
        }
        let variants = try await store.entries(for: key("a"))
        try expect(variants.count == 32, "a key has \(variants.count) variants")
        try expect(
            variants.allSatisfy { $0.response.responseTime >= WallInstant(unixSeconds: 1_700_000_008) },
            "a newer variant went before an older one")
        for number in 0..<140 {
            var given = response("\(number)", at: 1_700_000_000 + Int64(number))
            given.fields[.noVarySearch] = "params=(\"x\")"
            try await commit([1], key("s?q=\(number)"), given)
        }
        let found = try await store.searchVariants(of: key("s?q=none"))
        try expect(found.count == 128, "a path has \(found.count) queries")
        try expect(try await store.entries(for: key("s?q=11")).isEmpty, "the oldest query stays")
        try expect(try await !store.entries(for: key("s?q=12")).isEmpty, "a newer query went before an older one")
    }
}

extension StorageSubject {
    func movesToAnotherKey() async throws {
        let staged = CacheKey(site: "preload:", uri: key("a").uri)
        for (count, seed) in [(0, 1), (500, 2), (300_000, 3)] as [(Int, UInt64)] {
            let entry = try await commit(bytes(count, seed: seed), staged, response("new-\(seed)", at: 1_700_000_100))
            var wanted = entry.response
            wanted.tags = ["tag"]
            let moved = try await moved(StoredMove(entry, to: key("a"), response: wanted, since: store.mark()))
            try expect(moved?.key == key("a"), "\(count) bytes were not moved")
            try expect(try await store.entries(for: staged).isEmpty, "it is still found under the former key")
            let found = try await onlyEntry(key("a"))
            try expect(found.response == wanted, "the response has changed")
            try expect(try await content(found) == bytes(count, seed: seed), "the content has changed")
        }
        let mark = store.mark()
        let late = try await commit(bytes(10, seed: 4), staged, response("late"))
        try await store.removeEntries(for: key("a"))
        let again = try await commit(bytes(10, seed: 4), staged, response("late"))
        let gone = StoredMove(late, to: key("a"), response: late.response, since: nil)
        try expect(try await moved(gone) == nil, "it was gone")
        guard let mark else { return }
        let outdated = StoredMove(again, to: key("a"), response: again.response, since: mark)
        try expect(try await moved(outdated) == nil, "it was moved to a key that was invalidated since")
        try expect(try await store.entries(for: key("a")).isEmpty, "it is found all the same")
    }

    private func moved(_ move: StoredMove) async throws -> StoredEntry? {
        switch try await store.move([move]) {
        case .moved(let entries): return entries.first ?? nil
        case .unchanged: return nil
        }
    }

    /// Several at once: all, or none of them; an optional one may stay behind.
    func movesAllOrNone() async throws {
        func staged(_ name: String) async throws -> StoredMove {
            let entry = try await commit(
                bytes(10, seed: 7), CacheKey(site: "preload:", uri: key(name).uri), response("new", at: 1_700_000_100))
            return StoredMove(entry, to: key(name), response: entry.response, since: nil)
        }
        func texts() async throws -> [String?] {
            var found: [String?] = []
            for name in ["a", "b", "c"] {
                let tags = try await store.entries(for: key(name)).map { $0.response.fields[.eTag] ?? "" }
                found.append(tags.isEmpty ? nil : tags.sorted().joined(separator: " "))
            }
            return found
        }
        for (name, nominated) in [("a", nil), ("a", "x"), ("b", nil)] as [(String, String?)] {
            try await commit(
                bytes(5, seed: 1), key(name), response("old", nominated: nominated.map { ["accept": $0] } ?? [:]))
        }
        let before = try await texts()
        var moves = [try await staged("a"), try await staged("b"), try await staged("c")]
        moves[0].isOnly = true
        try await store.discard([moves[1].entry])
        guard case .unchanged(let places) = try await store.move(moves) else {
            throw ConformanceFailure(guarantee: guarantee, message: "one was gone, and others were moved")
        }
        try expect(places == [1], "the gone one was another: \(places)")
        let then = try await texts()
        try expect(then == before, "some were moved: \(then)")
        moves[1].isOptional = true
        guard case .moved(let entries) = try await store.move(moves) else {
            throw ConformanceFailure(guarantee: guarantee, message: "nothing was moved")
        }
        try expect(entries.map { $0 != nil } == [true, false, true], "others were moved: \(entries)")
        let after = try await texts()
        try expect(after[0] == after[2] && after[0]?.contains("new") == true, "they are not in place: \(after)")
        try expect(after[1] == before[1], "the one that stays has changed: \(after)")
    }

    func discardsSingleEntries() async throws {
        let one = try await commit(bytes(10, seed: 1), key("a"), response("one", nominated: ["accept": "a"]))
        try await commit(bytes(10, seed: 2), key("a"), response("two", nominated: ["accept": "b"]))
        let mark = store.mark()
        let pending = try pending(bytes(10, seed: 3))
        try await store.discard([one])
        let left = try await onlyEntry(key("a"))
        try expect(left.response.fields[.eTag] == "\"two\"", "the other variant is gone")
        let arrived = try await store.commit(pending, key: key("b"), response: response("three"), since: mark)
        try expect(arrived != nil, "a response on its way was not stored any more")
    }

    func keepsPinsOfHolders() async throws {
        let keys = [key("a"), key("b"), CacheKey(partition: "anna", site: "https://one.test", uri: key("c").uri)]
        try await commit(bytes(10), keys[0], response("a"))
        try await store.pin(keys, for: "one")
        try await store.pin(Array(keys.prefix(1)), for: "one")
        try await store.pin(Array(keys.prefix(2)), for: "two")
        try expect(try await store.pins(of: "one") == Set(keys), "not what was pinned")
        try await store.unpin(keys, for: "two")
        try expect(try await store.pins(of: "one") == Set(keys), "another holder's are gone")
        try expect(try await store.pins(of: "two").isEmpty, "they are still listed")
        try await store.unpin([keys[1]], for: "one")
        try expect(try await store.pins(of: "one") == [keys[0], keys[2]], "not what is left")
        try await store.remove(EntrySelection(uri: keys[0].uri))
        try await store.remove(EntrySelection(partition: "anna"))
        try expect(try await store.pins(of: "one").isEmpty, "pins of what was removed are left")
    }
}
