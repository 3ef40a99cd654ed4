import CacheTesting
import CachingProxy
import Foundation
import LarderHost
import OriginDialing
import Testing
import WebVisit

/// User names and passwords that meet a page behind the proxy, in real WebKitGTK: libsoup takes them for the proxy's.
///
/// Each row has a web view of its own. Once the page has done what it does, other hosts are asked, each over a
/// connection of its own, and then another site is opened.
@Suite("The proxy's password, and those that pages use", .serialized, .timeLimit(.minutes(60)))
struct ProxyPasswordTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// What the page does.
        var script: String
        /// What is opened after it.
        var opens: String?

        init(_ name: String, _ script: String, opens: String? = nil) {
            (testDescription, self.script, self.opens) = (name, script, opens)
        }
    }

    static let rows = [
        Row("nothing", ""),
        Row("img", "await element('img', {src: guest})"),
        Row("img, twice, on two hosts", "await element('img', {src: guest}); await element('img', {src: other})"),
        Row("img, by redirect", "await element('img', {src: '/to?' + guest})"),
        Row("img, by redirect of another host", "await element('img', {src: 'https://b.test/to?' + guest})"),
        Row("img, behind a 401", "await element('img', {src: 'https://u:p@guest.test/closed'})"),
        Row("img without user and password, behind a 401", "await element('img', {src: 'https://guest.test/closed'})"),
        Row(
            "img of an origin that asks for a proxy's password", "await element('img', {src: 'https://guest.test/407'})"
        ),
        Row("fetch from an origin that asks for a proxy's password", "await fetch('/407').catch(() => 0)"),
        Row("a user name alone", "await element('img', {src: 'https://u@guest.test/open'})"),
        Row("the proxy's user name", "await element('img', {src: 'https://larder:p@guest.test/open'})"),
        Row("script", "await element('script', {src: guest})"),
        Row("style sheet", "await element('link', {rel: 'stylesheet', href: guest})"),
        Row("frame", "await element('iframe', {src: guest})"),
        Row("frame, by redirect", "await element('iframe', {src: '/to?' + guest})"),
        Row("fetch without CORS, by redirect", "await fetch('/to?' + guest, {mode: 'no-cors'}).catch(() => 0)"),
        Row("XMLHttpRequest with a user", "await xhr('/open', 'u', 'p')"),
        Row("XMLHttpRequest with a user, behind a 401", "await xhr('/closed', 'u', 'p')"),
        Row("XMLHttpRequest with a wrong user, behind a 401", "await xhr('/closed', 'u', 'no')"),
        Row("beacon, by redirect", "navigator.sendBeacon('/to?' + guest, 'x'); await xhr('/open')"),
        Row("EventSource, by redirect", "await new Promise(y => new EventSource('/to?' + guest).onerror = y)"),
        Row(
            "a service worker, by redirect",
            """
            await navigator.serviceWorker.register('/worker.js');
            const {active} = await navigator.serviceWorker.ready;
            await new Promise(done => {
              navigator.serviceWorker.onmessage = done;
              active.postMessage(['/to?' + guest, 'https://b.test/open', 'https://c.test/open']);
            });
            """),
        Row(
            "many hosts at once",
            "await Promise.all(['guest', 'other', 'b', 'c'].map(n => element('img', {src: `https://u:p@${n}.test/open`})))"
        ),
        Row("a document", "", opens: "https://u:p@guest.test/open"),
        Row("a document, by redirect", "", opens: "https://b.test/to?https://u:p@guest.test/open"),
        Row("a document, behind a 401", "", opens: "https://u:p@guest.test/closed"),
        Row("a document that asks for a proxy's password", "", opens: "https://guest.test/407"),
        Row("a document in plain http", "", opens: "http://u:p@plain.test/open"),
    ]

    private static let hosts =
        ["shop.test", "guest.test", "other.test", "bank.test"] + ["b", "c", "d", "e", "f"].map { "\($0).test" }

    private static let page = """
        <script>
        const guest = 'https://u:p@guest.test/open', other = 'https://u:p@other.test/open';
        const element = (name, properties) => new Promise(done => {
          const element = Object.assign(document.createElement(name), properties);
          element.onload = element.onerror = done;
          document.body.append(element);
        });
        const xhr = (url, ...login) => new Promise(done => {
          const request = new XMLHttpRequest();
          request.open('GET', url, true, ...login);
          request.onloadend = done;
          request.send();
        });
        </script>
        """

    private static let worker = """
        addEventListener('message', async event => {
          for (const url of event.data) await fetch(url, {mode: 'no-cors'}).catch(() => 0);
          event.source.postMessage('done');
        });
        """

    @Sendable
    private static func answer(_ request: PageOrigin.Request) -> PageOrigin.Answer {
        let shared: [(String, String)] = [("Access-Control-Allow-Origin", "*"), ("Cache-Control", "no-store")]
        switch request.path {
        case "/": return .page("Shop", page)
        case "/worker.js": return .init(fields: .init(shared + [("Content-Type", "text/javascript")]), body: worker)
        case "/to": return .redirect(302, to: request.query, .init(shared))
        case "/closed" where request.fields["Authorization"] != ["Basic dTpw"]:
            return .init(status: 401, fields: .init(shared + [("WWW-Authenticate", "Basic realm=\"closed\"")]))
        case "/407":
            return .init(status: 407, fields: .init(shared + [("Proxy-Authenticate", "Basic realm=\"Larder\"")]))
        default: return .init(fields: .init(shared + [("Content-Type", "text/html")]), body: "<title>Open</title>")
        }
    }

    @Test("whatever a page does with others, the web view goes on through the proxy", arguments: rows)
    func meet(_ row: Row) async throws {
        let folder = try TemporaryDirectory()
        let display = try await Display.find()
        defer { display.stop() }
        let authority = try CertificateAuthority(directory: folder.path + "/origin")
        let origin = try await PageOrigin.start(tls: try authority.makeIdentity(names: Self.hosts), Self.answer)
        let plain = try await PageOrigin.start(Self.answer)
        var setup = ProxySetup(storeDirectory: folder.store, mode: .forward(intercept: .allExcept([])))
        setup.cache.hostMap = try HostMap(
            Self.hosts.map { "\($0):443:127.0.0.1:\(origin.port)" } + ["plain.test:80:127.0.0.1:\(plain.port)"])
        setup.cache.originAuthorities = folder.path + "/origin/ca.pem"
        (setup.credentials, setup.servesWebView, setup.sendsCacheStatus) = (.random(), true, false)
        let proxy = try await LocalProxy.start(setup)
        let leaves = try Self.hosts.map { TrustedLeaf(host: $0, certificatePEM: try proxy.authority.leafPEM(for: $0)) }
        let session = try await WebViewSession.start(
            SessionRequest(
                view: VisitRequest(
                    url: "about:blank", proxy: "http://127.0.0.1:\(proxy.port)", proxyUser: proxy.credentials?.user,
                    proxyPassword: proxy.credentials?.password, timeoutSeconds: 240, trusted: leaves,
                    scriptTimeoutSeconds: 240), mode: .proxy), display: display)

        #expect(try await session.perform(.open(url: "https://shop.test/")).seen.title == "Shop")
        let ran = try await session.perform(.run(script: row.script + "; return 'done'")).seen
        #expect(ran.scriptResult == "\"done\"", "\(ran)")
        if let url = row.opens { _ = try await session.perform(.open(url: url)) }
        for visit in 1...2 {
            let shop = try await session.perform(.open(url: "https://shop.test/?\(visit)")).seen
            #expect(shop.title == "Shop" && shop.mainStatus == 200, "\(shop)")
            let others = try await session.perform(
                .run(
                    script: """
                        const hosts = ['d', 'e', 'f', 'guest', 'other'];
                        const all = hosts.map(name => fetch(`https://${name}.test/open`).then(r => r.status, String));
                        return (await Promise.all(all)).join();
                        """)
            ).seen
            #expect(others.scriptResult == "\"200,200,200,200,200\"", "\(others)")
            let bank = try await session.perform(.open(url: "https://bank.test/open")).seen
            #expect(bank.title == "Open" && bank.mainStatus == 200, "\(bank)")
        }
        await session.end()
        await proxy.stop()
        await origin.stop()
        await plain.stop()
        // Neither gets to know the proxy's password, nor does it go round and round.
        let all = origin.requests + plain.requests
        #expect(all.allSatisfy { !$0.fields.contains(name: "Proxy-Authorization") })
        #expect(all.count < 40, "\(all.map { $0.host + $0.path })")
    }
}
