import CacheTesting
import Foundation
import Testing

/// Claims of `larder preload` and `larder open` about pages without a network.
@Suite("What is said of pages without a network")
struct OfflineClaimTests {
    private let folder: TemporaryDirectory
    private var site: String { folder.path + "/dist" }

    init() throws {
        folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: true)
    }

    private func larder(_ arguments: String...) async throws -> ToolProcess.Output {
        try await ToolProcess.run(ToolProcess.larder, arguments)
    }

    /// Serves the build folder, but for what `other` answers.
    private func serve(
        _ other: @escaping @Sendable (String) -> PageOrigin.Answer? = { _ in nil }
    ) async throws -> PageOrigin {
        let site = site
        return try await PageOrigin.start { request in
            if let answer = other(request.path) { return answer }
            let path = request.path == "/" ? "/index.html" : request.path
            guard let content = FileManager.default.contents(atPath: site + path) else { return .notFound }
            let types = ["html": "text/html", "svg": "image/svg+xml", "mjs": "text/javascript"]
            let type = types[(path as NSString).pathExtension] ?? "text/plain"
            return .init(fields: ["Content-Type": type], body: String(decoding: content, as: UTF8.self))
        }
    }

    private func build(_ origin: PageOrigin) async throws -> ToolProcess.Output {
        try await larder(
            "manifest", "build", site, "--base", "http://127.0.0.1:\(origin.port)/", "--documents", "--id", "site")
    }

    private func preload(_ origin: PageOrigin) async throws -> ToolProcess.Output {
        try await larder(
            "preload", "--manifest", "http://127.0.0.1:\(origin.port)/larder/head.json", "--id", "site", "--store",
            folder.store)
    }

    @Test("documents in objects, embeds and srcdoc are asked for as well, with all that they name")
    func embedded() async throws {
        _ = try folder.write(
            "dist/index.html",
            """
            <title>0</title><h1>0</h1><object type=text/html data=o.html></object><embed src=e.svg>
            <object type=text/html data=whole.html></object><iframe srcdoc='<img src="in.png">'></iframe>
            """)
        for name in ["o.html", "e.svg", "in.png"] { _ = try folder.write("dist/" + name, name) }
        _ = try folder.write("dist/whole.html", "<title>1</title><img src=e.svg>")
        let origin = try await serve { ["/o.html", "/e.svg", "/in.png"].contains($0) ? .notFound : nil }
        #expect(try await build(origin).status == 0)
        let output = try await preload(origin)
        #expect(output.status == 1 && output.out.contains("; / lacks /o.html, /e.svg, /in.png;"), "\(output)")
        #expect(output.out.contains("; /whole.html lacks /e.svg"), "\(output)")
        await origin.stop()
    }

    @Test("what modules import at their head is asked for as well")
    func imported() async throws {
        _ = try folder.write("dist/index.html", "<title>0</title><h1>0</h1><script type=module src=a.mjs></script>")
        _ = try folder.write("dist/a.mjs", "import './b.mjs'; import('./late.mjs')")
        _ = try folder.write("dist/b.mjs", "import x from './c.mjs'\nimport y from 'of-a-map'")
        let origin = try await serve()
        #expect(try await build(origin).status == 0)
        let output = try await preload(origin)
        #expect(output.status == 1 && output.out.contains("opens offline: 0 pages; / lacks /c.mjs\n"), "\(output)")
        await origin.stop()
    }

    @Test("a file that is still the one of the release before is said to be lacked")
    func earlier() async throws {
        func write(_ release: Int) throws {
            _ = try folder.write("dist/index.html", "<title>\(release)</title><h1>0</h1><video src=a.mp4></video>")
            _ = try folder.write("dist/a.mp4", "film \(release)")
        }
        let origin = try await serve { path in
            path == "/a.mp4" ? .init(body: "film 1") : path == "/c.js" ? .init(status: 404) : nil
        }
        try write(1)
        #expect(try await build(origin).status == 0)
        let first = try await preload(origin)
        #expect(first.status == 0 && first.out.contains("in force, opens offline: 1 page"), "\(first)")
        try write(2)
        #expect(try await build(origin).status == 0)
        let second = try await preload(origin)
        #expect(second.status == 1 && second.out.contains("opens offline: 0 pages; / lacks /a.mp4"), "\(second)")
        #expect(second.out.contains("The stored one is of another release"), "\(second)")
        _ = try folder.write("dist/index.html", "<title>3</title><h1>0</h1><script src=c.js></script>")
        _ = try folder.write("dist/c.js", "3")
        #expect(try await build(origin).status == 0)
        let third = try await preload(origin)
        let words = "serial 2 stays in force until all of serial 3 is there; opens offline: "
        #expect(third.status == 1 && third.out.contains(words), "\(third)")
        await origin.stop()
    }

    @Test("a server that nothing answers at is said at once, with the address")
    func nobody() async throws {
        let output = try await larder("preload", "http://127.0.0.1:1/x.js", "--store", folder.store)
        let line = "failed  http://127.0.0.1:1/x.js  network: Nothing answers at '127.0.0.1:1'"
        #expect(output.status == 1 && output.out.contains(line), "\(output)")
    }

    @Test("a base without a document is named when the manifest is built")
    func noIndex() async throws {
        try FileManager.default.createDirectory(atPath: site + "/en", withIntermediateDirectories: true)
        _ = try folder.write("dist/en/index.html", "<title>0</title>")
        let origin = try await serve()
        let words = "has no index.html, so http://127.0.0.1:\(origin.port)/ itself is no page of the release"
        let without = try await build(origin)
        #expect(without.status == 0 && without.err.contains(words), "\(without)")
        _ = try folder.write("dist/index.html", "<title>0</title>")
        #expect(try await build(origin).err.contains("index.html") == false)
        await origin.stop()
    }

    @Test("a redirect whose target is missing is named with it, and a stored error is called one")
    func words() async throws {
        let origin = try await serve { path in
            switch path {
            case "/": .init(status: 302, fields: ["Location": "/en/"])
            case "/en/": .page("not kept", "", ["Cache-Control": "no-store"])
            case "/gone": .init(status: 404, fields: ["Content-Type": "text/html"], body: "<title>0</title><p>gone")
            default: nil
            }
        }
        let base = "http://127.0.0.1:\(origin.port)/"
        #expect(try await larder("open", base, "--store", folder.store).status == 0)
        #expect(try await larder("open", base + "gone", "--store", folder.store).out.contains("not opened: status 404"))
        await origin.stop()
        let redirected = try await larder("open", base, "--offline", "--store", folder.store)
        #expect(
            redirected.out.contains("\(base): not opened: it redirects to \(base)en/: there is no network"),
            "\(redirected)")
        let error = try await larder("open", base + "gone", "--offline", "--store", folder.store)
        #expect(
            error.out.contains("gone: not opened: the stored answer has the status 404"), "\(error)")
    }
}
