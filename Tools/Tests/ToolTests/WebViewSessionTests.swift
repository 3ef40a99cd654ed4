import CacheTesting
import Foundation
import LarderHost
import NIOHTTP1
import Testing
import WebVisit

/// One web view, many navigations, its requests answered by a scheme handler inside its process.
@Suite("a real web view kept for many steps", .serialized, .timeLimit(.minutes(60)))
struct WebViewSessionTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=600", "Content-Type": "text/javascript"]

    /// Both modes with a scheme handler, and the origin that the page then has.
    static let modes: [(InterceptionMode, origin: String)] = [
        (.appScheme, "app-cache-https://shop.test"), (.httpsScheme, "https://shop.test"),
    ]

    @Test("a page loads, comes from the store, and opens without a network", arguments: modes)
    func offline(_ mode: InterceptionMode, origin: String) async throws {
        let scene = try await SessionScene(folder, mode) { request in
            switch request.path {
            case "/": .page("Shop", "<script src=/app.js></script>", ["Cache-Control": "no-cache", "ETag": "\"1\""])
            case "/app.js": .init(fields: Self.fresh, body: "window.app = origin")
            default: .notFound
            }
        }
        let first = try await scene.open("https://shop.test/")
        #expect(first.title == "Shop" && first.mainStatus == 200 && first.console.isEmpty)
        #expect(try await scene.run("return app") == "\"\(origin)\"")
        _ = scene.session.takeExchanges()
        _ = try await scene.session.perform(.reload(fromOrigin: false))
        let reloaded = scene.session.takeExchanges()
        #expect(reloaded.first { $0.url == "https://shop.test/app.js" }?.outcome == "hit", "\(reloaded)")
        try await scene.session.perform(.change(connectivity: .disconnected))
        let asked = scene.origin.asked.count
        let offline = try await scene.open("https://shop.test/")
        #expect(offline.title == "Shop")
        #expect(try await scene.run("return app") == "\"\(origin)\"")
        #expect(scene.origin.asked.count == asked)
        let result = try await scene.session.perform(.picture(path: folder.path + "/page.png"))
        #expect(result.seen.screenshot != nil && result.openTasks == 0)
        await scene.stop()
    }

    @Test("documents and resources follow redirects, with the cookies of each hop", arguments: modes)
    func redirects(_ mode: InterceptionMode, origin: String) async throws {
        let scene = try await SessionScene(folder, mode) { request in
            switch request.path {
            case "/start": .redirect(302, to: "/middle", ["Set-Cookie": "one=1; HttpOnly; Secure"])
            case "/middle": .redirect(307, to: "/end#part", ["Set-Cookie": "two=2; Path=/"])
            case "/end": .page("\(request.cookie("one") ?? "-")\(request.cookie("two") ?? "-")")
            case "/data": .redirect(301, to: "/here", ["Set-Cookie": "three=3"])
            case "/here": .init(body: request.cookie("three") ?? "-")
            case "/loop": .redirect(302, to: "/loop")
            default: .notFound
            }
        }
        let seen = try await scene.open("https://shop.test/start")
        #expect(seen.title == "12")
        #expect(seen.finalURL == origin + "/end#part")
        #expect(try await scene.run("return await (await fetch('/data')).text()") == "\"3\"")
        let hops = scene.origin.asked.count
        let loop = try await scene.run("return await fetch('/loop').then(() => 'answered', error => error.name)")
        #expect(loop == "\"TypeError\"")
        #expect(scene.origin.asked.count - hops == 21)
        await scene.stop()
    }

    @Test("uploads arrive whole, also Blobs, files and forms with files", arguments: modes)
    func uploads(_ mode: InterceptionMode, origin: String) async throws {
        let scene = try await SessionScene(folder, mode) { request in
            request.path == "/"
                ? .page("Upload")
                : .init(
                    body:
                        "\(request.fields["Content-Length"].first ?? "-") \(request.fields["Content-Type"].first ?? "-")"
                )
        }
        _ = try await scene.open("https://shop.test/")
        let sent = try await scene.run(
            """
            const form = new FormData();
            form.append('name', 'value');
            form.append('file', new File(['x'.repeat(1000)], 'a"b.bin'));
            const post = body => fetch('/up', {method: 'POST', body}).then(answer => answer.text());
            const xhr = body => new Promise(done => {
              const request = new XMLHttpRequest();
              request.open('PUT', '/up');
              request.onload = () => done(request.responseText);
              request.send(body);
            });
            const boundary = text => text.replace(/boundary=.*/, 'boundary');
            return [await post('text'), await post(new Uint8Array(70000)), await post(new URLSearchParams({a: 'b'})),
              await post(new Blob(['blob'], {type: 'text/x'})), boundary(await post(form)).split(' ').slice(1).join(' '),
              await xhr(new Blob(['blob2'], {type: 'text/y'})), await xhr('plain')];
            """)
        #expect(
            sent == """
                ["4 text/plain;charset=UTF-8","70000 -","3 application/x-www-form-urlencoded;charset=UTF-8",\
                "4 text/x","multipart/form-data; boundary","5 text/y","5 text/plain;charset=UTF-8"]
                """)
        // The mark that makes them readable stays inside.
        #expect(scene.origin.requests.allSatisfy { $0.fields["Accept"].allSatisfy { !$0.contains("larder") } })
        await scene.stop()
    }

    @Test("no page sends to another host what only CORS allows, also where nothing is asked first", arguments: modes)
    func foreign(_ mode: InterceptionMode, origin: String) async throws {
        let scene = try await SessionScene(folder, mode, hosts: ["shop.test", "bank.test"]) { request in
            request.host == "shop.test" ? .page("Shop") : .init(fields: ["Set-Cookie": "s=1"], body: "secret")
        }
        _ = try await scene.open("https://shop.test/")
        let bank = origin.replacingOccurrences(of: "shop", with: "bank")
        let seen = try await scene.run(
            """
            const tried = async work => { try { return await work(); } catch (error) { return error.name; } };
            const sync = () => {
              const request = new XMLHttpRequest();
              request.open('GET', '\(bank)/sync', false);
              request.send();
              return request.responseText;
            };
            return [await tried(() => fetch('\(bank)/put', {method: 'PUT', body: 'x'}).then(answer => answer.text())),
              await tried(() => fetch('\(bank)/get').then(answer => answer.text())), await tried(sync),
              (await fetch('\(bank)/opaque', {mode: 'no-cors'})).type];
            """)
        #expect(seen == #"["TypeError","TypeError","NetworkError","opaque"]"#)
        let methods = scene.origin.requests.filter { $0.host == "bank.test" }.map { $0.method + $0.path }
        #expect(!methods.contains("PUT/put"), "\(methods)")
        await scene.stop()
    }

    @Test("a link leads the view, not a frame: it may be redirected, and refuse to be framed", arguments: modes)
    func links(_ mode: InterceptionMode, origin: String) async throws {
        let scene = try await SessionScene(folder, mode) { request in
            switch request.path {
            case "/link": .redirect(302, to: "/end")
            case "/end", "/end?framed":
                .page("End", "<p>end</p><iframe src=/end?framed></iframe>", ["X-Frame-Options": "DENY"])
            default: .page("Start", "<a href=/link>link</a><iframe src=/frame></iframe>")
            }
        }
        _ = try await scene.open("https://shop.test/")
        _ = try await scene.run("document.querySelector('a').click(); return 0")
        let seen = try await scene.run(
            """
            const frame = document.querySelector('iframe');
            return [location.href, document.title, history.length, frame.contentDocument?.title ?? 'refused']
            """)
        #expect(seen == "[\"\(origin)/end\",\"End\",2,\"refused\"]")
        #expect(try await scene.session.perform(.back).seen.title == "Start")
        await scene.stop()
    }

    @Test("history, hard reload, dialogs, windows and other apps' URLs")
    func steps() async throws {
        let scene = try await SessionScene(folder, .httpsScheme) { request in
            request.path == "/pixel"
                ? .init(fields: Self.fresh)
                : .page(request.path, "<script src=/pixel></script>", ["Cache-Control": "max-age=60"])
        }
        _ = try await scene.open("https://shop.test/a")
        _ = try await scene.open("https://shop.test/b")
        let back = try await scene.session.perform(.back)
        #expect(back.seen.title == "/a" && back.canGoForward && !back.seen.timedOut)
        #expect(try await scene.session.perform(.forward).seen.title == "/b")
        let before = scene.origin.asked.count
        try await scene.session.perform(.reload(fromOrigin: true))
        #expect(scene.origin.asked.dropFirst(before).sorted() == ["shop.test/b", "shop.test/pixel"])
        try await scene.session.perform(.answer(dialogs: true, text: "Anna", files: []))
        #expect(try await scene.run("alert(1); return [confirm('Sure?'), prompt('Who?')]") == #"[true,"Anna"]"#)
        _ = scene.session.takeNotices()
        _ = try await scene.run("location.href = 'tel:+4912345'; return 0")
        _ = try await scene.run(
            "const a = document.createElement('a'); a.href = '/c'; a.target = '_blank'; document.body.append(a); a.click()"
        )
        #expect(
            scene.session.takeNotices() == [
                .external(url: "tel:+4912345", isNewWindow: false),
                .external(url: "https://shop.test/c", isNewWindow: true),
            ])
        #expect(try await scene.run("return document.title") == "\"/c\"")
        await scene.stop()
    }

    @Test("a page whose process ends is loaded again once, and then an error page stands there")
    func recovery() async throws {
        let scene = try await SessionScene(folder, .appScheme) { .page($0.path) }
        _ = try await scene.open("https://shop.test/a")
        #expect(try await scene.session.perform(.endWebProcess).seen.title == "/a")
        #expect(try await scene.session.perform(.endWebProcess).seen.title == "This page has stopped")
        #expect(
            scene.session.takeNotices() == [
                .processEnded(reason: "terminated", recovery: "reload"),
                .processEnded(reason: "terminated", recovery: "died-again"),
            ])
        #expect(try await scene.open("https://shop.test/b").title == "/b")
        await scene.stop()
    }

    @Test("a page that shows nothing is reported; one with text is not")
    func blank() async throws {
        let scene = try await SessionScene(folder, .appScheme, looksForBlankPages: true) { request in
            switch request.path {
            case "/blank": .page("Blank", "<script>document.body.replaceChildren()</script>")
            case "/root": .page("An app that did not start", "<div id=root></div><script>document.title</script>")
            default: .page("Text", "<p>text</p>")
            }
        }
        for (path, hasElements) in [("/blank", false), ("/root", true), ("/text", nil)] {
            _ = try await scene.open("https://shop.test" + path)
            let expected = hasElements.map {
                [SessionNotice.blankPage(url: "app-cache-https://shop.test" + path, hasElements: $0)]
            }
            #expect(scene.session.takeNotices() == expected ?? [], "\(path)")
        }
        await scene.stop()
    }

    @Test("an answer that no pipe holds arrives whole while exchanges are told from other threads")
    func longAnswers() async throws {
        let scene = try await SessionScene(folder, .appScheme, quietMilliseconds: 0, pendingLimitMilliseconds: 0) {
            $0.path == "/" ? .page("Shop") : .init(fields: ["Cache-Control": "no-store"], body: "some")
        }
        _ = try await scene.open("https://shop.test/")
        for _ in 0..<5 {
            // What is asked for is answered while the step's own answer is on its way.
            let text = try await scene.run(
                """
                for (let number = 0; number < 100; number++) fetch(`/${number}`).then(answer => answer.text());
                return 'x'.repeat(1_000_000);
                """)
            #expect(text.count == 1_000_002)
        }
        await scene.stop()
    }

    @Test("the released program says that it has no scheme handler for https")
    func notInThisBuild() async throws {
        let display = try await Display.find()
        defer { display.stop() }
        let request = SessionRequest(
            view: VisitRequest(url: "about:blank"), mode: .httpsScheme,
            cache: SessionCacheRequest(storeDirectory: folder.store))
        let error = await #expect(throws: HostError.self) {
            try await WebViewSession.start(request, display: display)
        }
        #expect(error?.code == .badUse && error?.message.contains("not in this build") == true)
    }
}
