import HTTPCacheSemantics
import ResponseStore

extension StorageSubject {
    func keepsBodiesOfAnySize() async throws {
        // Around the sizes at which stores change the way they keep a body, and far above.
        for (number, count) in [0, 1, 16_383, 16_384, 16_385, 65_536, 3_000_001].enumerated() {
            let body = bytes(count, seed: UInt64(number + 1))
            let committed = try await commit(body, key("size/\(count)"), response("v1"))
            try expect(committed.bodyLength.bytes == count, "a body of \(count) bytes was committed as another length")
            let found = try await onlyEntry(key("size/\(count)"))
            try expect(found.bodyDigest == committed.bodyDigest, "the digest came back changed")
            try expect(try await content(found) == body, "a body of \(count) bytes came back changed")
        }
    }

    func countsEqualBodiesOnce() async throws {
        for size in [100, 100_000] {
            let before = try await store.usage()
            try await commit(bytes(size), key("one/\(size)"), response("v1"))
            try await commit(bytes(size), key("two/\(size)"), response("v1"))
            let usage = try await store.usage()
            try expect(
                usage.entries - before.entries == 2 && usage.bodies - before.bodies == 1
                    && (usage.bodyBytes - before.bodyBytes).bytes == size,
                "two entries with one body of \(size) bytes count as \(usage), before \(before)")
            try await store.removeEntries(for: key("one/\(size)"))
            let rest = try await onlyEntry(key("two/\(size)"))
            try expect(try await content(rest) == bytes(size), "the shared body went with the first entry")
            try await store.removeEntries(for: key("two/\(size)"))
            let after = try await store.usage()
            try expect(after == before, "the shared body still counts: \(after), before \(before)")
        }
    }

    func readsWhilePending() async throws {
        let body = bytes(60_000)
        let pending = try store.makePendingBody()
        try expect(try pending.read(from: 0, upTo: 10).isEmpty, "an empty body had bytes")
        var length = 0
        for piece in [1, 9_999, 10_000, 40_000] {
            try pending.append(Array(body[length..<length + piece]))
            length += piece
            try expect(try pending.read(from: 0, upTo: length) == Array(body[..<length]), "the beginning is wrong")
            let middle = try pending.read(from: Int64(length / 2), upTo: 1_000_000)
            try expect(middle == Array(body[length / 2..<length]), "reading past the end is wrong")
            try expect(try pending.read(from: Int64(length), upTo: 10).isEmpty, "there were bytes after the end")
            try expect(try pending.read(from: Int64(length) + 5, upTo: 10).isEmpty, "there were bytes after the end")
        }
        _ = try await store.commit(pending, key: key("a"), response: response("v1"))
        try expect(try pending.read(from: 0, upTo: 60_000) == body, "reading after the commit is wrong")
        try await store.removeEntries(for: key("a"))
        try expect(try pending.read(from: 0, upTo: 60_000) == body, "reading after the removal is wrong")
    }

    func forgetsAbandonedBodies() async throws {
        let before = try await store.usage()
        for size in [10, 200_000] {
            let pending = try store.makePendingBody()
            try pending.append(bytes(size))
        }
        let after = try await store.usage()
        try expect(after == before, "abandoned bodies count: \(after), before \(before)")
    }

    func keepsOpenedContent() async throws {
        let body = bytes(300_000)
        let entry = try await commit(body, key("a"), response("v1"))
        let opened = try await store.open(entry)
        try await commit(bytes(10), key("a"), response("v2"))
        try expect(try read(opened) == body, "replacing an entry changed content that was open")
        try await store.removeEntries(for: key("a"))
        try expect(try read(opened) == body, "removing an entry changed content that was open")
    }

    func commitsConcurrently() async throws {
        // Small and large ones in turn, each body twice.
        let bodies = (0..<24).map { number -> [UInt8] in
            let size = number.isMultiple(of: 2) ? 1_000 : 50_000
            return bytes(size, seed: UInt64(number / 4 + 1))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, body) in bodies.enumerated() {
                group.addTask {
                    try await commit(body, key("same"), response("\(number)"))
                    try await commit(body, key("own/\(number)"), response("\(number)"))
                    _ = try await store.entries(for: key("same"))
                }
            }
            try await group.waitForAll()
        }
        let same = try await onlyEntry(key("same"))
        guard let tag = same.response.fields[.eTag], let winner = Int(tag.dropFirst().dropLast()) else {
            throw ConformanceFailure(guarantee: guarantee, message: "the surviving entry has no tag")
        }
        try expect(try await content(same) == bodies[winner], "one commit's fields stand over another's body")
        for (number, body) in bodies.enumerated() {
            let entry = try await onlyEntry(key("own/\(number)"))
            try expect(try await content(entry) == body, "a commit lost its body")
        }
        let usage = try await store.usage()
        try expect(
            usage.entries == 25 && usage.bodies == Set(bodies).count, "concurrent commits count as \(usage)")
    }

    func refusesAppendingAfterCommit() async throws {
        for size in [100, 100_000] {
            let pending = try store.makePendingBody()
            try pending.append(bytes(size))
            let entry = try await store.commit(pending, key: key("\(size)"), response: response("v1"))
            var wasRefused = false
            do {
                try pending.append([0])
            } catch {
                wasRefused = true
            }
            try expect(wasRefused, "a committed body of \(size) bytes took more")
            try expect(try await content(entry) == bytes(size), "a committed body of \(size) bytes changed")
        }
    }
}
