import CacheTesting
import Testing
import WebVisit

/// Pages that lead to their own site by whole addresses, as WordPress and mail links do, at the app-cache scheme:
/// nobody but Larder answers for the host.
@Suite("own whole addresses of navigations, in a real web view", .serialized, .timeLimit(.minutes(30)))
struct OwnNavigationTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let ways = [
        "A('https://shop.test/other')", "A('https://shop.test/other#two')", "A('https://shop.test:443/other')",
        "A('HTTPS://SHOP.TEST/other')", "A('https://shop.test/other', a => a.target = '_top')",
        "location.href = 'https://shop.test/other'", "location.replace('https://shop.test/other')",
        "window.open('https://shop.test/other', '_self')", "F('get', 'https://shop.test/other')",
        "document.head.innerHTML += '<meta http-equiv=refresh content=\"0;url=https://shop.test/other\">'",
    ]

    @Test("each leads to the page, through Larder; an own address with another fragment is the same document")
    func ways() async throws {
        let scene = try await SessionScene(folder, .appScheme) { request in
            .page(
                request.path,
                """
                <p id=two>x</p><script>
                const A = (url, change) => { const a = document.createElement('a'); a.href = url; change?.(a);
                  document.body.append(a); a.click(); };
                const F = (method, url) => { const f = document.createElement('form'); f.method = method; f.action = url;
                  f.innerHTML = '<input name=q value=1>'; document.body.append(f); f.submit(); };
                addEventListener('hashchange', () => document.title += ' ' + location.hash);
                </script>
                """)
        }
        for way in Self.ways {
            #expect(try await scene.open("https://shop.test/page").title == "/page")
            _ = try await scene.run("setTimeout(() => { \(way) }, 0); return 0")
            // Each step waits for the page to be quiet.
            var title = "/page"
            for _ in 0..<50 where title == "/page" {
                title = try await scene.run("return document.title").replacing("\"", with: "")
            }
            #expect(title == "/other", "\(way)")
        }
        _ = try await scene.open("https://shop.test/page")
        let asked = scene.origin.requests.count
        _ = try await scene.run("A('https://shop.test/page#two'); return 0")
        var title = "/page"
        for _ in 0..<50 where title == "/page" {
            title = try await scene.run("return document.title").replacing("\"", with: "")
        }
        #expect(title == "/page #two" && scene.origin.requests.count == asked)
        await scene.stop()
    }

    /// After a comment, `303 /page#two` leads back to the page that was shown.
    @Test(
        "a redirect to a place in the page that is shown loads it anew",
        arguments: [InterceptionMode.httpsScheme, .appScheme])
    func places(_ mode: InterceptionMode) async throws {
        let scene = try await SessionScene(folder, mode) { request in
            if request.path == "/page", request.method == "GET" {
                return .page(
                    "\(Int.random(in: 0..<1_000_000_000))",
                    """
                    <form method=post action="/send"></form><form method=post action="/page"></form>
                    <a href="/go">x</a><p id=two>x</p>
                    """)
            }
            return .redirect(request.path == "/go" ? 302 : 303, to: "/page#two")
        }
        for way in ["forms[0].submit()", "forms[1].submit()", "links[0].click()"] {
            let first = try #require(try await scene.open("https://shop.test/page").title)
            _ = try await scene.run("setTimeout(() => { document.\(way) }, 0); return 0")
            var seen = ""
            for _ in 0..<50 where !seen.contains("#two") || seen.contains(first) {
                seen = try await scene.run("return document.title + location.hash")
            }
            #expect(seen.contains("#two") && !seen.contains(first), "\(way): \(seen) after \(first)")
        }
        await scene.stop()
    }

    @Test("a form with content is not sent without it, and a frame does not move the page")
    func others() async throws {
        let scene = try await SessionScene(folder, .appScheme) { request in
            request.path == "/page"
                ? .page(
                    "/page",
                    """
                    <form method=post action="https://shop.test/other"><input name=q value=1></form>
                    <iframe src="/frame"></iframe>
                    """) : .page(request.path)
        }
        for script in ["document.forms[0].submit()", "frames[0].location.href = 'https://shop.test/other'"] {
            _ = try await scene.open("https://shop.test/page")
            _ = try await scene.run("setTimeout(() => { \(script) }, 0); return 0")
            for _ in 0..<10 { _ = try await scene.run("return 0") }
            let title = try await scene.run("return document.title")
            #expect(title.contains("/page"), "\(script): \(title)")
        }
        #expect(!scene.origin.requests.contains { $0.path == "/other" && $0.method == "GET" })
        await scene.stop()
    }
}
