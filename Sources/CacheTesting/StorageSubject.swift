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
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }

    @discardableResult
    func commit(_ body: [UInt8], _ key: CacheKey, _ response: StoredResponse) async throws -> StoredEntry {
        let pending = try store.makePendingBody()
        for start in stride(from: 0, to: body.count, by: 50_000) {
            try pending.append(Array(body[start..<min(body.count, start + 50_000)]))
        }
        return try await store.commit(pending, key: key, response: response)
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
