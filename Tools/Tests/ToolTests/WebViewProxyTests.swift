import CacheTesting
import CachingProxy
import Foundation
import Testing
import ViewCare

@testable import LarderKit

/// The proxies that a Larder starts for web views on Apple's platforms, from sockets.
@Suite("The proxy behind an app's web views", .timeLimit(.minutes(5)))
struct WebViewProxyTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func curl(_ url: String, through proxy: LarderProxy, _ more: [String] = []) async throws -> String {
        let user = proxy.credentials.map { ["--proxy-user", "\($0.user):\($0.password)"] } ?? []
        let answer = try await ToolProcess.curl(["-i", "-x", "http://127.0.0.1:\(proxy.port)"] + user + more + [url])
        return answer.out + answer.err
    }

    @Test("has the options' port, shows Cache-Status where they say so, and its reports name the web view that asked")
    func options() async throws {
        let origin = try await PageOrigin.start { request in
            PageOrigin.Answer(fields: ["Cache-Control": "max-age=600"], body: request.path)
        }
        let url = "http://127.0.0.1:\(origin.port)/page"
        let larder = try Larder(LarderConfiguration(directory: URL(fileURLWithPath: folder.store)))
        var options = WebViewProxyOptions()
        (options.sendsCacheStatus, options.keepsKeyInStoreFolder) = (true, true)
        let first = try await larder.startProxy(for: options)
        (options.port, options.sendsCacheStatus) = (first.port, false)
        let error = await #expect(throws: ProxyError.self) { try await larder.startProxy(for: options) }
        #expect(error?.code == .portTaken)
        var events = larder.events.makeAsyncIterator()
        let view = larder.visits.addView()
        larder.visits.announce(url, in: view, at: larder.clock.uptime())
        larder.visits.begin(in: view, at: larder.clock.uptime())
        #expect(
            try await curl(url, through: first, ["-H", "Sec-Fetch-Dest: document"]).contains("Cache-Status: Larder"))
        var report = try #require(await events.next())
        #expect(report.view == "web view 1" && report.visit == 1 && report.document == url)
        _ = larder.visits.addView()
        _ = try await curl(url + ".js", through: first, ["-e", url])
        report = try #require(await events.next())
        #expect(report.view == "web view 1" && report.visit == 1 && report.referrer == url)
        await first.stop()
        let second = try await larder.startProxy(for: options)
        #expect(second.port == options.port)
        #expect(try await !curl(url, through: second).contains("Cache-Status"))
        _ = try #require(await events.next())
        await second.stop()
        // A proxy that the app starts for others has its clients by their connections.
        let own = try await larder.startProxy()
        _ = try await curl(url, through: own)
        report = try #require(await events.next())
        #expect(report.view.hasPrefix("port ") && report.visit == nil)
        await own.stop()
    }

    @Test("a number that is no port is an error", arguments: [-1, 65_536, .max, .min])
    func ports(_ port: Int) async throws {
        let larder = try Larder(LarderConfiguration(directory: URL(fileURLWithPath: folder.store)))
        var options = WebViewProxyOptions()
        options.port = port
        let error = await #expect(throws: ProxyError.self) { try await larder.startProxy(for: options) }
        #expect(error?.code == .cannotListen)
    }

    @Test("that of the self-test answers its page with certificates of its own, and nothing else, and stores nothing")
    func capabilities() async throws {
        let larder = try Larder(LarderConfiguration(directory: URL(fileURLWithPath: folder.store)))
        var options = WebViewProxyOptions()
        options.keepsKeyInStoreFolder = true
        let proxy = try await larder.startCapabilityProxy(options)
        let trusted = ["--cacert", try folder.write("proxy.pem", proxy.authorityCertificatePEM)]
        #expect(
            try await curl(CapabilityTransport.pageURL, through: proxy, trusted).contains("<title>Capabilities</title>")
        )
        // Answered by nobody in the network: the name does not exist, and the proxy opens no tunnel.
        #expect(try await curl("https://example.test/", through: proxy, trusted).contains("HTTP/1.1 403"))
        #expect(try proxy.presentedLeafDER(for: CapabilityTransport.host) != nil)
        #expect(try await larder.usage.responses == 0)
        let other = try await larder.startProxy(for: options)
        #expect(other.authorityCertificatePEM == proxy.authorityCertificatePEM)
        for proxy in [proxy, other] { await proxy.stop() }
    }
}
