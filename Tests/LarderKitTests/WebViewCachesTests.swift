import CacheTesting
import Foundation
import ResponseStore
import Testing

@testable import LarderKit

@Suite("The web views' own caches")
struct WebViewCachesTests {
    private final class DataStore: Sendable {}

    @Test("they are emptied when responses are removed or the account changes; one that is gone is forgotten")
    func emptying() async throws {
        let folder = try TemporaryDirectory()
        let configuration = LarderConfiguration(directory: URL(fileURLWithPath: folder.store))
        let larder = try Larder(configuration, transport: ScriptedTransport())
        let (kept, gone) = (WatchedValue(0), WatchedValue(0))
        let stores = [DataStore(), DataStore()]
        larder.webViewCaches.add(ObjectIdentifier(stores[0])) {
            kept.update { $0 += 1 }
            return true
        }
        larder.account = "anna"
        try await kept.wait { $0 == 1 }
        larder.webViewCaches.add(ObjectIdentifier(stores[1])) {
            gone.update { $0 += 1 }
            return false
        }
        _ = try await larder.removeAll()
        #expect(kept.value == 2)
        _ = try await larder.remove(EntrySelection(host: "shop.example"))
        #expect(kept.value == 3)
        _ = try await larder.remove(URL(test: "https://shop.example/"))
        #expect(kept.value == 4)
        _ = try await larder.logOut("ben")
        #expect(kept.value == 5)
        #expect(gone.value == 1)
    }
}
