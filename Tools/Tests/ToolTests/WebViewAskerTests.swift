import CacheTesting
import Foundation
import NIOHTTP1
import Testing
import WebVisit

/// Pages that know all that Larder's scripts say in them, and use it against another host.
@Suite("who asks, in a real web view, is known only by what WebKit tells", .serialized, .timeLimit(.minutes(30)))
struct WebViewAskerTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A way in which a document begins that attacks the bank.
    struct Beginning: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The first page, of `start`.
        var start = "bank.test"
        /// In the first page, which `evil` may frame or replace; `$A` is the URL of the page that attacks.
        var markup: String
        /// What the attacking document is delivered with.
        var policy: String?
    }

    static let evil = "app-cache-https://evil.test", bank = "app-cache-https://bank.test"
    private static func frame(_ url: String, _ attributes: String = "") -> String {
        "<iframe \(attributes) src='\(url)'></iframe>"
    }

    static let beginnings: [Beginning] = [
        Beginning(testDescription: "a frame", markup: frame("\(evil)/attack")),
        Beginning(
            testDescription: "the top level", start: "evil.test", markup: "<script>location = '/attack'</script>"),
        Beginning(testDescription: "a subdomain's frame", markup: frame("app-cache-https://www.bank.test/attack")),
        Beginning(testDescription: "a sandboxed frame of the host", markup: frame("/attack", "sandbox=allow-scripts")),
        Beginning(
            testDescription: "a document of the host that its policy sandboxes", markup: frame("/attack"),
            policy: "sandbox allow-scripts"),
        Beginning(testDescription: "srcdoc", markup: frame("\(evil)/host?srcdoc")),
        Beginning(testDescription: "blob:", markup: frame("\(evil)/host?blob")),
        Beginning(testDescription: "data:", markup: frame("\(evil)/host?data")),
        Beginning(testDescription: "javascript:", markup: frame("\(evil)/host?javascript")),
        Beginning(testDescription: "the initial empty document", markup: frame("\(evil)/host?empty")),
        Beginning(testDescription: "document.open() of a poisoned one", markup: frame("\(evil)/host?open")),
        Beginning(
            testDescription: "back and forward", start: "evil.test", markup: "<script>location = '/host?back'</script>"),
        Beginning(testDescription: "a dedicated worker", markup: frame("\(evil)/host?worker")),
        Beginning(
            testDescription: "a worker of a sandboxed document of the host", markup: frame("/host?worker"),
            policy: "sandbox allow-scripts"),
    ]

    /// Takes what the injected scripts say, and says the same of requests without CORS. Where it has seen no mark it
    /// tries without; each request has the id `$I` behind it.
    private static let attack = """
        const seen = self.heard ??= [];
        const spy = (holder, name) => {
          const native = holder[name];
          holder[name] = function(...values) {
            for (const value of values) if (typeof value === 'string') seen.push(value);
            return Reflect.apply(native, this, values);
          };
        };
        if (self.Headers) spy(Headers.prototype, 'set');
        if (self.XMLHttpRequest) spy(XMLHttpRequest.prototype, 'setRequestHeader');
        const bank = 'app-cache-https://bank.test/asked?', include = {credentials: 'include'};
        const say = text => ({mode: 'no-cors', ...include, headers: {accept: text}});
        const tried = async work => { try { await work(); } catch {} };
        (async () => {
          const own = self.location?.protocol === 'app-cache-https:' ? '/nothing' : bank;
          await tried(() => fetch(own, {credentials: 'include', cache: 'reload'}));
          const mark = (seen.join(' ').match(/larder\\/[a-z0-9]+/) ?? ['unknown/0'])[0], works = [];
          for (const by of ['xhr', 'fetch', 'eventSource', 'beacon']) {
            for (const said of [`*/*, ${mark};by=${by};credentials=include`, `${mark};by=${by};credentials=include;redirect=follow`]) {
              works.push(() => fetch(`${bank}${by}`, say(said)));
              works.push(() => fetch(`${bank}${by}-post`, {...say(said), method: 'POST', body: 'a'}));
              works.push(() => fetch(`${bank}${by}-silent`, {...say(said), referrer: '', referrerPolicy: 'no-referrer'}));
            }
          }
          for (const name of ['X-Larder-Own', 'x-larder-own']) {
            works.push(() => fetch(`${bank}field`, {...say(`*/*, ${mark}`), headers: {[name]: '1', accept: `*/*, ${mark};by=xhr`}}));
            works.push(() => fetch(`${bank}field-cors`, {...include, headers: {[name]: '1'}}));
          }
          works.push(() => fetch(`${bank}stream`, {mode: 'no-cors', ...include, cache: 'no-cache',
            headers: {accept: 'text/event-stream', 'cache-control': 'no-cache'}}));
          works.push(() => fetch(`${bank}stream-reload`, {mode: 'no-cors', ...include, cache: 'reload', headers: {accept: 'text/event-stream'}}));
          works.push(() => fetch(`${bank}document`, say('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')));
          works.push(() => new Promise(resolve => {
            if (!self.XMLHttpRequest) return resolve();
            const request = new XMLHttpRequest();
            request.onloadend = resolve;
            request.open('POST', `${bank}request`);
            request.withCredentials = true;
            request.send('a');
          }));
          if (self.navigator?.sendBeacon) works.push(() => navigator.sendBeacon(`${bank}beacon`, 'a'));
          if (self.EventSource) works.push(() => { new EventSource(`${bank}source`, {withCredentials: true}).onerror = event => event.target.close(); });
          if (self.document) {
            const image = url => new Promise(resolve => { const made = new Image(); made.onload = made.onerror = resolve; made.src = url; });
            works.push(() => image(`${bank}image`));
            // Again, so that the engine asks whether what it has is valid still.
            works.push(async () => { await image(`${bank}same`); const made = document.createElement('iframe');
              made.srcdoc = `<img src="${bank}same">`; document.documentElement.append(made); });
          }
          await Promise.all(works.map(tried));
          await tried(() => fetch(`${bank}${self.last ?? 'end'}`, {mode: 'no-cors'}));
        })();
        """

    /// How the pages of `/host` begin the document that attacks.
    private static func host(_ way: String) -> String {
        let quoted = (try? JSONEncoder().encode(attack)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let attack = quoted.replacingOccurrences(of: "</", with: "<\\/")
        let script = "`<script>${attack}<\\/script>`"
        let begin: String
        switch way {
        case "srcdoc": begin = "frame.srcdoc = \(script); document.body.append(frame);"
        case "blob":
            begin = """
                frame.src = URL.createObjectURL(new Blob([\(script)], {type: 'text/html'}));
                document.body.append(frame);
                """
        case "data":
            begin = "frame.src = 'data:text/html,' + encodeURIComponent(\(script)); document.body.append(frame);"
        case "javascript":
            begin = "self.code = \(script); frame.src = 'javascript:parent.code'; document.body.append(frame);"
        case "empty": begin = "document.body.append(frame); frame.contentWindow.eval(attack);"
        case "open":
            // The scripts run in it once it is poisoned, so that the page hears their mark. What it sends itself has
            // another mark at the end, but not what its worker sends, where no script runs.
            begin = """
                frame.src = '/nothing'; document.body.append(frame);
                const inner = frame.contentWindow;
                inner.last = 'first';
                inner.eval(attack.split('const bank')[0]);
                inner.document.open(); inner.document.write(\(script)); inner.document.close();
                const listen = () => {
                  if (!inner.heard.join(' ').includes('larder/')) return setTimeout(listen);
                  new Worker(URL.createObjectURL(new Blob([`self.heard = ${JSON.stringify(inner.heard)}; ${attack}`])));
                };
                listen();
                """
        case "back":
            begin = """
                if (sessionStorage.been) { eval(attack); } else { onload = () => setTimeout(() => { sessionStorage.been = 1; location = '/away'; }); }
                """
        default:
            begin = """
                new Worker(URL.createObjectURL(new Blob([attack], {type: 'text/javascript'})));
                new Worker('data:text/javascript,' + encodeURIComponent(attack));
                """
        }
        return "<body><script>const attack = \(attack), frame = document.createElement('iframe'); \(begin)</script>"
    }

    private func scene(_ beginning: Beginning) async throws -> SessionScene {
        try await SessionScene(folder, .appScheme, hosts: ["bank.test", "www.bank.test", "evil.test", "other.test"]) {
            request in
            let policy: HTTPHeaders = beginning.policy.map { ["Content-Security-Policy": $0] } ?? [:]
            switch request.path {
            case "/":
                return .page("Start", beginning.markup)
            case "/login":
                var fields: HTTPHeaders = [:]
                fields.add(name: "Set-Cookie", value: "strict=1; Secure; SameSite=Strict")
                fields.add(name: "Set-Cookie", value: "lax=1; Secure; SameSite=Lax")
                fields.add(name: "Set-Cookie", value: "plain=1; Secure")
                return .page("In", "in", fields)
            case "/attack": return .page("Attack", "<script>\(Self.attack)</script>", policy)
            case "/host": return .page("Host", Self.host(request.query), policy)
            case "/away": return .page("Away", "<script>onload = () => setTimeout(() => history.back())</script>")
            case "/asked":
                return .init(
                    fields: ["ETag": "\"1\"", "Cache-Control": "no-cache", "Content-Type": "image/png"], body: "")
            case "/honest":
                return .init(fields: ["Cache-Control": "no-store"], body: request.fields["Cookie"].first ?? "-")
            default: return .notFound
            }
        }
    }

    @Test("no document has another host's cookies sent, nor its origin, however it begins", arguments: beginnings)
    func forged(_ beginning: Beginning) async throws {
        let scene = try await scene(beginning)
        _ = try await scene.open("https://bank.test/login")
        // The bank's own pages have them.
        #expect(try await scene.run("return await (await fetch('/honest')).text()") == #""strict=1; lax=1; plain=1""#)
        _ = try await scene.open("https://\(beginning.start)/")
        for _ in 0..<200 where !scene.origin.requests.contains(where: { $0.query == "end" }) {
            _ = try await scene.run("return 0")
        }
        let asked = scene.origin.requests.filter { $0.host == "bank.test" && $0.path == "/asked" }
        #expect(asked.contains { $0.query == "end" } && asked.count > 10, "\(asked.map(\.query))")
        for request in asked {
            let said = "\(request.method) \(request.query): \(request.fields)"
            #expect(request.fields["Origin"].first != "https://bank.test", "\(said)")
            // A subdomain is of the same site (RFC 6265bis §5.2), where the engine says that it asks.
            if request.fields["Origin"].first != "https://www.bank.test" {
                #expect(request.cookie("strict") == nil && request.cookie("lax") == nil, "\(said)")
            }
            // Where the engine says who asks, cookies without SameSite go as in WebKit's own network.
            if request.fields["Origin"].isEmpty || request.fields["Origin"].first == "null" {
                #expect(request.fields["Cookie"].isEmpty, "\(said)")
            }
            #expect(request.fields["X-Larder-Own"].isEmpty && !said.contains("larder/"), "\(said)")
        }
        await scene.stop()
    }

    @Test("a page's own requests keep its cookies, and its origin")
    func honest() async throws {
        let scene = try await SessionScene(folder, .appScheme, hosts: ["bank.test"]) { request in
            switch request.path {
            case "/": .page("In", "in", ["Set-Cookie": "strict=1; Secure; SameSite=Strict"])
            default:
                .init(
                    fields: ["Cache-Control": "no-store"],
                    body: "\(request.cookie("strict") ?? "-") \(request.fields["Origin"].first ?? "-")")
            }
        }
        _ = try await scene.open("https://bank.test/")
        let seen = try await scene.run(
            """
            const text = (...request) => fetch(...request).then(answer => answer.text());
            const xhr = (method, isAsync = true, prepare = () => {}) => new Promise(done => {
              const request = new XMLHttpRequest();
              request.open(method, '/a', isAsync);
              prepare(request);
              request.onload = () => done(request.responseText);
              request.send(method === 'POST' ? 'a' : null);
            });
            const inner = document.body.appendChild(document.createElement('iframe')).contentWindow;
            return [await text('/a'), await text('/a', {method: 'POST', body: 'a'}), await text('/a', {referrerPolicy: 'no-referrer'}),
              await text(new Request('/a', {cache: 'reload'})), await text('/a', {headers: {accept: 'x/'.padEnd(120, 'y')}}),
              await xhr('GET'), await xhr('POST'), await xhr('GET', false), await xhr('DELETE'),
              await xhr('GET', true, request => request.setRequestHeader('accept', 'x/'.padEnd(120, 'y'))),
              await inner.fetch('app-cache-https://bank.test/a').then(answer => answer.text()),
              (await fetch('/a', {mode: 'no-cors'})).type];
            """)
        let (get, write) = ("\"1 -\"", "\"1 https://bank.test\"")
        #expect(
            seen
                == "[\([get, write, get, get, get, get, write, get, write, get, get, "\"basic\""].joined(separator: ","))]"
        )
        _ = try await scene.run(
            "navigator.sendBeacon('/beacon', 'a'); await fetch('/quiet', {mode: 'no-cors', method: 'POST'}); return 0")
        for path in ["/beacon", "/quiet"] {
            for _ in 0..<100 where !scene.origin.requests.contains(where: { $0.path == path }) {
                _ = try await scene.run("return 0")
            }
            let request = try #require(scene.origin.requests.first { $0.path == path })
            #expect(request.cookie("strict") == "1" && request.fields["Origin"] == ["https://bank.test"], "\(path)")
        }
        await scene.stop()
    }
}
