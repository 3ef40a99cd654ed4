import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// A store under test, with helpers for the checks.
struct StorageSubject {
    let store: any ResponseStorage
    let guarantee: String

    func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard condition else { throw ConformanceFailure(guarantee: guarantee, message: message()) }
    }

    func key(_ path: String, partition: String = "") -> CacheKey {
        CacheKey(partition: partition, uri: "https://conformance.example/\(path)")
    }

    /// A response whose times are whole seconds, which every format can store.
    func response(
        _ label: String, at seconds: Int64 = 1_700_000_000, nominated: [String: String?] = [:]
    ) -> StoredResponse {
        StoredResponse(
            nominatedFields: NominatedFields(values: nominated), status: .ok,
            fields: [.contentType: "text/plain", .cacheControl: "max-age=60", .eTag: "\"\(label)\""],
            requestTime: WallInstant(unixSeconds: seconds - 1), responseTime: WallInstant(unixSeconds: seconds))
    }

    /// Bytes that differ along their length and for every seed.
    func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    @discardableResult
    func commit(_ body: [UInt8], _ key: CacheKey, _ response: StoredResponse) async throws -> StoredEntry {
        try await store.commit(try pending(body), key: key, response: response)
    }

    /// A body that has come in pieces, and is not committed.
    func pending(_ body: [UInt8]) throws -> any PendingBody {
        let pending = try store.makePendingBody()
        for start in stride(from: 0, to: body.count, by: 50_000) {
            try pending.append(Array(body[start..<min(body.count, start + 50_000)]))
        }
        return pending
    }

    func require<Value>(_ value: Value?, _ message: @autoclosure () -> String) throws -> Value {
        guard let value else { throw ConformanceFailure(guarantee: guarantee, message: message()) }
        return value
    }

    /// The one entry under a key.
    func onlyEntry(_ key: CacheKey) async throws -> StoredEntry {
        let entries = try await store.entries(for: key)
        guard entries.count == 1, let entry = entries.first else {
            throw ConformanceFailure(
                guarantee: guarantee, message: "\(entries.count) entries under '\(key)', expected one")
        }
        return entry
    }

    func content(_ entry: StoredEntry) async throws -> [UInt8] {
        try read(try await store.open(entry))
    }

    func read(_ content: StoredContent) throws -> [UInt8] {
        switch content {
        case .bytes(let bytes): return bytes
        case .file(let file): return try file.read(from: 0, upTo: Int(file.length.bytes))
        }
    }
}

/// A guarantee that an implementation does not keep.
public struct ConformanceFailure: Error, Sendable, CustomStringConvertible {
    /// The guarantee's name, such as `replacesSameVariant`.
    public var guarantee: String
    /// The observation instead.
    public var message: String

    public init(guarantee: String, message: String) {
        self.guarantee = guarantee
        self.message = message
    }

    /// Both in one line.
    public var description: String { "\(guarantee): \(message)" }
}

extension StorageSubject {
    func findsWhatWasCommitted() async throws {
        try expect(try await store.entries(for: key("a")).isEmpty, "an empty store found something")
        let pending = try pending(bytes(100))
        try expect(try await store.entries(for: key("a")).isEmpty, "found before the commit")
        let given = response("v1", nominated: ["accept": "text/html", "dnt": nil])
        let committed = try await store.commit(pending, key: key("a"), response: given)
        let found = try await onlyEntry(key("a"))
        try expect(found.id == committed.id, "the entry has another identity than the commit said")
        try expect(found.key == key("a"), "the entry has another key")
        try expect(found.response == given, "the response came back as \(found.response)")
        try expect(found.bodyLength.bytes == 100, "the body's length came back as \(found.bodyLength.bytes)")
        try expect(try await content(found) == bytes(100), "the body came back changed")
    }

    func replacesSameVariant() async throws {
        let first = try await commit(bytes(30_000, seed: 1), key("a"), response("v1"))
        let second = try await commit(bytes(20_000, seed: 2), key("a"), response("v2"))
        let found = try await onlyEntry(key("a"))
        try expect(found.id == second.id && first.id != second.id, "a replaced response keeps its identity")
        try expect(found.response == response("v2"), "the old response is still there")
        try expect(try await content(found) == bytes(20_000, seed: 2), "the old body is still there")
        let usage = try await store.usage()
        try expect(
            usage.hasSameContent(as: StoreUsage(entries: 1, bodies: 1, bodyBytes: ByteCount(Int64(20_000)))),
            "the replaced response still counts: \(usage)")
    }

    func keepsVariantsApart() async throws {
        try await commit(bytes(10, seed: 1), key("a"), response("en", at: 1_700_000_100, nominated: ["lang": "en"]))
        try await commit(bytes(10, seed: 2), key("a"), response("de", at: 1_700_000_300, nominated: ["lang": "de"]))
        try await commit(bytes(10, seed: 3), key("a"), response("none", at: 1_700_000_200, nominated: ["lang": nil]))
        try await commit(bytes(10, seed: 4), key("a"), response("empty", at: 1_700_000_200, nominated: ["lang": ""]))
        let entries = try await store.entries(for: key("a"))
        let tags = entries.compactMap { $0.response.fields[.eTag] }
        // The last two have the same time: the one that was stored later comes first.
        try expect(tags == ["\"de\"", "\"empty\"", "\"none\"", "\"en\""], "the variants came back as \(tags)")
        for (entry, seed) in zip(entries, [2, 4, 3, 1] as [UInt64]) {
            try expect(try await content(entry) == bytes(10, seed: seed), "a variant has another's body")
        }
    }

    func keepsPartitionsApart() async throws {
        try await commit(bytes(10, seed: 1), key("a", partition: "one"), response("one"))
        try expect(try await store.entries(for: key("a")).isEmpty, "found in the default partition")
        try expect(try await store.entries(for: key("a", partition: "two")).isEmpty, "found in another partition")
        try expect(try await store.removeEntries(for: key("a")) == 0, "removed from another partition")
        _ = try await onlyEntry(key("a", partition: "one"))
    }

    /// Whole names are compared, also those that a database would cut.
    func keepsOddNamesApart() async throws {
        let names = ["one": "t", "one\0a": "t\0a", "one\0b": "t\0b", "\0": "\0", "'\"%_*": "é"]
        for (name, tag) in names {
            var given = response("v")
            given.tags = [tag]
            try await commit(bytes(10), key("a", partition: name), given)
        }
        for (name, tag) in names {
            let found = try await onlyEntry(key("a", partition: name))
            try expect(found.key.partition == name && found.response.tags == [tag], "found another's")
        }
        for name in ["one\0", "one\0c", "", "\0\0"] {
            try expect(try await store.entries(for: key("a", partition: name)).isEmpty, "found by a part of a name")
        }
        let listed = try await store.summaries(of: .everything, after: nil, limit: 10)
        try expect(Set(listed.map(\.key.partition)).count == 5, "listed under other names: \(listed)")
        try expect(Set(listed.flatMap(\.tags)) == ["t", "t\0a", "t\0b", "\0", "é"], "listed with other tags")
        _ = try await store.remove(EntrySelection(tag: "t\0"))
        _ = try await store.remove(EntrySelection(partition: "one\0"))
        _ = try await store.remove(EntrySelection(tag: "t\0b"))
        _ = try await store.remove(EntrySelection(partition: "one"))
        let left = try await store.summaries(of: .everything, after: nil, limit: 10)
        try expect(Set(left.map(\.key.partition)) == ["one\0a", "\0", "'\"%_*"], "others were removed: \(left)")
    }

    func updatesAfterValidation() async throws {
        let entry = try await commit(bytes(40_000), key("a"), response("v1"))
        try await commit(bytes(10), key("a"), response("other", nominated: ["lang": "en"]))
        _ = try await store.entries(for: key("a"))
        try await store.update(entry.id, key: key("a"), response: response("v1b", at: 1_700_000_900))
        let entries = try await store.entries(for: key("a"))
        try expect(entries.count == 2, "an update changed the number of entries")
        try expect(entries.first?.id == entry.id, "the updated entry is not the first")
        try expect(entries.first?.response == response("v1b", at: 1_700_000_900), "the update did not arrive")
        try expect(entries.last?.response.fields[.eTag] == "\"other\"", "an update changed another variant")
        if let first = entries.first {
            try expect(try await content(first) == bytes(40_000), "an update changed the body")
        }
        try await commit(bytes(20), key("a"), response("v2"))
        try await store.update(entry.id, key: key("a"), response: response("late"))
        let successors = try await store.entries(for: key("a")).map(\.response)
        try expect(
            successors.contains(response("v2")) && successors.count == 2,
            "an update of a replaced entry changed its successor")
        try await store.removeEntries(for: key("a"))
        try await store.update(entry.id, key: key("a"), response: response("late"))
        try expect(try await store.entries(for: key("a")).isEmpty, "an update brought a removed entry back")
    }

    func removesAllVariantsOfAKey() async throws {
        try await commit(bytes(10), key("a"), response("en", nominated: ["lang": "en"]))
        try await commit(bytes(30_000), key("a"), response("de", nominated: ["lang": "de"]))
        try await commit(bytes(10), key("a/b"), response("child"))
        _ = try await store.entries(for: key("a"))
        let count = try await store.removeEntries(for: key("a"))
        try expect(count == 2, "removal of two variants returned \(count)")
        try expect(try await store.entries(for: key("a")).isEmpty, "a removed response is still found")
        try expect(try await store.removeEntries(for: key("a")) == 0, "a second removal found something")
        _ = try await onlyEntry(key("a/b"))
        let usage = try await store.usage()
        try expect(
            usage.hasSameContent(as: StoreUsage(entries: 1, bodies: 1, bodyBytes: ByteCount(Int64(10)))),
            "removed responses still count: \(usage)")
        try await keepsSomeOfAKey()
    }

    private func keepsSomeOfAKey() async throws {
        var kept = try await commit(bytes(30_000), key("a"), response("en", nominated: ["lang": "en"]))
        try await commit(bytes(10), key("a"), response("de", nominated: ["lang": "de"]))
        try await commit(bytes(10), CacheKey(site: "https://one.test", uri: key("a").uri), response("framed"))
        let replaced = try await commit(bytes(10), key("a"), response("fr", nominated: ["lang": "fr"]))
        try await commit(bytes(20), key("a"), response("fr", nominated: ["lang": "fr"]))
        let mark = store.mark()
        kept.response.needsValidation = true
        let count = try await store.removeEntries(for: key("a"), keeping: [kept, replaced])
        try expect(count == 3, "removal of three of four responses returned \(count)")
        let left = try await onlyEntry(key("a"))
        try expect(left.id == kept.id && left.response == kept.response, "what was to be kept has changed")
        try expect(try await content(left) == bytes(30_000), "what was to be kept has other content")
        let framed = try await store.entries(for: CacheKey(site: "https://one.test", uri: key("a").uri))
        try expect(framed.isEmpty, "the response of another site is still found")
        if let mark {
            try expect(store.history(of: key("a"), since: mark).isInvalidated, "the key is not invalidated")
        }
    }

    func finishesChangesOfCancelledTasks() async throws {
        func cancelled<Result: Sendable>(
            _ work: @escaping @Sendable () async throws -> Result
        ) async throws -> Result {
            let gate = Gate()
            let task = Task {
                // Ends by cancellation, so that the work surely begins in a cancelled task.
                try? await gate.pass()
                return try await work()
            }
            task.cancel()
            return try await task.value
        }
        let entry = try await cancelled { try await commit(bytes(30_000), key("a"), response("v1")) }
        try await cancelled { try await store.update(entry.id, key: key("a"), response: response("v2")) }
        try expect(try await onlyEntry(key("a")).response == response("v2"), "an update was left out")
        let count = try await cancelled { try await store.removeEntries(for: key("a")) }
        try expect(count == 1, "a removal returned \(count)")
        try expect(try await store.entries(for: key("a")).isEmpty, "a removal was left out")
        let other = try await commit(bytes(30_000), key("a"), response("v1"))
        let variant = response("de", nominated: ["lang": "de"])
        let copy = try await cancelled { try await store.commit(contentOf: other, response: variant, since: nil) }
        try expect(copy != nil, "a variant was left out")
        let all = try await cancelled {
            try await store.removeEntries(origin: "https://conformance.example", partition: "")
        }
        try expect(all == 2, "the removal of an origin returned \(all)")
    }
}
