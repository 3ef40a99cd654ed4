import CacheTesting
import CachingProxy
import ChildPrograms
import DemoSite
import Foundation
import LarderHost
import OriginDialing
import Testing
import WebVisit

/// Real pages in a real WebKitGTK. One at a time: each starts three processes of WebKit's own.
@Suite("a real web view", .serialized)
struct WebViewTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// A visitor with the demo site behind it.
    private func visitor(
        _ policy: InterceptPolicy, for site: DemoSite, tls: Bool, _ display: Display
    ) async throws -> (visitor: PageVisitor, origin: DemoOrigin, leaf: String) {
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let identity = try authority.makeIdentity(names: [site.hosts.shop, site.hosts.cdn])
        let origin = DemoOrigin(site: site)
        let port = try await origin.start(
            certificate: tls
                ? OriginCertificate(chainPEM: identity.certificatePEM, privateKeyPEM: identity.keyPEM) : nil)
        var setup = ProxySetup(storeDirectory: folder.store, mode: .forward(intercept: policy))
        setup.cache.hostMap = try HostMap(
            [site.hosts.shop, site.hosts.cdn].map { "\($0):\(tls ? 443 : 80):127.0.0.1:\(port)" })
        setup.cache.originAuthorities = folder.path + "/origin/ca.pem"
        setup.cache.rules = .webViewDefaults
        return (try await PageVisitor.start(setup, display: display), origin, identity.certificatePEM)
    }

    /// Seconds; a machine that does much else at the time needs more than people would wait.
    private static let patience = 240.0
    private static let everything = """
        const demo = await window.__demo.ready;
        const upload = await demo.upload(2000000);
        const ranges = await demo.ranges();
        const ws = await demo.echo;
        return [upload.match, [ranges.start, ranges.end].every(r => r.status === 206), ws, demo.api.basket.status];
        """

    @Test("uploads, ranges, WebSocket, preflights and the API work through the proxy", arguments: ["https", "http"])
    func fullFidelity(_ scheme: String) async throws {
        let display = try await Display.find()
        defer { display.stop() }
        let site = try DemoSite.build(version: 1, hosts: DemoHosts(scheme: scheme))
        let (visitor, origin, _) = try await visitor(.allExcept([]), for: site, tls: scheme == "https", display)
        let result = try await visitor.visit(
            VisitRequest(
                url: "\(scheme)://shop.test/", timeoutSeconds: Self.patience, script: Self.everything,
                scriptTimeoutSeconds: Self.patience))
        #expect(!result.timedOut)
        #expect(result.scriptError == nil)
        #expect(result.scriptResult == #"[true,true,"echoed",200]"#)
        #expect(result.failedResources == [])
        #expect(result.console.filter { $0.level == .error } == [])
        await visitor.proxy.stop()
        await origin.stop()
    }

    @Test("a certificate that is not exactly our leaf for that host is refused", arguments: [false, true])
    func wrongLeaf(_ trustsAnother: Bool) async throws {
        let display = try await Display.find()
        defer { display.stop() }
        let site = try DemoSite.build(version: 1)
        // Tunnelled unread, so the web view meets the origin's own certificate.
        let (visitor, origin, _) = try await visitor(.none, for: site, tls: true, display)
        var request = VisitRequest(url: "https://shop.test/", timeoutSeconds: Self.patience)
        if trustsAnother {
            let other = try CertificateAuthority(directory: folder.path + "/other").makeIdentity(names: ["shop.test"])
            request.trusted = [TrustedLeaf(host: "shop.test", certificatePEM: other.certificatePEM)]
        }
        let result = try await visitor.visit(request)
        #expect(result.loadError?.domain == "tls")
        #expect(origin.log.requests.isEmpty)
        await visitor.proxy.stop()
        await origin.stop()
    }

    @Test("the demo: every check holds, with and without Larder")
    func demo() async throws {
        let result = try await ToolProcess.run(
            ToolProcess.larder, ["demo", "--runs", "1", "--json", "--report", folder.path + "/demo.html"])
        #expect(result.status == 0, "\(result.err)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
        let checks = try #require(report["checks"] as? [[String: Any]])
        #expect(checks.count == 16)
        for check in checks {
            let (statement, evidence) = ("\(check["statement"] ?? "")", "\(check["evidence"] ?? "")")
            #expect(check["holds"] as? Bool == true, "\(statement): \(evidence)")
        }
        let page = try String(contentsOfFile: folder.path + "/demo.html", encoding: .utf8)
        #expect(page.contains("data:image/png;base64,"))
    }

    @Test("without a network and without a copy, a person gets a page that says so", arguments: ["https", "http"])
    func offlinePage(_ scheme: String) async throws {
        let result = try await ToolProcess.run(
            ToolProcess.larder,
            ["open", "\(scheme)://never.test/", "--offline", "--json", "--store", folder.path + "/s"])
        #expect(result.status == 1)
        // Its name may be mistyped.
        #expect(result.err.contains("There was no store in '\(folder.path)/s'"))
        #expect(result.out.contains(#""title" : "You are offline""#))
        #expect(result.out.contains("Larder; fwd=uri-miss; detail=disconnected"))
    }

    @Test("killed in the middle of a cold load: the next visit is whole")
    func killedWhileLoading() async throws {
        let site = try DemoSite.build(version: 1, hosts: DemoHosts(scheme: "http"))
        let origin = DemoOrigin(site: site, shaping: .fourG)
        let port = try await origin.start()
        let arguments =
            ["open", "http://shop.test/", "--json", "--store", folder.path + "/s"]
            + [site.hosts.shop, site.hosts.cdn].flatMap { ["--resolve", "\($0):80:127.0.0.1:\(port)"] }
        let first = try ChildProcess(ToolProcess.larder, arguments)
        // Ten answers are out, the rest is on its way.
        while origin.log.requests.count < 10, first.ending == nil { await Task.yield() }
        first.signal(SIGKILL)
        await first.ended()

        let second = try await ToolProcess.run(ToolProcess.larder, arguments)
        #expect(second.status == 0)
        #expect(!second.out.contains(#""outcome" : "failed""#))
        let third = try await ToolProcess.run(ToolProcess.larder, arguments + ["--offline"])
        #expect(third.status == 0)
        await origin.stop()
    }

    @Test(
        "a real application that none of us wrote: cold, warm, offline, and where its server says nothing",
        .enabled(
            if: ProcessInfo.processInfo.environment["LARDER_APPLICATION"] != nil,
            "the package index could not be reached"))
    func realApplication() async throws {
        let site = try #require(ProcessInfo.processInfo.environment["LARDER_APPLICATION"])
        let out = try OutputPipe()
        let server = try ChildProcess(
            "/usr/bin/env",
            ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", site],
            output: .pipe(out))
        defer { server.terminate() }
        let line = String(decoding: await out.readAll { $0.contains(0x0A) }, as: UTF8.self)
        let port = try #require(line.firstMatch(of: #/port (\d+)/#)?.1)
        let result = try await ToolProcess.run(
            ToolProcess.larder,
            [
                "demo", "--runs", "1", "--url", "http://handbook.test/", "--resolve",
                "handbook.test:80:127.0.0.1:\(port)", "--network", "silent", "--json",
                "--report", folder.path + "/r.html",
            ])
        #expect(result.status == 0, "\(result.out.prefix(3_000))")
        #expect(result.out.contains("Silent network: the page opens"))
        // Its files state no freshness and have a date: it may be fresh by RFC 9111 §4.2.2, and then nothing is asked.
        let alone = ["nothing is shown", "the page is in the web view's own cache"]
        #expect(alone.contains { result.out.contains("Silent network without Larder: \($0)") })
        // The other side has that cache.
        let report = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
        let visits = try #require(report["visits"] as? [[String: Any]]).filter { $0["usesLarder"] as? Bool == false }
        let bytes = visits.reduce(into: [:]) { $0["\($1["name"] ?? "")"] = $1["originBytes"] as? Int }
        let (cold, warm) = (try #require(bytes["cold"]), try #require(bytes["warm"]))
        #expect(warm < cold / 2, "\(bytes)")
    }
}
