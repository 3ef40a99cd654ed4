import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@Suite("larder store")
struct StoreCommandTests {
    private func makeStore(_ directory: String) async throws {
        let store = try DiskResponseStore(directory: directory, durability: .process)
        let now = WallInstant(unixSeconds: 1_790_000_000)
        for (path, length) in [("small", 100), ("large", 200_000)] {
            let pending = store.makePendingBody()
            try pending.append([UInt8](repeating: 7, count: length))
            _ = try await store.commit(
                pending, key: CacheKey(uri: "https://shop.test/\(path)"),
                response: StoredResponse(status: .ok, fields: [:], requestTime: now, responseTime: now))
        }
    }

    @Test("verify reads everything: 0 when it is whole, 1 and the URI when it is not, 2 where there is no store")
    func verify() async throws {
        let folder = NSTemporaryDirectory() + "/larder-verify-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let none = try await ToolProcess.run(ToolProcess.larder, ["store", "verify", "--store", folder])
        #expect(none.status == 2 && none.err.contains(folder))
        try await makeStore(folder)
        let whole = try await ToolProcess.run(ToolProcess.larder, ["store", "verify", "--store", folder])
        #expect(whole.status == 0 && whole.out.contains("2 entries, 2 bodies, 20"), "\(whole)")
        let bodies = FileManager.default.enumerator(atPath: folder + "/bodies")?.allObjects as? [String] ?? []
        let file = folder + "/bodies/" + (try #require(bodies.first { $0.count == 64 }))
        var bytes = try #require(FileManager.default.contents(atPath: file))
        bytes[150_000] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        let damaged = try await ToolProcess.run(ToolProcess.larder, ["store", "verify", "--json", "--store", folder])
        #expect(damaged.status == 1)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(damaged.out.utf8)) as? [String: Any])
        let problems = try #require(report["problems"] as? [[String: String]])
        #expect(problems.map { $0["uri"] } == ["https://shop.test/large"])
        #expect(report["entries"] as? Int == 2)
    }
}
