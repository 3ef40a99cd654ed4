import CacheTesting
import ChildPrograms
import Foundation
import Testing

/// Two processes of `larder preload` on one store, and what a page lacks at the end.
@Suite("larder preload: two at once, pages that lack something, credentials")
struct PreloadTurnTests {
    private let folder: TemporaryDirectory
    private let site: String
    private static let script = "document.title = 'running'"

    init() throws {
        folder = try TemporaryDirectory()
        site = folder.path + "/dist"
        try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: true)
    }

    private func build(_ origin: PageOrigin, _ options: [String] = []) async throws {
        _ = try await ToolProcess.run(ToolProcess.larder, ["manifest", "keygen", folder.path + "/keys"])
        let built = try await ToolProcess.run(
            ToolProcess.larder,
            [
                "manifest", "build", site, "--base", "http://127.0.0.1:\(origin.port)/", "--documents", "--id", "site",
                "--key", folder.path + "/keys/current.key",
            ] + options)
        #expect(built.status == 0, "\(built)")
    }

    private func arguments(_ origin: PageOrigin) -> [String] {
        [
            "preload", "--manifest", "http://127.0.0.1:\(origin.port)/larder/head.json", "--id", "site", "--key",
            folder.path + "/keys/current.pub", "--store", folder.store,
        ]
    }

    private static func answer(_ site: String, _ path: String) -> PageOrigin.Answer {
        let path = path == "/" ? "/index.html" : path
        guard let content = FileManager.default.contents(atPath: site + path) else { return .notFound }
        let type = path.hasSuffix(".html") ? "text/html" : path.hasSuffix(".js") ? "text/javascript" : "text/plain"
        return .init(fields: ["Content-Type": type], body: String(decoding: content, as: UTF8.self))
    }

    @Test(
        "the second waits and says so, and fetches nothing twice; killed, the first leaves its turn",
        arguments: [false, true])
    func twoAtOnce(isKilled: Bool) async throws {
        _ = try folder.write("dist/index.html", "<title>0</title><h1>0</h1><script src=/main.js></script>")
        _ = try folder.write("dist/main.js", Self.script)
        let (asked, tell) = AsyncStream.makeStream(of: Void.self)
        let (mayAnswer, release) = AsyncStream.makeStream(of: Void.self)
        let site = site
        let origin = try await PageOrigin.start { request in
            var answer = Self.answer(site, request.path)
            if request.path == "/main.js" {
                tell.yield()
                answer.body = ""
                answer.rest = {
                    for await _ in mayAnswer { break }
                    return Self.script
                }
            }
            return answer
        }
        try await build(origin)
        let first = try ChildProcess(ToolProcess.larder, arguments(origin))
        for await _ in asked { break }
        let (out, err) = (try OutputPipe(), try OutputPipe())
        let second = try ChildProcess(ToolProcess.larder, arguments(origin), output: .pipe(out), errors: .pipe(err))
        let words = await err.readAll { String(decoding: $0, as: UTF8.self).contains("\n") }
        #expect(String(decoding: words, as: UTF8.self).contains("Another process fetches 'site'"))
        #expect(origin.asked.filter { $0.hasSuffix("head.json") }.count == 1)
        if isKilled { first.signal(SIGKILL) }
        release.finish()
        let text = String(decoding: await out.readAll(), as: UTF8.self)
        #expect(await second.ended() == .exited(0), "\(text)")
        #expect(text.contains("in force, opens offline: 1 page"), "\(text)")
        #expect(isKilled || text.contains("2 of 2 are in the store: 2 stored before"), "\(text)")
        #expect(await first.ended() == (isKilled ? .signalled(SIGKILL) : .exited(0)))
        await origin.stop()
    }

    private var incoming: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.store + "/incoming")) ?? []
    }

    /// Whether a body in transfer has its note, content included.
    private var hasNote: Bool {
        incoming.contains { name in
            name.hasSuffix(".head")
                && FileManager.default.contents(atPath: folder.store + "/incoming/" + name)?.isEmpty == false
        }
    }

    @Test("killed in the middle of a large file, the next run asks for the rest alone (RFC 9110 §14.2)")
    func killedInFile() async throws {
        let film = String(repeating: "0123456789abcdef", count: 200_000)
        _ = try folder.write("dist/index.html", "<title>0</title><h1>0</h1><img src=/film.svg>")
        _ = try folder.write("dist/film.svg", film)
        let (site, never) = (site, Latch())
        let origin = try await PageOrigin.start { request in
            var answer = Self.answer(site, request.path)
            guard request.path == "/film.svg" else { return answer }
            answer.fields = ["Content-Type": "image/svg+xml", "ETag": "\"v1\""]
            let range = request.fields["Range"].first.flatMap { $0.split(separator: "=").last?.split(separator: "-") }
            guard let start = range?.first.flatMap({ Int($0) }) else {
                answer.body = String(film.prefix(2_000_000))
                answer.rest = {
                    await never.pass()
                    return ""
                }
                return answer
            }
            answer.status = 206
            answer.fields.add(name: "Content-Range", value: "bytes \(start)-\(film.utf8.count - 1)/\(film.utf8.count)")
            answer.body = String(film.dropFirst(start))
            return answer
        }
        try await build(origin)
        let first = try ChildProcess(ToolProcess.larder, arguments(origin))
        while !hasNote, first.ending == nil { await Task.yield() }
        first.signal(SIGKILL)
        #expect(await first.ended() == .signalled(SIGKILL))
        let second = try await ToolProcess.run(ToolProcess.larder, arguments(origin))
        #expect(second.status == 0 && second.out.contains("in force, opens offline: 1 page"), "\(second)")
        let asked = origin.requests.filter { $0.path == "/film.svg" }
        #expect(asked.count == 2 && asked.last?.fields["If-Range"] == ["\"v1\""], "\(asked) \(first.ending)")
        #expect(incoming.isEmpty)
        never.open()
        await origin.stop()
    }

    @Test("a page that asks for a listed file by another address is named, with that file, and the exit status is 1")
    func lacking() async throws {
        _ = try folder.write(
            "dist/index.html", "<title>0</title><h1>0</h1><script src=\"/main.js?3f2a\"></script><img src=a.svg>")
        _ = try folder.write("dist/main.js", Self.script)
        _ = try folder.write("dist/whole.html", "<title>1</title><script src=main.js></script>")
        let site = site
        let origin = try await PageOrigin.start { Self.answer(site, $0.path) }
        try await build(origin, ["--ignore-query", "none"])
        let output = try await ToolProcess.run(ToolProcess.larder, arguments(origin))
        let line = "opens offline: 1 page; / lacks /main.js?3f2a (listed as /main.js), /a.svg"
        #expect(output.status == 1 && output.out.contains(line), "\(output)")
        let json = try await ToolProcess.run(ToolProcess.larder, arguments(origin) + ["--json"])
        let all = try #require(
            try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any], "\(json)")
        let offline = try #require(all["offline"] as? [String: Any])
        #expect(offline["opening"] as? Int == 1 && (offline["lacking"] as? [Any])?.count == 1 && json.status == 1)
        await origin.stop()
    }

    @Test("user name and password in the URL go with each request to their host, and so do fields of -H")
    func credentials() async throws {
        _ = try folder.write("dist/index.html", "<title>0</title><h1>0</h1><script src=/main.js></script>")
        _ = try folder.write("dist/main.js", Self.script)
        let site = site
        let origin = try await PageOrigin.start { request in
            // RFC 7617 §2: "u:p" in base64.
            let isKnown = request.fields["Authorization"] == ["Basic dTpw"] && request.fields["X-Preview"] == ["1"]
            return isKnown
                ? Self.answer(site, request.path) : .init(status: 401, fields: ["WWW-Authenticate": "Basic realm=x"])
        }
        try await build(origin)
        var words = arguments(origin)
        #expect(try await ToolProcess.run(ToolProcess.larder, words).status == 1)
        words[2] = words[2].replacing("127.0.0.1", with: "u:p@127.0.0.1")
        let output = try await ToolProcess.run(ToolProcess.larder, words + ["-H", "X-Preview: 1"])
        #expect(output.status == 0 && output.out.contains("opens offline: 1 page"), "\(output)")
        #expect(!output.out.contains("u:p") && !output.err.contains("u:p") && output.err.contains("everybody"))
        let page = "http://u:p@127.0.0.1:\(origin.port)/"
        for command in [["explain", page + "none"], ["rules", "explain", page], ["store", "refresh", page]] {
            let store = command[0] == "rules" ? [] : ["--store", folder.store]
            let said = try await ToolProcess.run(ToolProcess.larder, command + store + ["-H", "X-Preview: 1"])
            #expect(said.out.contains("rule") && said.out.contains("authorization"), "\(said)")
            #expect(!said.out.contains("u:p") && !said.out.contains("dTpw") && !said.err.contains("401"), "\(said)")
        }
        let open = ["open", "http://u:p@127.0.0.1:\(origin.port)/", "--store", folder.path + "/other"]
        #expect(try await ToolProcess.run(ToolProcess.larder, open).status == 1)
        let opened = try await ToolProcess.run(ToolProcess.larder, open + ["-H", "X-Preview: 1"])
        #expect(opened.status == 0 && opened.out.contains("running: opened"), "\(opened)")
        await origin.stop()
    }

    @Test("fields of open -H go to the page's own origin alone: a token is no other host's business")
    func ownOrigin() async throws {
        let origin = try await PageOrigin.start { request in
            guard request.path == "/" else { return .init(fields: ["Content-Type": "text/css"], body: "p {}") }
            let port = request.fields["Host"].first?.split(separator: ":").last ?? ""
            return .page("Token", "Token<link rel=stylesheet href=/a><link rel=stylesheet href=//localhost:\(port)/b>")
        }
        let opened = try await ToolProcess.run(
            ToolProcess.larder,
            ["open", "http://127.0.0.1:\(origin.port)/", "--store", folder.store, "-H", "X-Token: 1"])
        #expect(opened.status == 0, "\(opened)")
        for (path, token) in [("/", ["1"]), ("/a", ["1"]), ("/b", [])] {
            let asked = origin.requests.filter { $0.path == path }
            #expect(!asked.isEmpty && asked.allSatisfy { $0.fields["X-Token"] == token }, "\(path)")
        }
        await origin.stop()
    }

    @Test("RFC 9111 §4.1: what is in no manifest is asked for with the fields of the web view that was open before")
    func knownFields() async throws {
        let vary =
            "User-Agent, Accept-Language, Accept-Encoding, Accept, Origin, Sec-Fetch-Dest, Sec-Fetch-Mode, Sec-Fetch-Site"
        let origin = try await PageOrigin.start { request in
            if request.path == "/main.mjs" {
                return .init(fields: ["Content-Type": "text/javascript", "Vary": vary], body: Self.script)
            }
            let script = "<title>0</title><h1>0</h1><script type=module src=/main.mjs></script>"
            return request.path == "/" ? .page("0", script, ["Vary": vary]) : .page("first")
        }
        let base = "http://127.0.0.1:\(origin.port)/"
        let store = ["--store", folder.store]
        #expect(try await ToolProcess.run(ToolProcess.larder, ["open", base + "first"] + store).status == 0)
        let output = try await ToolProcess.run(ToolProcess.larder, ["preload", base, base + "main.mjs"] + store)
        #expect(output.status == 0 && output.out.contains("opens offline: 1 page"), "\(output)")
        await origin.stop()
        let opened = try await ToolProcess.run(ToolProcess.larder, ["open", base, "--offline"] + store)
        #expect(opened.status == 0 && opened.out.contains("running: opened"), "\(opened)")
    }
}
