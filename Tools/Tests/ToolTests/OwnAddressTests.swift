import CacheTesting
import Foundation
import Testing
import WebVisit

/// Pages that name their own address in full: what routers and server-rendered pages do.
@Suite("a page's own https address, in a real web view", .serialized, .timeLimit(.minutes(30)))
struct OwnAddressTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let modes: [InterceptionMode] = [.appScheme, .httpsScheme]

    /// Without Larder's scheme, as pages at https have it.
    private static let plain = "const plain = text => String(text).replace(/app-cache-/g, '');"

    private func scene(_ mode: InterceptionMode, _ hosts: [String] = ["shop.test"]) async throws -> SessionScene {
        try await SessionScene(folder, mode, hosts: hosts) { request in
            switch request.path {
            case "/": .page("Shop", "<a id=none href=/none>x</a><form id=form action=/reset></form>")
            case "/frame":
                .page(
                    "Frame",
                    """
                    <script>
                    onmessage = event => event.source.postMessage('back ' + event.data + ' ' + event.origin, event.origin);
                    parent.postMessage('up', 'https://shop.test');
                    </script>
                    """)
            case "/any":
                .page(
                    "Any",
                    """
                    <script>
                    for (const values of [['*'], ['/'], [location.origin], [{targetOrigin: '*'}], []]) parent.postMessage('any', ...values);
                    </script>
                    """)
            case "/framed": .page("Framed", "<iframe src='https://shop.test/frame?markup'></iframe>")
            case "/refresh": .page("On", "<meta http-equiv=refresh content='0;url=https://shop.test/end'>")
            case "/none": .init(status: 204)
            case "/reset": .init(status: 205)
            default: .page("Other", request.path)
            }
        }
    }

    /// A router as those of the frameworks are: it writes entries with whole addresses, and where that throws it loads.
    private static let router = """
        const shown = [], origin = 'https://shop.test';
        const go = (path, replace) => {
          try {
            history[replace ? 'replaceState' : 'pushState']({path}, '', origin + path);
          } catch (error) {
            shown.push(error.name);
          }
          shown.push(plain(location.href));
        };
        addEventListener('popstate', event => shown.push(`popped ${event.state?.path} ${plain(location.href)}`));
        """

    @Test("history takes entries with a whole address, however it is written", arguments: modes)
    func history(_ mode: InterceptionMode) async throws {
        let scene = try await scene(mode)
        _ = try await scene.open("https://shop.test/")
        let seen = try await scene.run(
            """
            \(Self.plain)\(Self.router)
            go('/one'); go('/two?a#b'); go('/three', true);
            for (const url of ['https://SHOP.test:443/port', new URL('https://shop.test/object'), '/relative', ' https://shop.test/space ']) {
              history.pushState(null, '', url);
              shown.push(plain(location.href));
            }
            for (const url of ['https://other.test/', 'https://shop.test:8443/', 'http://shop.test/', 'https://shop.test.evil.test/']) {
              try { history.pushState(null, '', url); shown.push(`took ${url}`); } catch (error) { shown.push(error.name); }
            }
            const link = document.createElement('a');
            link.setAttribute('href', 'https://shop.test/link');
            history.replaceState(null, '', link.href);
            shown.push(plain(location.href));
            const popped = new Promise(done => addEventListener('popstate', done, {once: true}));
            history.go(-4);
            await popped;
            return shown.join(' ');
            """)
        let site = "https://shop.test"
        #expect(
            seen
                == "\"\(site)/one \(site)/two?a#b \(site)/three \(site)/port \(site)/object \(site)/relative \(site)/space SecurityError SecurityError SecurityError SecurityError \(site)/link popped /three \(site)/three\""
        )
        #expect(!scene.origin.asked.contains { $0.hasSuffix("/one") })
        await scene.stop()
    }

    @Test("the query of a page is sent as it was written, and a page that leads on leaves no entry", arguments: modes)
    func leadingOn(_ mode: InterceptionMode) async throws {
        let scene = try await scene(mode)
        let query = "q=a%20b&f[x]=50%&c=%e4|"
        _ = try await scene.open("https://shop.test/start?\(query)")
        #expect(scene.origin.requests.contains { $0.path == "/start" && $0.query == query })
        #expect(try await scene.open("https://shop.test/refresh").finalURL?.hasSuffix("://shop.test/end") == true)
        #expect(try await scene.run("return `${location.pathname} ${history.length}`") == "\"/end 2\"")
        await scene.stop()
    }

    @Test("HTML §9.3.3: a message to any origin names the window that sent it", arguments: modes)
    func sources(_ mode: InterceptionMode) async throws {
        let scene = try await scene(mode)
        _ = try await scene.open("https://shop.test/")
        let seen = try await scene.run(
            """
            const told = [], frame = document.createElement('iframe');
            const all = count => new Promise(done => {
              const listen = event => {
                told.push(event.data, event.source === frame.contentWindow, event.source === self, event.origin === location.origin);
                if (--count > 0) return;
                removeEventListener('message', listen);
                done();
              };
              addEventListener('message', listen);
            });
            const come = all(5);
            frame.src = '/any';
            document.body.append(frame);
            await come;
            const own = all(1);
            setTimeout(() => self.postMessage('own', '*'));
            await own;
            return told.join(' ');
            """)
        #expect(seen == "\"\(String(repeating: "any true false true ", count: 5))own false true true\"")
        await scene.stop()
    }

    @Test("messages to it arrive, in the page and between it and its frames", arguments: modes)
    func messages(_ mode: InterceptionMode) async throws {
        let scene = try await scene(mode)
        _ = try await scene.open("https://shop.test/")
        let seen = try await scene.run(
            """
            \(Self.plain)
            const own = 'https://shop.test', told = [];
            const next = () => new Promise(done => addEventListener('message', done, {once: true}));
            const send = async (...values) => {
              const coming = next();
              self.postMessage(...values);
              const event = await coming;
              told.push(JSON.stringify(event.data), event.origin === own, event.source === self, event.ports.length);
            };
            await send('text', own);
            await send({a: [1]}, {targetOrigin: own + ':443/path'});
            await send(['list', 2, 3], own, [new MessageChannel().port1]);
            const plainly = next();
            self.postMessage('plain', location.href);
            const event = await plainly;
            told.push(event.data, event.origin === location.origin);
            let dropped = true;
            const listen = () => { dropped = false; };
            addEventListener('message', listen);
            self.postMessage('lost', 'https://other.test');
            self.postMessage('lost', own + ':8443');
            await new Promise(done => { const channel = new MessageChannel(); channel.port1.onmessage = done; channel.port2.postMessage(0); });
            removeEventListener('message', listen);
            told.push(dropped);
            for (const url of ['/frame', own + '/frame?script']) {
              const frame = document.createElement('iframe'), up = next();
              frame.src = url;
              document.body.append(frame);
              const first = await up;
              told.push(first.data, first.origin, first.source === frame.contentWindow, plain(frame.src));
              const back = next();
              // From a handler, as from a page that has waited.
              frame.contentWindow.postMessage('hello', own);
              const second = await back;
              told.push(second.data, second.source === frame.contentWindow);
              frame.remove();
            }
            return told.join(' ');
            """)
        #expect(
            seen == """
                "\\"text\\" true true 0 {\\"a\\":[1]} true true 0 [\\"list\\",2,3] true true 1 plain true true \
                up https://shop.test true https://shop.test/frame back hello https://shop.test true \
                up https://shop.test true https://shop.test/frame?script back hello https://shop.test true"
                """)
        await scene.stop()
    }

    @Test("its own frames with whole addresses are its own, also those in its markup")
    func frames() async throws {
        let scene = try await scene(.appScheme)
        _ = try await scene.open("https://shop.test/framed")
        let seen = try await scene.run(
            """
            const frame = document.querySelector('iframe');
            return [frame.getAttribute('src'), frame.src, frame.contentDocument?.title].join(' ');
            """)
        #expect(seen == "\"https://shop.test/frame?markup https://shop.test/frame?markup Frame\"")
        #expect(scene.origin.requests.contains { $0.path == "/frame" && $0.query == "markup" })
        await scene.stop()
    }

    @Test("HTML §7.4.2.2: a link and a form that are answered 204 or 205 leave the page as it is", arguments: modes)
    func staying(_ mode: InterceptionMode) async throws {
        let scene = try await scene(mode)
        _ = try await scene.open("https://shop.test/")
        for (path, click) in [("/none", "none.click()"), ("/reset", "form.submit()")] {
            _ = try await scene.run("self.kept = 'kept'; \(click); return 0")
            for _ in 0..<100 where !scene.origin.asked.contains("shop.test\(path)") {
                _ = try await scene.run("return 0")
            }
            #expect(try await scene.run("return `${self.kept} ${document.title}`") == "\"kept Shop\"", "\(path)")
            #expect(try await scene.session.perform(.run(script: "return 0")).seen.download == nil, "\(path)")
        }
        // A frame keeps its document too.
        let seen = try await scene.run(
            """
            const frame = document.createElement('iframe');
            frame.src = '/frame?stays';
            document.body.append(frame);
            await new Promise(done => { frame.onload = done; });
            frame.contentWindow.location = '/none?frame';
            return frame.contentDocument.title;
            """)
        #expect(seen == "\"Frame\"")
        for _ in 0..<100 where !scene.origin.requests.contains(where: { $0.query == "frame" }) {
            _ = try await scene.run("return 0")
        }
        #expect(try await scene.run("return document.querySelector('iframe').contentDocument.title") == "\"Frame\"")
        await scene.stop()
    }

    @Test(
        "opened with its port, in capitals or with letters beyond ASCII it is the same page",
        arguments: ["https://shop.test:443/", "https://SHOP.test", "HTTPS://shop.test/", "https://bücher.test/"])
    func written(_ url: String) async throws {
        let host = url.contains("b") ? "xn--bcher-kva.test" : "shop.test"
        let scene = try await scene(.appScheme, [host])
        let seen = try await scene.open(url)
        #expect(seen.finalURL == "app-cache-https://\(host)/" && seen.title == "Shop")
        await scene.stop()
    }

    @Test("RFC 9110 §8.4: a document without content and type is an empty page", arguments: modes)
    func empty(_ mode: InterceptionMode) async throws {
        let scene = try await SessionScene(folder, mode) { _ in .init() }
        let seen = try await scene.open("https://shop.test/")
        #expect(seen.mainStatus == 200 && seen.download == nil && seen.loadError == nil)
        await scene.stop()
    }

    @Test(
        "Fetch §4.4: a request that is to stay within the origin fails where a redirect leads elsewhere",
        arguments: modes)
    func sameOrigin(_ mode: InterceptionMode) async throws {
        let scene = try await SessionScene(folder, mode, hosts: ["shop.test", "other.test"]) { request in
            switch request.path {
            case "/": .page("Shop")
            case "/away": .redirect(302, to: "https://other.test/open")
            case "/near": .redirect(302, to: "/open")
            default: .init(fields: ["Access-Control-Allow-Origin": "*", "Cache-Control": "no-store"], body: "open")
            }
        }
        _ = try await scene.open("https://shop.test/")
        let seen = try await scene.run(
            """
            const text = (...values) => fetch(...values).then(answer => answer.text(), error => error.name);
            const own = {mode: 'same-origin'}, post = {method: 'POST', body: 'a'};
            return [await text('/away'), await text('/away', own), await text(new Request('/away', own)),
              await text('/away', {...own, ...post}), await text('/near', own), await text('/near', {...own, ...post}),
              await text('https://other.test/open', own)].join(' ');
            """)
        #expect(seen == "\"open TypeError TypeError TypeError open open TypeError\"")
        await scene.stop()
    }

    @Test("captions at loopback are not asked for by a page at the app-cache scheme")
    func captions() async throws {
        let scene = try await scene(.appScheme)
        let loopback = try await PageOrigin.start { _ in
            .init(fields: ["Content-Type": "text/vtt"], body: "WEBVTT\n\n00:00.000 --> 00:09.000\nsecret\n")
        }
        _ = try await scene.open("https://shop.test/")
        let seen = try await scene.run(
            """
            const video = document.createElement('video'), track = document.createElement('track');
            track.src = 'http://127.0.0.1:\(loopback.port)/captions';
            track.default = true;
            video.append(track);
            document.body.append(video);
            const ended = new Promise(done => { track.onload = () => done('loaded'); track.onerror = () => done('error'); });
            track.track.mode = 'showing';
            return `${await ended} ${track.track.cues?.length ?? 0}`;
            """)
        #expect(seen == "\"error 0\"")
        #expect(loopback.asked.isEmpty)
        await loopback.stop()
        await scene.stop()
    }
}
