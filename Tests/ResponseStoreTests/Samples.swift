import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

/// Keys, responses and bodies of the tests.
enum Samples {
    static let time = WallInstant(unixSeconds: 1_700_000_000)

    static func key(_ path: String) -> CacheKey { CacheKey(uri: "https://example.com/\(path)") }

    static func response(_ label: String, nominated: [String: String?] = [:]) -> StoredResponse {
        StoredResponse(
            nominatedFields: NominatedFields(values: nominated), status: .ok,
            fields: [.contentType: "text/plain", .eTag: "\"\(label)\""], requestTime: time, responseTime: time)
    }

    static func body(_ count: Int, _ fill: UInt8) -> [UInt8] { [UInt8](repeating: fill, count: count) }

    static func read(_ content: StoredContent) throws -> [UInt8] {
        switch content {
        case .bytes(let bytes): bytes
        case .file(let file): try file.read(from: 0, upTo: Int(file.length.bytes))
        }
    }
}

extension ResponseStorage {
    @discardableResult
    func put(
        _ body: [UInt8], _ path: String, _ label: String = "v1", nominated: [String: String?] = [:]
    ) async throws -> StoredEntry {
        let pending = try makePendingBody()
        try pending.append(body)
        return try await commit(
            pending, key: Samples.key(path), response: Samples.response(label, nominated: nominated))
    }

    func body(_ path: String) async throws -> [UInt8]? {
        guard let entry = try await entries(for: Samples.key(path)).first else { return nil }
        return try Samples.read(try await open(entry))
    }
}

/// The store error that the work throws; anything else is an issue.
func storeError(_ work: () async throws -> Void) async -> StoreError? {
    do {
        try await work()
        Issue.record("nothing was thrown")
    } catch let error as StoreError {
        return error
    } catch {
        Issue.record("another error was thrown: \(error)")
    }
    return nil
}
