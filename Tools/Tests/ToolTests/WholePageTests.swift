import CacheTesting
import ChildPrograms
import Foundation
import Glibc
import NIOHTTP1
import Testing

/// `larder preload --page`: pages in a hidden WebKit, against an origin on a socket.
@Suite("Whole pages in a hidden web view", .timeLimit(.minutes(10)))
struct WholePageTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func preload(_ arguments: String...) async throws -> ToolProcess.Output {
        try await ToolProcess.run(ToolProcess.larder, ["preload", "--store", folder.store] + arguments)
    }

    private func open(_ url: String) async throws -> ToolProcess.Output {
        try await ToolProcess.run(ToolProcess.larder, ["open", url, "--offline", "--store", folder.store])
    }

    private static func answer(_ type: String, _ body: String, _ fields: HTTPHeaders = [:]) -> PageOrigin.Answer {
        var fields = fields
        fields.add(name: "Content-Type", value: type)
        fields.add(name: "Cache-Control", value: "max-age=600")
        return .init(fields: fields, body: body)
    }

    private static let image =
        "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><path d='M0 0h8v8z'/></svg>"

    @Test("what a page asks for and its server forbids to store is named, with the field")
    func forbidden() async throws {
        let origin = try await PageOrigin.start { request in
            switch request.path {
            case "/": Self.answer("text/html", "<!doctype html><title>live</title><script src=/a.js></script><p>live")
            case "/a.js": Self.answer("text/javascript", "fetch('/live')")
            case "/live": .init(fields: ["Cache-Control": "no-store"], body: "now")
            default: .notFound
            }
        }
        let page = "http://127.0.0.1:\(origin.port)/"
        let output = try await preload("--page", page)
        #expect(output.status == 0, "\(output)")
        #expect(output.out.contains("  not stored  \(page)live  'Cache-Control: no-store' forbids"), "\(output)")
        await origin.stop()
    }

    @Test(
        "all that a page asks for is stored, and it opens offline; its requests say what they are, and carry no cookies"
    )
    func stored() async throws {
        let origin = try await PageOrigin.start { request in
            switch request.path {
            case "/":
                Self.answer(
                    "text/html",
                    """
                    <!doctype html><title>bare</title><link rel=stylesheet href=/a.css><img src=/a.svg>
                    <script type=module src=/a.js></script><iframe src=/frame></iframe>
                    """, ["Set-Cookie": "user=1"])
            case "/a.js":
                Self.answer(
                    "text/javascript",
                    """
                    document.cookie = 'script=1'
                    navigator.sendBeacon('/beacon', 'seen')
                    fetch('/form', { method: 'POST', body: 'x' }).catch(() => 0)
                    new WebSocket('ws://' + location.host + '/socket')
                    const { text } = await (await fetch('/a.json', { credentials: 'include' })).json()
                    const { more } = await import('/b.js')
                    document.title = text + more
                    """)
            case "/b.js": Self.answer("text/javascript", "export const more = ', whole'")
            case "/a.json": Self.answer("application/json", "{\"text\": \"The page\"}")
            case "/a.css": Self.answer("text/css", "body { background: url(/b.svg) }")
            case "/frame": Self.answer("text/html", "<!doctype html><img src=/c.svg>")
            case "/a.svg", "/b.svg", "/c.svg": Self.answer("image/svg+xml", Self.image)
            default: .notFound
            }
        }
        let page = "http://127.0.0.1:\(origin.port)/"
        let output = try await preload("--page", page)
        #expect(output.status == 0 && output.out.contains("1 of 1 are in the store: 1 fetched"), "\(output)")
        let paths = Set(origin.requests.map(\.path))
        let expected = ["/", "/a.js", "/b.js", "/a.json", "/a.css", "/frame", "/a.svg", "/b.svg", "/c.svg"]
        #expect(paths.isSuperset(of: expected), "\(paths)")
        #expect(paths.isDisjoint(with: ["/beacon", "/form", "/socket"]), "\(paths)")
        for request in origin.requests {
            #expect(request.method == "GET" && request.fields["Sec-Purpose"] == ["prefetch"], "\(request)")
            #expect(request.fields["Cookie"].isEmpty && request.fields["Upgrade"].isEmpty, "\(request)")
        }
        await origin.stop()
        let opened = try await open(page)
        #expect(opened.status == 0 && opened.out.contains("The page, whole: opened"), "\(opened)")
    }

    @Test("a page that goes on loading is given up at its limit, and what it had asked for is stored")
    func endless() async throws {
        let origin = try await PageOrigin.start { request in
            switch request.path {
            case "/":
                Self.answer(
                    "text/html",
                    """
                    <!doctype html><title>Endless</title><h1>Endless</h1><script>
                    let count = 0
                    const next = () => fetch('/more?' + count++).then(answer => answer.ok && next())
                    for (let i = 0; i < 4; i++) next()
                    </script>
                    """)
            default: Self.answer("text/plain", "more", ["Cache-Control": "no-store"])
            }
        }
        let page = "http://127.0.0.1:\(origin.port)/"
        // On a busy machine the page may not have come that far.
        for limit in ["20s", "2m", "10m"] where origin.requests.count <= 4 {
            let output = try await preload("--page", page, "--time-limit", limit)
            #expect(output.status == 1 && output.out.contains("refused  \(page)  time-limit"), "\(output)")
        }
        #expect(origin.requests.count > 4)
        await origin.stop()
        #expect(try await open(page).out.contains("Endless: opened"))
    }

    @Test("a page that takes ever more memory is stopped")
    func memory() async throws {
        let origin = try await PageOrigin.start { _ in
            Self.answer(
                "text/html",
                """
                <!doctype html><title>Large</title><script>
                const held = []
                const more = () => {
                    if (held.length < 60) held.push(new Uint8Array(1 << 24).fill(held.length + 1))
                    fetch('/more?' + Math.random()).then(more, more)
                }
                more()
                </script>
                """)
        }
        let page = "http://127.0.0.1:\(origin.port)/"
        let output = try await preload("--page", page, "--memory-limit", "400MiB", "--time-limit", "4m")
        #expect(output.status == 1 && output.out.contains("refused  \(page)  memory-limit"), "\(output)")
        await origin.stop()
    }

    @Test("a page that a manifest marks is never asked for: not itself, by a redirect, a script, a frame or a link")
    func marked() async throws {
        let site = folder.path + "/dist"
        try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: true)
        _ = try folder.write("dist/a.css", "body {}")
        let origin = try await PageOrigin.start { request in
            if let content = FileManager.default.contents(atPath: site + request.path) {
                let type = request.path.hasSuffix(".css") ? "text/css" : "application/json"
                return Self.answer(type, String(decoding: content, as: UTF8.self))
            }
            switch request.path {
            case "/moved": return .redirect(302, to: "/signout")
            case "/home":
                return Self.answer(
                    "text/html",
                    """
                    <!doctype html><title>Home</title><link rel=prefetch href=/signout?link><iframe src=/signout?frame></iframe>
                    <img src=/s%69gnout?image><script>fetch('/signout?fetch').catch(() => 0)</script>
                    """)
            case "/away": return Self.answer("text/html", "<!doctype html><script>location = '/signout?away'</script>")
            default: return .page("Signed out")
            }
        }
        let base = "http://127.0.0.1:\(origin.port)/"
        let built = try await ToolProcess.run(
            ToolProcess.larder,
            [
                "manifest", "build", site, "--base", base, "--id", "site", "--side-effects", "/signout",
                "--side-effects", "/basket/**",
            ])
        #expect(built.status == 0, "\(built)")
        let pages = ["signout", "basket/add/1", "moved", "home", "away"].flatMap { ["--page", base + $0] }
        let output = try await ToolProcess.run(
            ToolProcess.larder,
            ["preload", "--store", folder.store, "--manifest", base + "larder/head.json", "--id", "site"] + pages)
        // The list's file, and `home`.
        #expect(output.status == 1 && output.out.contains("2 of 6 are up to date in the store"), "\(output)")
        for page in ["signout", "basket/add/1", "moved", "away"] {
            #expect(output.out.contains("refused  \(base)\(page)  side-effects"), "\(output)")
        }
        let asked = origin.requests.map(\.path)
        #expect(!asked.contains { $0.contains("ignout") || $0.contains("gnout") || $0.contains("basket") }, "\(asked)")
        #expect(Set(asked).isSuperset(of: ["/moved", "/home", "/away"]))
        await origin.stop()
        // Without its manifest it can't be known which pages are marked.
        let unknown = try await ToolProcess.run(
            ToolProcess.larder,
            [
                "preload", "--store", folder.store + "-2", "--manifest", base + "larder/head.json", "--id", "site",
                "--page",
                base + "home",
            ])
        #expect(unknown.status == 1 && unknown.out.contains("refused  \(base)home  side-effects"), "\(unknown)")
    }

    @Test("an interruption ends the hidden page at once")
    func interrupted() async throws {
        let asked = Gate()
        let origin = try await PageOrigin.start { _ in
            asked.open()
            return Self.answer("text/html", "<!doctype html><script>setInterval(() => fetch('/more'), 50)</script>")
        }
        let out = try OutputPipe()
        let tool = try ChildProcess(
            ToolProcess.larder,
            ["preload", "--store", folder.store, "--page", "http://127.0.0.1:\(origin.port)/", "--time-limit", "1h"],
            output: .pipe(out))
        async let text = out.readAll()
        try await asked.pass()
        tool.signal(SIGINT)
        #expect(await tool.ended() == .exited(1))
        #expect(String(decoding: await text, as: UTF8.self).contains("cancelled"))
        await origin.stop()
    }

    @Test(
        "what is no use is said",
        arguments: [
            (["--side-effects", "/a?b=1", "https://a.test/"], "no glob over a path"),
            (["--page", "https://a.test/", "--side-effects", "a"], "no glob over a path"),
        ])
    func use(_ arguments: [String], _ message: String) async throws {
        let output = try await ToolProcess.run(
            ToolProcess.larder, ["preload", "--store", folder.store] + arguments)
        #expect(output.status == 2 && output.err.contains(message), "\(output)")
    }
}
