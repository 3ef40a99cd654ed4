import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension StorageSubject {
    func movesToAnotherKey() async throws {
        let staged = CacheKey(site: "preload:", uri: key("a").uri)
        for (count, seed) in [(0, 1), (500, 2), (300_000, 3)] as [(Int, UInt64)] {
            let entry = try await commit(bytes(count, seed: seed), staged, response("new-\(seed)", at: 1_700_000_100))
            var wanted = entry.response
            wanted.tags = ["tag"]
            let moved = try await store.move(entry, to: key("a"), response: wanted, since: store.mark())
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
        try expect(try await store.move(late, to: key("a"), response: late.response, since: nil) == nil, "it was gone")
        guard let mark else { return }
        let moved = try await store.move(again, to: key("a"), response: again.response, since: mark)
        try expect(moved == nil, "it was moved to a key that was invalidated since")
        try expect(try await store.entries(for: key("a")).isEmpty, "it is found all the same")
    }

    func discardsSingleEntries() async throws {
        let one = try await commit(bytes(10, seed: 1), key("a"), response("one", nominated: ["accept": "a"]))
        try await commit(bytes(10, seed: 2), key("a"), response("two", nominated: ["accept": "b"]))
        let mark = store.mark()
        let pending = try store.makePendingBody()
        try pending.append(bytes(10, seed: 3))
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
