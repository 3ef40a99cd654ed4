import CacheTesting
import Foundation
import Locking
import NIOHTTP1
import Testing

/// `larder preload` as a process, against a publisher on a socket.
@Suite("larder preload")
struct PreloadCommandTests {
    let folder: TemporaryDirectory
    var site: String { folder.path + "/dist" }
    var keys: String { folder.path + "/keys" }
    private static let script = "document.title = 'My site, running'"

    init() throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: site + "/assets", withIntermediateDirectories: true)
        _ = try folder.write(
            "dist/index.html", "<title>My site</title><h1>My site</h1><script src=/assets/index-BX3kTQ9a.js></script>")
        _ = try folder.write("dist/assets/index-BX3kTQ9a.js", Self.script)
    }

    /// Serves the build folder as it is on the disk, as `python3 -m http.server` does: without `Cache-Control`.
    func serve() async throws -> PageOrigin {
        let site = site
        return try await PageOrigin.start { request in
            let path = request.path == "/" ? "/index.html" : request.path
            guard let content = FileManager.default.contents(atPath: site + path) else { return .notFound }
            let type =
                path.hasSuffix(".html") ? "text/html" : path.hasSuffix(".js") ? "text/javascript" : "application/json"
            return .init(
                fields: ["Content-Type": type, "Last-Modified": "Mon, 09 Nov 2026 08:00:00 GMT"],
                body: String(decoding: content, as: UTF8.self))
        }
    }

    func larder(_ arguments: [String]) async throws -> ToolProcess.Output {
        try await ToolProcess.run(ToolProcess.larder, arguments)
    }

    func build(_ origin: PageOrigin, _ more: String...) async throws {
        let built = try await larder(
            [
                "manifest", "build", site, "--base", "http://127.0.0.1:\(origin.port)/", "--documents", "--id", "site",
                "--key", keys + "/current.key",
            ] + more)
        #expect(built.status == 0, "\(built)")
    }

    func preload(_ origin: PageOrigin, _ more: String...) async throws -> ToolProcess.Output {
        try await larder(
            [
                "preload", "--manifest", "http://127.0.0.1:\(origin.port)/larder/head.json", "--id", "site", "--key",
                keys + "/current.pub", "--store", folder.store,
            ] + more)
    }

    private func json(_ output: ToolProcess.Output) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [String: Any], "\(output)")
    }

    @Test("the README's steps: build, publish, preload, open offline; then nothing is fetched twice")
    func documented() async throws {
        let origin = try await serve()
        _ = try await larder(["manifest", "keygen", keys])
        try await build(origin)
        let first = try await preload(origin)
        #expect(first.status == 0 && first.out.contains("2 of 2 are in the store: 2 fetched"), "\(first)")
        #expect(!first.out.contains("\u{1B}") && first.err.isEmpty)
        let asked = origin.asked.count
        let second = try json(try await preload(origin, "--json"))
        #expect(second["complete"] as? Bool == true && second["transferred"] as? Int == 0)
        #expect(origin.asked.count == asked + 1, "\(origin.asked)")
        await origin.stop()
        let page = "http://127.0.0.1:\(origin.port)/"
        let opened = try await larder(["open", page, "--offline", "--store", folder.store])
        #expect(opened.status == 0 && opened.out.contains("My site, running: opened"), "\(opened)")
    }

    @Test("--with-files: a page opens offline whose server nobody has changed; without it, what it lacks is named")
    func withFiles() async throws {
        let origin = try await serve()
        let page = "http://127.0.0.1:\(origin.port)/"
        let alone = try await larder(["preload", page, "--store", folder.store])
        #expect(alone.status == 1 && alone.out.contains("lacks /assets/index-BX3kTQ9a.js"), "\(alone)")
        #expect(alone.out.hasSuffix("--with-files fetches what the pages name.\n"), "\(alone)")
        let whole = try await larder(["preload", page, "--with-files", "--store", folder.store])
        #expect(whole.status == 0 && whole.out.contains("2 of 2 are in the store"), "\(whole)")
        #expect(whole.out.contains("opens offline: 1 page"), "\(whole)")
        await origin.stop()
        let opened = try await larder(["open", page, "--offline", "--store", folder.store])
        #expect(opened.status == 0 && opened.out.contains("My site, running: opened"), "\(opened)")
    }

    @Test(
        "--links-of: a published page of preload links, then the first visit and one offline; what is no such page is told"
    )
    func links() async throws {
        let types = ["/app.js": "text/javascript", "/site.css": "text/css"]
        let origin = try await PageOrigin.start { request in
            let fields: HTTPHeaders = [
                "Content-Type": types[request.path] ?? "text/html", "Cache-Control": "max-age=600", "ETag": "\"1\"",
            ]
            switch request.path {
            case "/preload.html":
                let links = "<link rel=preload as=script href=/app.js><link rel=stylesheet href=/site.css>"
                return .init(fields: fields, body: links + "<link rel=preload as=document href=/shop>")
            case "/shop":
                let page = "<link rel=stylesheet href=/site.css><h1>Shop</h1><script src=/app.js></script>"
                return .init(fields: fields, body: page)
            case "/app.js": return .init(fields: fields, body: "document.title = 'Shop, running'")
            default: return .init(fields: fields, body: "h1 { color: red }")
            }
        }
        let (base, store) = ("http://127.0.0.1:\(origin.port)", folder.store)
        let output = try await larder(["preload", "--links-of", base + "/preload.html", "--store", store])
        #expect(output.status == 0 && output.out.contains("opens offline: 1 page"), "\(output)")
        let asked = origin.asked.count
        for more in [[], ["--offline"]] {
            let opened = try await larder(["open", base + "/shop", "--store", store] + more)
            #expect(opened.status == 0 && opened.out.contains("Shop, running: opened"), "\(opened)")
            #expect(origin.asked.count == asked)
        }
        let other = try await larder(["preload", "--links-of", base + "/shop", "--store", store])
        #expect(other.status == 1 && other.err.contains("more than preload links: <h1>"), "\(other)")
        await origin.stop()
        let gone = try await larder(["preload", "--links-of", base + "/preload.html", "--store", store])
        #expect(gone.status == 1 && gone.err.contains(base + "/preload.html:"), "\(gone)")
    }

    @Test("a new release fetches what changed; a refused head has its name and exit status 1, and the old state works")
    func releases() async throws {
        let origin = try await serve()
        _ = try await larder(["manifest", "keygen", keys])
        try await build(origin)
        #expect(try await preload(origin).status == 0)
        let old = try Data(contentsOf: URL(fileURLWithPath: site + "/larder/head.json"))
        _ = try folder.write("dist/assets/index-C0ffee12.js", Self.script + ";")
        _ = try folder.write(
            "dist/index.html", "<title>2</title><h1>2</h1><script src=/assets/index-C0ffee12.js></script>")
        try FileManager.default.removeItem(atPath: site + "/assets/index-BX3kTQ9a.js")
        try await build(origin)
        let newer = try json(try await preload(origin, "--json"))
        #expect(
            newer["fetched"] as? Int == 2 && (newer["manifest"] as? [String: Any])?["serial"] as? Int == 2, "\(newer)")
        try old.write(to: URL(fileURLWithPath: site + "/larder/head.json"))
        let refused = try await preload(origin)
        #expect(refused.status == 1 && refused.out.contains("no newer manifest: serial-older"), "\(refused)")
        #expect(refused.out.contains("Serial 2 stays in force"), "\(refused)")
        let wrong = try await larder([
            "preload", "--manifest", "http://127.0.0.1:\(origin.port)/larder/head.json", "--id", "site", "--key",
            keys + "/next.pub", "--store", folder.path + "/other", "--json",
        ])
        let reason = (try json(wrong)["manifest"] as? [String: Any])?["reason"] as? String
        #expect(wrong.status == 1 && reason == "unknown-key")
        let offline = try await larder(
            ["open", "http://127.0.0.1:\(origin.port)/", "--offline", "--store", folder.store])
        #expect(offline.out.contains("2: opened") || offline.out.contains("My site, running: opened"), "\(offline)")
        await origin.stop()
    }

    @Test("the serial in force is that of the release that pages see, and not one that was accepted and lacks a file")
    func inForce() async throws {
        let origin = try await serve()
        func manifest(_ output: ToolProcess.Output) throws -> [String: Any] {
            try #require(try json(output)["manifest"] as? [String: Any])
        }
        _ = try await larder(["manifest", "keygen", keys])
        try await build(origin)
        #expect(try manifest(try await preload(origin, "--json"))["serialInForce"] as? Int == 1)
        _ = try folder.write("dist/assets/index-C0ffee12.js", Self.script + ";")
        _ = try folder.write(
            "dist/index.html", "<title>2</title><h1>2</h1><script src=/assets/index-C0ffee12.js></script>")
        try await build(origin)
        try FileManager.default.removeItem(atPath: site + "/assets/index-C0ffee12.js")
        let partly = try manifest(try await preload(origin, "--json"))
        #expect(partly["serial"] as? Int == 2 && partly["serialInForce"] as? Int == 1, "\(partly)")
        let stats = try await larder(["store", "stats", "--store", folder.store])
        #expect(stats.out.contains("manifest site: serial 1 is in force; serial 2 is accepted"), "\(stats)")
        try FileManager.default.removeItem(atPath: site + "/larder/head.json")
        let without = try await preload(origin)
        #expect(without.out.contains("Serial 1 stays in force"), "\(without)")
        await origin.stop()
    }

    @Test(
        "two processes with one --state: the slower one does not take back what the other has accepted",
        arguments: [(slow: 5, fast: 9), (slow: 9, fast: 5)])
    func overtaken(_ slow: Int, _ fast: Int) async throws {
        let (site, gate, held) = (site, Latch(), LockedBox<String?>(nil))
        let arrived = Latch()
        let origin = try await PageOrigin.start { request in
            if held.withLock({ $0 == request.path }) {
                arrived.open()
                await gate.pass()
            }
            guard let content = FileManager.default.contents(atPath: site + request.path) else { return .notFound }
            return .init(body: String(decoding: content, as: UTF8.self))
        }
        _ = try await larder(["manifest", "keygen", keys])
        func publish(_ serial: Int) async throws {
            try? FileManager.default.removeItem(atPath: site + "/larder")
            _ = try folder.write("dist/assets/\(serial).js", "\(serial)")
            try await build(origin, "--serial", "\(serial)")
        }
        try await publish(slow)
        let list = try #require(try FileManager.default.contentsOfDirectory(atPath: site + "/larder/lists").first)
        held.withLock { $0 = "/larder/lists/" + list }
        // On one store the second would wait for the first.
        let state = folder.path + "/state"
        async let slower = preload(origin, "--json", "--state", state, "--store", folder.path + "/slower")
        await arrived.pass()
        // What the slower one waits for is still there, under its own name.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: site + "/larder/lists/" + list))
        try await publish(fast)
        try bytes.write(to: URL(fileURLWithPath: site + "/larder/lists/" + list))
        #expect(
            (try json(try await preload(origin, "--json", "--state", state))["manifest"] as? [String: Any])?["serial"]
                as? Int == fast)
        gate.open()
        let manifest = try #require(try json(try await slower)["manifest"] as? [String: Any])
        if slow < fast {
            #expect(manifest["reason"] as? String == "serial-older", "\(manifest)")
        } else {
            #expect(manifest["serial"] as? Int == slow, "\(manifest)")
        }
        try await publish(6)
        let last = try json(try await preload(origin, "--json", "--state", state))
        let older = try #require(last["manifest"] as? [String: Any])
        #expect(older["reason"] as? String == "serial-older", "\(older)")
        await origin.stop()
    }

    @Test("a list of URLs: what is refused is told with its reason, and the rest is stored; a budget ends for the day")
    func list() async throws {
        let origin = try await serve()
        let base = "http://127.0.0.1:\(origin.port)"
        _ = try folder.write("urls", "# mine\n\(base)/assets/index-BX3kTQ9a.js\n\n\(base)/gone.js\n")
        let output = try await larder(["preload", "--list", folder.path + "/urls", "--store", folder.store])
        #expect(output.status == 1 && output.out.contains("1 of 2 are up to date in the store"), "\(output)")
        #expect(output.out.contains("refused  \(base)/gone.js  status: The server answers 404"), "\(output)")
        let spent = try json(
            try await larder([
                "preload", base + "/", "--budget", "10", "--store", folder.path + "/small", "--json",
            ]))
        #expect(spent["complete"] as? Bool == false)
        #expect(((spent["waiting"] as? [[String: Any]])?.first)?["reason"] as? String == "budget", "\(spent)")
        await origin.stop()
    }

    @Test("two projects on two ports of one machine have two ids")
    func ports() async throws {
        let origin = try await serve()
        let base = "http://127.0.0.1:\(origin.port)/"
        func build(_ more: String...) async throws {
            try? FileManager.default.removeItem(atPath: site + "/larder")
            #expect(try await larder(["manifest", "build", site, "--base", base] + more).status == 0)
        }
        func preload() async throws -> [String: Any] {
            try json(
                try await larder([
                    "preload", "--manifest", base + "larder/head.json", "--store", folder.store, "--json",
                ]))
        }
        try await build()
        let other = try await preload()
        #expect(other["complete"] as? Bool == true, "\(other)")
        #expect((other["manifest"] as? [String: Any])?["id"] as? String == "127.0.0.1-\(origin.port)")
        try await build("--id", "third")
        let third = try await preload()["manifest"] as? [String: Any]
        #expect(third?["reason"] as? String == "wrong-id" && third?["id"] as? String == "127.0.0.1-\(origin.port)")
        await origin.stop()
    }

    @Test("two manifests in one call are both done; a damaged state names its file and the cure")
    func several() async throws {
        let origins = [try await serve(), try await serve()]
        var call = ["preload", "--store", folder.store, "--json"]
        for origin in origins {
            let base = "http://127.0.0.1:\(origin.port)/"
            let out = folder.path + "/\(origin.port)"
            #expect(
                try await larder(["manifest", "build", site, "--base", base, "--documents", "--out", out]).status == 0)
            call += ["--manifest", base + "larder/head.json"]
        }
        func preload(_ number: Int) async throws -> ToolProcess.Output {
            try? FileManager.default.removeItem(atPath: site + "/larder")
            try FileManager.default.copyItem(
                atPath: folder.path + "/\(origins[number].port)", toPath: site + "/larder")
            return try await larder(call)
        }
        // Both servers have one folder, so that one head is the other's.
        for number in [0, 1] {
            let output = try await preload(number)
            let lines = output.out.split(separator: "\n").count
            #expect(output.status == 1 && lines == 2, "\(output)")
            #expect(output.out.contains("127.0.0.1-\(origins[number].port)"), "\(output)")
        }
        for origin in origins { await origin.stop() }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.store + "/preload")
        let states = names.filter { $0.hasPrefix("manifest-") }.map { folder.store + "/preload/" + $0 }
        #expect(states.count == 2)
        for state in states { try "garbage".write(toFile: state, atomically: true, encoding: .utf8) }
        let damaged = try await larder(call)
        #expect(damaged.status == 1 && damaged.out.contains("is damaged. Remove it to begin anew"), "\(damaged)")
    }

    @Test("a FIFO in place of a file is refused at once", .timeLimit(.minutes(5)))
    func pipes() async throws {
        let fifo = folder.path + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let url = "http://127.0.0.1:1/"
        for command in [
            ["open", url, "--origin-ca", fifo], ["open", url, "--rules", fifo], ["open", url, "--offline-page", fifo],
            ["proxy", "--origin-ca", fifo], ["rules", "check", fifo], ["preload", url, "--origin-ca", fifo],
            ["preload", url, "--rules", fifo],
        ] {
            let store = command[0] == "rules" ? [] : ["--store", folder.store]
            let refused = try await larder(command + store)
            #expect(
                refused.status == 2 && refused.err.contains("a pipe"), "\(command): \(refused)")
        }
    }

    @Test("a --state that can't be written is said in one sentence")
    func fullState() async throws {
        let state = try folder.write("file", "") + "/state"
        let refused = try await larder([
            "preload", "--manifest", "http://127.0.0.1:1/head.json", "--state", state, "--store", folder.store,
        ])
        #expect(refused.status == 2 && refused.err.contains("can't be written; check the free space"), "\(refused)")
    }

    @Test(
        "a call that can't work says so in one sentence",
        arguments: [
            ([], "nothing to fetch"), (["--key", "x", "https://a.test/"], "belong to a --manifest"),
            (["nonsense"], "no absolute http or https URL"), (["--list", "/nowhere"], "can't be read"),
            (["--manifest", "nonsense"], "no URL of a manifest"),
            (
                ["--manifest", "https://a.test/", "--manifest", "https://b.test/", "--id", "a"],
                "are for one --manifest"
            ),
            (["--page-origin", "shop.test", "https://a.test/"], "is no origin"),
            (["--page-origin", "https://shop.test/a", "https://a.test/"], "is no origin"),
            (["--page-origin", "https://me@shop.test", "https://a.test/"], "is no origin"),
            (["--page-origin", "file:///", "https://a.test/"], "is no origin"),
        ])
    func misuse(_ arguments: [String], words: String) async throws {
        let output = try await larder(["preload", "--store", folder.store] + arguments)
        #expect(output.status == 2 && output.err.contains(words) && output.err.hasPrefix("larder: "), "\(output)")
    }
}
