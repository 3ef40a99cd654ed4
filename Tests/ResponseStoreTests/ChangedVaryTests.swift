import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@Suite("RFC 9111 §4.3.4, a 304 that brings another Vary")
struct ChangedVaryTests {
    private static let key = CacheKey(uri: "https://shop.test/a")

    private func response(_ language: String?) -> StoredResponse {
        let nominated = NominatedFields(values: language.map { ["accept-language": .some($0)] } ?? [:])
        return StoredResponse(
            nominatedFields: nominated, status: .ok, fields: [.cacheControl: "max-age=60"],
            requestTime: WallInstant(unixSeconds: 1), responseTime: WallInstant(unixSeconds: 1))
    }

    private func check(_ store: any ResponseStorage) async throws {
        func commit(_ language: String?, _ text: String) async throws -> StoredEntry {
            let body = try store.makePendingBody()
            try body.append(Array(text.utf8))
            return try await store.commit(body, key: Self.key, response: response(language))
        }
        _ = try await commit("de", "old")
        let plain = try await commit(nil, "new")
        try await store.update(plain.id, key: Self.key, response: response("de"))
        let left = try await store.entries(for: Self.key)
        #expect(left.map(\.id) == [plain.id])
        #expect(left.first?.response.nominatedFields == response("de").nominatedFields)
        #expect(try await store.usage().bodies == 1)
    }

    @Test("the updated entry takes the new nominated values and replaces the variant that had them")
    func nominatedFieldsFollow() async throws {
        try await check(MemoryResponseStore())
        let directory = try TemporaryDirectory()
        try await check(try DiskResponseStore(directory: directory.store, durability: .process))
    }
}
