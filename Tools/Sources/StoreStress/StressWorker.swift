import CacheTesting
import HTTPCacheSemantics
import ResponseStore

/// Makes random changes, one at a time, and says each before it begins (`+ version …`) and when it has ended
/// (`= version`, `~ version` where there was nothing to change, `! version code` where it failed).
struct StressWorker: Sendable {
    let options: StressOptions
    let number: Int
    let storage: any ResponseStorage
    let voice: StressVoice
    let observer: StressObserver

    func run() async {
        var random = SplitMix64(seed: options.seed &* 1_000 &+ UInt64(number))
        for count in 0..<options.operations {
            let version = ((options.run * 64 + UInt64(number)) << 20) + UInt64(count) + 1_000_000
            let keys = options.sharesKeys ? options.allWorkers : 1
            let first = options.sharesKeys ? 0 : number
            let key = first * StressSlot.keysPerWorker + Int(random.next() % UInt64(keys * StressSlot.keysPerWorker))
            let slot = StressSlot(key: key, variant: Int(random.next() % UInt64(StressSlot.variants)))
            switch random.next() % 100 {
            case 0..<52: await commit(version, slot, random.next())
            case 52..<58: await update(version, key, random.next())
            case 58..<64: await extend(version, slot, random.next())
            case 64..<70: await copy(version, slot, random.next())
            case 70..<77:
                await change(version, "r \(key)") {
                    _ = try await storage.removeEntries(for: StressSlot.cacheKey(key))
                    return true
                }
            case 77:
                let worker = key / StressSlot.keysPerWorker
                await change(version, "o \(worker)") {
                    _ = try await storage.removeEntries(origin: StressSlot.origin(worker), partition: "")
                    return true
                }
            case 78..<81: abandon(version)
            default: await observer.look(key)
            }
        }
    }

    /// - Parameter work: Returns whether there was something to change.
    private func change(_ version: UInt64, _ what: String, _ work: () async throws -> Bool) async {
        voice.say("+ \(version) \(what)")
        do {
            voice.say(try await work() ? "= \(version)" : "~ \(version)")
        } catch {
            voice.say("! \(version) \(StressVoice.code(error))")
        }
    }

    private func commit(_ version: UInt64, _ slot: StressSlot, _ chance: UInt64) async {
        let content =
            switch chance % 8 {
            case 0, 1: (chance >> 8) % StressContent.sharedNumbers
            // A worker that shares keys can't tell whether a second variant has the same parts.
            case 2,
                3 where !options.sharesKeys:
                StressParts(base: version).number
            default: version
            }
        let state = StressState(version: version, content: content)
        await change(version, "c \(slot.key) \(slot.variant) \(content)") {
            let bytes = StressContent(content, limit: options.limit).bytes
            let pending = try storage.makePendingBody()
            for start in stride(from: 0, to: bytes.count, by: 50_000) {
                try pending.append(Array(bytes[start..<min(bytes.count, start + 50_000)]))
            }
            _ = try await storage.commit(
                pending, key: StressSlot.cacheKey(slot.key), response: state.response(in: slot))
            return true
        }
    }

    /// Updates as a 304 does: new fields over the same content.
    private func update(_ version: UInt64, _ key: Int, _ chance: UInt64) async {
        let found = await observer.look(key)
        guard !found.isEmpty else { return }
        let (entry, variant, content) = found[Int(chance % UInt64(found.count))]
        let state = StressState(version: version, content: content)
        let slot = StressSlot(key: key, variant: variant)
        await change(version, "u \(key) \(variant) \(content)") {
            try await storage.update(entry.id, key: entry.key, response: state.response(in: slot))
            return true
        }
    }

    /// One part more of what has come in part; where nothing has, something new.
    private func extend(_ version: UInt64, _ slot: StressSlot, _ chance: UInt64) async {
        let found = await observer.look(slot.key)
        let candidates = found.filter { one in
            one.entry.response.extent != .complete && found.count { $0.content == one.content } == 1
        }
        guard !candidates.isEmpty, !options.sharesKeys else { return await commit(version, slot, chance) }
        let (entry, variant, content) = candidates[Int(chance % UInt64(candidates.count))]
        guard let next = StressParts(content)?.next,
            let combination = Combination(entry.response.extent, with: next.last, completeLength: nil)
        else { return }
        let state = StressState(version: version, content: next.number)
        let response = state.response(in: StressSlot(key: slot.key, variant: variant))
        await change(version, "p \(slot.key) \(variant) \(next.number)") {
            let pending = try storage.makePendingBody()
            let whole = StressContent.bytes(next.base, next.length)
            try pending.append(Array(whole[Int(next.last.lowerBound)..<Int(next.last.upperBound)]))
            return try await storage.extend(entry, with: pending, by: combination, response: response, since: nil)
                != nil
        }
    }

    /// Another variant with the same content.
    private func copy(_ version: UInt64, _ slot: StressSlot, _ chance: UInt64) async {
        let found = await observer.look(slot.key)
        guard !found.isEmpty else { return }
        let (entry, _, content) = found[Int(chance % UInt64(found.count))]
        let state = StressState(version: version, content: content)
        await change(version, "v \(slot.key) \(slot.variant) \(content)") {
            try await storage.commit(contentOf: entry, response: state.response(in: slot), since: nil) != nil
        }
    }

    /// A transfer that ends early.
    private func abandon(_ version: UInt64) {
        let pending = try? storage.makePendingBody()
        try? pending?.append(StressContent(version, limit: options.limit).bytes)
    }
}
