import HTTPCacheSemantics
import ResponseStore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Looks keys up, reads every byte of what it finds, and says what it saw.
struct StressObserver: Sendable {
    let storage: any ResponseStorage
    let voice: StressVoice
    let limit: Int

    /// One look-up: `< number key` before it, `> number key` with all variants after it, `x number code` when it
    /// failed. A variant whose content was gone when it was opened is `variant:gone`.
    ///
    /// - Parameter mark: `?` in place of `>` when nobody else is at work.
    @discardableResult
    func look(_ key: Int, mark: String = ">") async -> [(entry: StoredEntry, variant: Int, content: UInt64)] {
        let number = voice.nextNumber()
        voice.say("< \(number) \(key)")
        var words: [String] = []
        var found: [(StoredEntry, Int, UInt64)] = []
        var failure: String?
        do {
            for entry in try await storage.entries(for: StressSlot.cacheKey(key)) {
                guard let (slot, state) = StressState.read(entry.response), slot.key == key,
                    entry.key == StressSlot.cacheKey(key)
                else {
                    voice.say("BAD key \(key): a response that nobody stored: \(entry.response.fields)")
                    continue
                }
                do {
                    check(try await read(entry), state, slot)
                    words.append("\(slot.variant):\(state)")
                    found.append((entry, slot.variant, state.content))
                } catch let error as StoreError where error.code == .corruptEntry {
                    words.append("\(slot.variant):gone")
                } catch {
                    failure = "key \(key) variant \(slot.variant): " + StressVoice.code(error)
                }
            }
        } catch {
            failure = "key \(key): " + StressVoice.code(error)
        }
        if let failure {
            voice.say("x \(number) \(failure)")
        } else {
            voice.say("\(mark) \(number) \(key) \(words.joined(separator: " "))")
        }
        return found
    }

    private func read(_ entry: StoredEntry) async throws -> [UInt8] {
        switch try await storage.open(entry) {
        case .bytes(let bytes): return bytes
        case .file(let file):
            // In pieces, as a transfer reads it.
            var bytes: [UInt8] = []
            while bytes.count < Int(file.length.bytes) {
                let piece = try file.read(from: Int64(bytes.count), upTo: 100_000)
                if piece.isEmpty { break }
                bytes += piece
            }
            return bytes
        }
    }

    private func check(_ bytes: [UInt8], _ state: StressState, _ slot: StressSlot) {
        let expected = StressContent(state.content, limit: limit).bytes
        // memcmp: a loop over two megabytes takes long in a debug build.
        let isWhole = bytes.count == expected.count && memcmp(bytes, expected, bytes.count) == 0
        if isWhole { return }
        let first = zip(bytes, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        voice.say(
            "BAD key \(slot.key) variant \(slot.variant) version \(state): \(bytes.count) bytes served of "
                + "\(expected.count), the first wrong one at \(first ?? min(bytes.count, expected.count))")
    }
}
