import CacheTesting
import CachingProxy
import Foundation
import HTTPCacheSemantics
import LarderKit
import NIOPosix
import NIOTransport
import OriginDialing
import Testing

@testable import QuickStart

/// `Larder.startProxy` as an app has it: one store, one account and one network for the app's own requests and its
/// pages.
@Suite("An app's own proxy", .timeLimit(.minutes(5)))
struct StartProxyTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private var configuration: LarderConfiguration {
        LarderConfiguration(directory: URL(fileURLWithPath: folder.store))
    }

    private func origin() async throws -> PageOrigin {
        try await PageOrigin.start { request in
            PageOrigin.Answer(
                fields: ["Cache-Control": "max-age=600"],
                body: "\(request.path) of \(request.cookie("user") ?? "nobody")")
        }
    }

    private func curl(_ url: String, through proxy: LarderProxy, _ more: [String] = []) async throws -> String {
        let user = proxy.credentials.map { ["--proxy-user", "\($0.user):\($0.password)"] } ?? []
        let answer = try await ToolProcess.curl(["-i", "-x", "http://127.0.0.1:\(proxy.port)"] + user + more + [url])
        return answer.out + answer.err
    }

    @Test("what a page has loaded answers it and the app, with and without a network, and the other way round")
    func shared() async throws {
        let origin = try await origin()
        let url = "http://127.0.0.1:\(origin.port)"
        let larder = try Larder(configuration)
        let proxy = try await larder.startProxy(sendsCacheStatus: true)
        let first = try await curl(url + "/page", through: proxy)
        #expect(first.contains("/page of nobody") && first.contains("Cache-Status: Larder; fwd=uri-miss"))
        let second = try await curl(url + "/page", through: proxy)
        #expect(second.contains("/page of nobody") && second.contains("Cache-Status: Larder; hit"))
        let (page, response) = try await larder.data(from: try #require(URL(string: url + "/page")))
        #expect(String(decoding: page, as: UTF8.self) == "/page of nobody")
        #expect(response.value(forHTTPHeaderField: "Cache-Status")?.contains("hit") == true)
        #expect(origin.requests.count == 1)
        _ = try await larder.data(from: try #require(URL(string: url + "/own")))
        larder.connectivityOverride = .disconnected
        #expect(try await curl(url + "/own", through: proxy).contains("/own of nobody"))
        #expect(try await curl(url + "/none", through: proxy).hasPrefix("HTTP/1.1 504"))
        #expect(origin.requests.count == 2)
        await proxy.stop()
    }

    @Test("a change of account separates what the same proxy answers")
    func accounts() async throws {
        let origin = try await origin()
        let url = "http://127.0.0.1:\(origin.port)/me"
        let larder = try Larder(configuration)
        let proxy = try await larder.startProxy()
        for (account, asked) in [("anna", 1), ("ben", 2), ("anna", 2), (nil, 3)] as [(String?, Int)] {
            larder.account = account
            let answer = try await curl(url, through: proxy, ["-b", "user=\(account ?? "nobody")"])
            #expect(answer.contains("/me of \(account ?? "nobody")"))
            #expect(origin.requests.count == asked)
        }
        try await larder.logOut("anna")
        larder.account = "anna"
        larder.connectivityOverride = .disconnected
        #expect(try await curl(url, through: proxy).hasPrefix("HTTP/1.1 504"))
        await proxy.stop()
    }

    @Test("nobody is let in without the password; stopping closes the port, and the app's own requests go on")
    func stopping() async throws {
        let origin = try await origin()
        let url = "http://127.0.0.1:\(origin.port)/page"
        let larder = try Larder(configuration)
        let proxy = try await larder.startProxy()
        let stranger = try await ToolProcess.curl(["-i", "-x", "http://127.0.0.1:\(proxy.port)", url])
        #expect(stranger.out.hasPrefix("HTTP/1.1 407"))
        await proxy.stop()
        #expect(try await curl(url, through: proxy).contains("curl: (7)"))
        let (page, _) = try await larder.data(from: try #require(URL(string: url)))
        #expect(String(decoding: page, as: UTF8.self) == "/page of nobody")
    }

    @Test("two proxies of one Larder share its store; a port that is taken is a typed error")
    func several() async throws {
        let origin = try await origin()
        let url = "http://127.0.0.1:\(origin.port)/page"
        let larder = try Larder(configuration)
        let proxies = [try await larder.startProxy(), try await larder.startProxy(credentials: nil)]
        for proxy in proxies { #expect(try await curl(url, through: proxy).contains("/page of nobody")) }
        #expect(origin.requests.count == 1)
        #expect(proxies[0].authorityCertificatePEM == proxies[1].authorityCertificatePEM)
        let error = await #expect(throws: ProxyError.self) { try await larder.startProxy(port: proxies[0].port) }
        #expect(error?.code == .portTaken)
        await proxies[0].stop()
        let again = try await larder.startProxy(port: proxies[0].port)
        #expect(again.port == proxies[0].port)
        for proxy in [again, proxies[1]] { await proxy.stop() }
    }

    @Test(
        "https is answered from the store for clients that trust the authority, and left unread where that is asked for"
    )
    func interception() async throws {
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let origin = try await PageOrigin.start(tls: authority.makeIdentity(names: ["shop.test", "bank.test"])) {
            request in
            PageOrigin.Answer(fields: ["Cache-Control": "max-age=600"], body: "of \(request.host)")
        }
        let names = ["shop.test", "bank.test"].map { "\($0):443:127.0.0.1:\(origin.port)" }
        let dialer = OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton, hostMap: try HostMap(names),
            trust: try OriginTrust(additionalAuthorities: folder.path + "/origin/ca.pem"))
        let larder = try Larder(configuration, transport: NIOOriginTransport(dialer: dialer))
        let proxy = try await larder.startProxy(intercept: .allExcept([HostNamePattern("bank.test")]))
        let trusted = try folder.write("proxy.pem", proxy.authorityCertificatePEM)
        for _ in 1...2 {
            #expect(
                try await curl("https://shop.test/", through: proxy, ["--cacert", trusted]).contains("of shop.test"))
        }
        #expect(origin.requests.count == 1)
        // The tunnel shows the origin's own certificate, which the proxy's authority has not signed.
        #expect(try await !curl("https://bank.test/", through: proxy, ["--cacert", trusted]).contains("of bank.test"))
        let own = ["--cacert", folder.path + "/origin/ca.pem"]
        #expect(try await curl("https://bank.test/", through: proxy, own).contains("of bank.test"))
        await proxy.stop()
    }

    @Test("the README's lines run as they stand")
    func quickStart() async throws {
        let origin = try await origin()
        let shop = try #require(URL(string: "http://127.0.0.1:\(origin.port)/shop"))
        let (larder, page, response, proxy) = try await QuickStart.quickStart(
            cachesFolder: URL(fileURLWithPath: folder.store), shop: shop)
        #expect(String(decoding: page, as: UTF8.self) == "/shop of nobody" && response.statusCode == 200)
        #expect(try await larder.data(from: shop).0 == page)
        #expect(try await curl(shop.absoluteString, through: proxy).contains("/shop of nobody"))
        #expect(origin.requests.count == 1)
        await proxy.stop()
    }
}
