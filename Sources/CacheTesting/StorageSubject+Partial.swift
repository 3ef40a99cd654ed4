import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

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
                guard let combination = Combination(known.response.extent, with: part, completeLength: nil) else {
                    throw ConformanceFailure(guarantee: guarantee, message: "\(part) fits nowhere")
                }
                given.extent = combination.extent
                let pending = try store.makePendingBody()
                try pending.append(body)
                let added = try await store.extend(known, with: pending, by: combination, response: given, since: nil)
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
