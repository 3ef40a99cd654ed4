import AppleFoundation
import CacheTesting
import Locking
import Testing
import ViewCare
import WKWebViewOnApple

@testable import LarderOnApple

@Suite("The proxy behind web views")
struct WebViewProxyTests {
    @Test("is one for all that want the same, and another one for other options")
    @MainActor
    func shared() async throws {
        let larder = try Larder(LarderConfiguration(directory: URL(fileURLWithPath: "/store")))
        var others = WebViewProxyOptions()
        others.port = 8_080
        var uses: [WebViewProxy] = []
        for options in [WebViewProxyOptions(), others, WebViewProxyOptions(), others] {
            uses.append(try await larder.webViewProxy(options))
        }
        #expect(larder.started.withLock { $0 } == ["port 0", "port 8080"])
        #expect(uses[0].use === uses[2].use && uses[0].use !== uses[1].use)
        _ = try await larder.capabilityProxy(others)
        #expect(larder.started.withLock { $0 }.last == "capabilities")
    }

    @Test(
        "opens the TLS of the hosts that are named, and of none that is not",
        arguments: [
            (.none, "shop.test", false), (.only(["shop.test"]), "SHOP.test", true),
            (.only(["shop.test"]), "bank.test", false), (.only([]), "shop.test", false),
            (.only(["accounts.google.com"]), "accounts.google.com", true), (.allExcept([]), "shop.test", true),
            (.allExcept(["Bank.test"]), "bank.test", false), (.allExcept(["bank.test"]), "accounts.google.com", false),
            (WebViewProxyOptions().intercepted, "shop.test", true),
            (WebViewProxyOptions().intercepted, "appleid.apple.com", false),
            (.only(["https://shop.test"]), "shop.test", false),
        ] as [(InterceptedHosts, String, Bool)])
    func hosts(_ hosts: InterceptedHosts, _ host: String, _ isIntercepted: Bool) {
        #expect(InterceptPolicy(hosts).includes(host) == isIntercepted)
    }
}
