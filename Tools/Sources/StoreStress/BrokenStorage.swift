import CacheTesting
import HTTPCacheSemantics
import Locking
import ResponseStore

/// A store that breaks one promise now and then: the tests have to notice it.
package final class BrokenStorage: ForwardingStorage {
    package enum Fault: String, CaseIterable, Sendable {
        /// The second half of a body is zeros.
        case torn
        /// A body is another response's.
        case foreign
        /// A commit is acknowledged and not done.
        case lost
        /// A removal is acknowledged and not done.
        case kept
        /// A response that was replaced is found again.
        case stale
        /// A response is found with the fields of the one before it.
        case mixed
    }

    private struct Memory: Sendable {
        var count = 0
        var newest: [CacheKey: [StoredEntry]] = [:]
        var before: [CacheKey: [StoredEntry]] = [:]
        var bytes: [UInt8] = []
    }

    package let base: any ResponseStorage
    private let fault: Fault
    private let memory = LockedBox(Memory())

    package init(_ base: any ResponseStorage, _ fault: Fault) {
        self.base = base
        self.fault = fault
    }

    /// Every seventh time, where the fault is this one.
    private func breaks(_ kind: Fault) -> Bool {
        guard kind == fault else { return false }
        return memory.withLock { memory in
            memory.count += 1
            return memory.count % 7 == 0
        }
    }

    package func entries(for key: CacheKey) async throws -> [StoredEntry] {
        let found = try await base.entries(for: key)
        let known = memory.withLock { memory in
            let newest = memory.newest[key] ?? []
            if !newest.isEmpty, newest.map(\.response) != found.map(\.response) { memory.before[key] = newest }
            memory.newest[key] = found
            return memory.before[key] ?? found
        }
        if breaks(.stale) { return known }
        guard breaks(.mixed) else { return found }
        return found.map { entry in
            var entry = entry
            let before = known.first { $0.response.nominatedFields == entry.response.nominatedFields }
            entry.response.fields = before?.response.fields ?? entry.response.fields
            return entry
        }
    }

    package func open(_ entry: StoredEntry) async throws -> StoredContent {
        let content = try await base.open(entry)
        guard fault == .torn || fault == .foreign else { return content }
        let bytes: [UInt8]
        switch content {
        case .bytes(let all): bytes = all
        case .file(let file): bytes = try file.read(from: 0, upTo: Int(file.length.bytes))
        }
        if breaks(.torn), bytes.count > 1 {
            let half = bytes.count / 2
            return .bytes(bytes[..<half] + [UInt8](repeating: 0, count: bytes.count - half))
        }
        let before = memory.withLock { memory in
            defer { memory.bytes = bytes }
            return memory.bytes
        }
        return .bytes(breaks(.foreign) ? before : bytes)
    }

    package func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String?
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)? {
        if breaks(.lost), let known = try await base.entries(for: key).first { return (known, nil) }
        return try await base.commit(body, key: key, response: response, since: mark, noting: variant)
    }

    package func removeEntries(for key: CacheKey, keeping kept: [StoredEntry]) async throws -> Int {
        breaks(.kept) ? 1 : try await base.removeEntries(for: key, keeping: kept)
    }
}
