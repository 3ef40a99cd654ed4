import CacheTesting
import CachingProxy
import DemoSite
import Foundation
import LarderHost
import Testing
import WebVisit

/// The sample shop with whole addresses in its pages, style sheets and scripts but for imports, on one host.
@Suite("absolute addresses of a page's own host, in a real web view", .serialized, .timeLimit(.minutes(30)))
struct AbsoluteAddressTests {
    private struct Seen {
        /// What the page's scripts read of it.
        var document: String
        /// What came of each address that Larder answered.
        var outcomes: [String: String]
        /// What went past Larder: nobody else answers for the host.
        var past: Set<String>
        /// Errors in the console.
        var errors: Set<String>
    }

    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let host = "shop.test"
    /// The document once the shop has come to rest; relative addresses that it resolved have its own scheme.
    private static let read = """
        await Promise.race([window.__demo?.ready, new Promise(resolve => setTimeout(resolve, 15000))]);
        return document.documentElement.outerHTML.replaceAll('app-cache-https:', 'https:');
        """

    private func visit(_ mode: InterceptionMode, _ hosts: DemoHosts) async throws -> Seen {
        let display = try await Display.find()
        defer { display.stop() }
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let identity = try authority.makeIdentity(names: [Self.host])
        let origin = DemoOrigin(site: try DemoSite.build(version: 1, hosts: hosts))
        let port = try await origin.start(
            certificate: OriginCertificate(chainPEM: identity.certificatePEM, privateKeyPEM: identity.keyPEM))
        let session = try await WebViewSession.start(
            SessionRequest(
                view: VisitRequest(url: "about:blank", timeoutSeconds: 120), mode: mode,
                cache: SessionCacheRequest(
                    storeDirectory: folder.path + "/\(mode.rawValue)",
                    hostMap: ["\(Self.host):443:127.0.0.1:\(port)"],
                    originAuthorities: folder.path + "/origin/ca.pem")),
            display: display, program: mode == .httpsScheme ? "larder-webview-testhost" : "larder-webview")
        let opened = try await session.perform(.open(url: "https://\(Self.host)/")).seen
        #expect(opened.loadError == nil && opened.mainStatus == 200)
        let ran = try await session.perform(.run(script: Self.read)).seen
        let exchanges = session.takeExchanges()
        await session.end()
        await origin.stop()
        let isPast = { (url: String) in url.hasPrefix("https://") && mode == .appScheme }
        return Seen(
            document: ran.scriptResult ?? ran.scriptError ?? "",
            outcomes: Dictionary(exchanges.map { ($0.url, $0.outcome) }, uniquingKeysWith: { first, _ in first }),
            past: Set((opened.failedResources + ran.failedResources).map(\.url).filter(isPast)),
            errors: Set((opened.console + ran.console).filter { $0.level == .error }.map(\.text)))
    }

    @Test("the shop looks as it does at https, and nothing but its film goes past Larder")
    func shop() async throws {
        var hosts = DemoHosts(cdn: Self.host)
        hosts.namesOrigin = true
        let turned = try await visit(.appScheme, hosts)
        let plain = try await visit(.httpsScheme, hosts)
        // GStreamer loads nothing from an app's own scheme, so film stays at https.
        #expect(turned.past.allSatisfy { $0.hasSuffix(".mov") }, "\(turned.past)")
        #expect(turned.document == plain.document)
        let (here, there) = (Set(turned.outcomes.keys), Set(plain.outcomes.keys.filter { !$0.hasSuffix(".mov") }))
        #expect(here == there, "\(here.symmetricDifference(there))")
        #expect(here.count > 20)
        // Nobody answers for the host but Larder; which of these two are told, and how often, differs from time to
        // time.
        let usual = { (text: String) in text.contains("preconnect") || text.contains("WebSocket") }
        #expect(turned.errors.allSatisfy(usual) && plain.errors.allSatisfy(usual), "\(turned.errors)")
    }
    /// As monitors and mocks do, before any request: the page's functions are called with what the page wrote.
    private static let hooking = """
        <!DOCTYPE html><title>hooks</title><script>
        const heard = [], {fetch: before} = self, {open, send} = XMLHttpRequest.prototype
        self.fetch = function (input, ...rest) {
          heard.push('fetch ' + (input.url ?? input)); return before.call(this, input, ...rest)
        }
        XMLHttpRequest.prototype.open = function (method, url, ...rest) {
          heard.push(method + ' ' + url); return open.call(this, method, url, ...rest)
        }
        XMLHttpRequest.prototype.send = function (body) {
          this.addEventListener('load', () => heard.push(this.status + ' ' + this.responseText))
          return send.call(this, body)
        }
        async function all() {
          const own = 'https://shop.test'
          const asked = (method, url, body) => new Promise(done => {
            const request = new XMLHttpRequest
            request.open(method, url); request.onloadend = done; request.send(body)
          })
          const texts = [
            await (await fetch(own + '/a')).text(), await (await fetch('/b')).text(),
            await (await fetch(new Request(own + '/c', {method: 'POST', body: 'c'}))).text(),
          ]
          await asked('GET', own + '/d'); await asked('POST', '/e', 'e')
          // An address that the page resolved has its own scheme.
          return [...texts, ...heard].map(text => text.replace('app-cache-https:', 'https:'))
        }
        </script>
        """

    @Test("a page that has replaced fetch and XMLHttpRequest hears what it wrote, and nothing goes past Larder")
    func hooked() async throws {
        let own = "https://shop.test"
        let expected = [
            "GET /a", "GET /b", "POST /c", "fetch \(own)/a", "fetch /b", "fetch \(own)/c", "GET \(own)/d", "200 GET /d",
            "POST /e", "200 POST /e",
        ]
        for (mode, scheme) in [(InterceptionMode.httpsScheme, "https"), (.appScheme, "app-cache-https")] {
            let place = try TemporaryDirectory()
            let scene = try await SessionScene(place, mode) { request in
                request.path == "/"
                    ? .init(fields: ["Content-Type": "text/html"], body: Self.hooking)
                    : .init(fields: ["Content-Type": "text/plain"], body: "\(request.method) \(request.path)")
            }
            #expect(try await scene.open("\(scheme)://shop.test/").loadError == nil)
            let heard = try await scene.run("return (await all()).join(' ')")
            #expect(heard == "\"\(expected.joined(separator: " "))\"", "\(mode): \(heard)")
            await scene.stop()
        }
    }

    /// Its title says which of three own addresses came to it: `history`, `fetch`, and an image's.
    private static let asking = """
        <!DOCTYPE html><title>asking</title><h1>Shop</h1><script type=module>
        const own = 'https://shop.test', came = []
        try { history.pushState({}, '', own + '/pushed'); came.push('history') } catch {}
        try { came.push(await (await fetch(own + '/fetch')).text()) } catch {}
        const image = new Image
        image.src = own + '/image'
        try { await image.decode(); came.push('image') } catch {}
        document.title = came.join(' ')
        </script>
        """

    @Test(
        "larder open --unpatched leaves out what it names, on that host's pages alone",
        arguments: [
            ([], "history fetch image"), (["other.test"], "history fetch image"),
            (["shop.test=history"], "fetch image"), (["shop.test=history", "SHOP.test=requests"], "image"),
            (["shop.test"], ""),
        ])
    func unpatched(_ unpatched: [String], _ came: String) async throws {
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let identity = try authority.makeIdentity(names: ["shop.test"])
        let origin = try await PageOrigin.start(tls: identity) { request in
            switch request.path {
            case "/fetch": .init(fields: ["Content-Type": "text/plain"], body: "fetch")
            case "/image":
                .init(
                    fields: ["Content-Type": "image/svg+xml"],
                    body: "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
            default: .init(fields: ["Content-Type": "text/html"], body: Self.asking)
            }
        }
        let opened = try await ToolProcess.run(
            ToolProcess.larder,
            [
                "open", "https://shop.test/", "--through", "appScheme", "--store", folder.store, "--resolve",
                "shop.test:443:127.0.0.1:\(origin.port)", "--origin-ca", folder.path + "/origin/ca.pem", "--json",
            ] + unpatched.flatMap { ["--unpatched", $0] })
        struct Seen: Decodable {
            struct Page: Decodable { var title: String? }
            var page: Page
        }
        let seen = try JSONDecoder().decode(Seen.self, from: Data(opened.out.utf8))
        #expect((seen.page.title ?? "") == came, "\(opened)")
        await origin.stop()
    }

    @Test("--unpatched takes patches and modes that there are", arguments: ["shop.test=all", "=fetch"])
    func unpatchedWrong(_ value: String) async throws {
        for mode in ["appScheme", "proxy"] {
            let words = ["open", "https://shop.test/", "--through", mode, "--store", folder.store, "--unpatched"]
            let refused = try await ToolProcess.run(
                ToolProcess.larder, words + [mode == "proxy" ? "shop.test" : value])
            #expect(refused.status == 2 && refused.err.contains("--unpatched"), "\(refused)")
        }
    }
}
