import CacheRules
import CacheTesting
import LarderKit
import Testing

/// An app imports LarderKit, and CacheRules for rules in Swift.
@Suite("import LarderKit is enough", .timeLimit(.minutes(5)))
struct AppImportTests {
    @Test("for a proxy with hosts and a password of the app's choice, and for its errors")
    func proxy() async throws {
        let folder = try TemporaryDirectory()
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: folder.store))
        configuration.budget = StoreBudget(total: .mebibytes(1))
        configuration.rules = RuleList { Rule("none", .neverStore) }
        let larder = try Larder(configuration)
        larder.connectivityOverride = .disconnected
        let proxy = try await larder.startProxy(
            intercept: .only([HostNamePattern("*.shop.test")]),
            credentials: ProxyCredentials(user: "app", password: "secret"))
        #expect(proxy.credentials?.user == "app")
        do {
            _ = try await larder.startProxy(port: proxy.port)
            Issue.record("Two proxies listen on one port.")
        } catch let error as ProxyError {
            #expect(error.code == .portTaken)
        }
        do {
            _ = try await larder.data(from: URL(fileURLWithPath: "/"))
            Issue.record("A file is no http URL.")
        } catch let error as EngineError {
            #expect(error.code == .invalidRequest)
        }
        await proxy.stop()
    }
}
