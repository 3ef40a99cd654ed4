import HTTPCacheSemantics
import HTTPTypes
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
        for size in [10, 200_000] { _ = try pending(bytes(size)) }
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
        let tag = try require(same.response.fields[.eTag], "the surviving entry has no tag")
        let winner = try require(Int(tag.dropFirst().dropLast()), "the surviving entry has another tag")
        try expect(try await content(same) == bodies[winner], "one commit's fields stand over another's body")
        for (number, body) in bodies.enumerated() {
            let entry = try await onlyEntry(key("own/\(number)"))
            try expect(try await content(entry) == body, "a commit lost its body")
        }
        let usage = try await store.usage()
        try expect(usage.entries == 25 && usage.bodies == Set(bodies).count, "concurrent commits count as \(usage)")
    }

    func refusesAppendingAfterCommit() async throws {
        for size in [100, 100_000] {
            let pending = try pending(bytes(size))
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

extension StorageSubject {
    func keepsExtents() async throws {
        let extents: [(ContentExtent, Int)] = [
            (.complete, 100), (.partial([0..<100], completeLength: 200), 100),
            (.partial([0..<100], completeLength: nil), 100),
            (.partial([5_000_000_000..<5_000_000_100], completeLength: 9_000_000_000), 100),
            (.partial([0..<10, 20..<30, 70..<90], completeLength: 91), 40),
            (.partial([7..<8], completeLength: 8), 1),
            (.partial([0..<20_000, 30_000..<60_000], completeLength: 60_001), 50_000),
        ]
        for (number, (extent, count)) in extents.enumerated() {
            var given = response("v\(number)")
            given.extent = extent
            let committed = try await commit(bytes(count, seed: UInt64(number + 1)), key("\(number)"), given)
            try expect(committed.response == given, "the commit of \(extent) returned \(committed.response.extent)")
            let found = try await onlyEntry(key("\(number)"))
            try expect(found.response == given, "\(extent) came back as \(found.response.extent)")
            try expect(
                try await content(found) == bytes(count, seed: UInt64(number + 1)),
                "the content of \(extent) came back changed")
        }
    }

    func replacesPartsByTheWhole() async throws {
        var part = response("v1")
        part.extent = .partial([0..<30_000], completeLength: 50_000)
        try await commit(bytes(30_000, seed: 1), key("a"), part)
        try await commit(bytes(50_000, seed: 2), key("a"), response("v1"))
        let found = try await onlyEntry(key("a"))
        try expect(found.response.extent == .complete, "the whole came back as \(found.response.extent)")
        try expect(try await content(found) == bytes(50_000, seed: 2), "the whole has the part's content")
        let usage = try await store.usage()
        try expect(usage.entries == 1 && usage.bodies == 1, "the part still counts: \(usage)")
    }

    func keepsTheNeedOfValidation() async throws {
        var given = response("v1")
        given.needsValidation = true
        try await commit(bytes(10), key("a"), given)
        try expect(try await onlyEntry(key("a")).response == given, "the need of validation was forgotten")
        given.needsValidation = false
        let entry = try await onlyEntry(key("a"))
        try await store.update(entry.id, key: key("a"), response: given)
        try expect(try await onlyEntry(key("a")).response == given, "the need of validation outlived the validation")
        given.needsValidation = true
        try await store.update(entry.id, key: key("a"), response: given)
        try expect(try await onlyEntry(key("a")).response == given, "an update forgot the need of validation")
    }

    func updatesKeepExtents() async throws {
        var given = response("v1")
        given.extent = .partial([0..<10, 20..<30], completeLength: 40)
        given.status = .partialContent
        let entry = try await commit(bytes(20), key("a"), given)
        given.fields[.eTag] = "\"v1\""
        given.responseTime = WallInstant(unixSeconds: 1_700_000_900)
        try await store.update(entry.id, key: key("a"), response: given)
        let found = try await onlyEntry(key("a"))
        try expect(found.response == given, "after an update the entry is \(found.response)")
        try expect(try await content(found) == bytes(20), "an update changed the content of parts")
    }

    func addsParts() async throws {
        let whole = bytes(300_000, seed: 9)
        let orders: [[Range<Int64>]] = [
            [0..<100, 100..<70_000, 70_000..<150_000, 150_000..<300_000],
            [200_000..<300_000, 100_000..<200_000, 0..<100_000],
            [150_000..<230_000, 0..<80_000, 60_000..<160_000, 230_000..<231_000, 231_000..<300_000],
        ]
        for (number, parts) in orders.enumerated() {
            let name = key("\(number)")
            var given = response("v1")
            for part in parts {
                let body = Array(whole[Int(part.lowerBound)..<Int(part.upperBound)])
                guard let known = try await store.entries(for: name).first else {
                    given.extent = .partial([part], completeLength: 300_000)
                    try await commit(body, name, given)
                    continue
                }
                let combination = try require(
                    Combination(known.response.extent, with: part, completeLength: nil), "\(part) fits nowhere")
                given.extent = combination.extent
                let added = try await store.extend(
                    known, with: try pending(body), by: combination, response: given, since: nil)
                try expect(added?.response == given, "adding \(part) returned \(String(describing: added?.response))")
                try expect(added?.id != known.id, "what is longer has its former identity")
                let found = try await onlyEntry(name)
                try expect(found.response == given && found.id == added?.id, "\(part) came back as another response")
                let content = try await content(found)
                for part in found.response.extent.parts ?? [0..<300_000] {
                    let regions = found.response.extent.regions(of: part) ?? []
                    try expect(
                        regions.flatMap { content[Int($0.lowerBound)..<Int($0.upperBound)] }
                            == Array(whole[Int(part.lowerBound)..<Int(part.upperBound)]), "\(part) came back changed")
                }
            }
            let found = try await onlyEntry(name)
            try expect(found.response.extent == .complete, "the whole came back as \(found.response.extent)")
        }
        let usage = try await store.usage()
        try expect(usage.entries == 3 && usage.bodies == 1, "wholes that are equal count as \(usage)")
    }
}
