import CacheTesting
import HTTPTypes
import Testing

@testable import Preloading

/// What a page asks other origins for.
extension PageWithFilesTests {
    @Test("Upgrade Insecure Requests §3.1: such a page asks for all at https", arguments: [false, true])
    func upgraded(isMeta: Bool) async throws {
        let policy = "default-src 'self'; upgrade-insecure-requests"
        let html =
            (isMeta ? "<meta http-equiv=content-security-policy content=\"\(policy)\">" : "")
            + "<link rel=stylesheet href='http://shop.test/s.css'><script src='http://shop.test/s.js'></script>"
        let contents = [
            "/": ("text/html", html), "/s.css": ("text/css", "@import 'http://shop.test/t.css';"),
            "/t.css": ("text/css", ""), "/s.js": ("text/javascript", ""),
        ]
        for (path, (type, text)) in contents {
            bench.transport.on("https://shop.test" + path) { _ in
                var fields: HTTPFields = [.contentType: type, .eTag: "\"1\""]
                if !isMeta, path == "/" { fields[.contentSecurityPolicy] = policy }
                return ScriptedTransport.answer(200, fields, body: text)
            }
        }
        await bench.queue.add([PreloadItem(url: "https://shop.test/").withFiles()], set: "page")
        await bench.queue.runUntilSettled(set: "page", patience: .zero)
        #expect(
            Set(bench.transport.requests.map { $0.head.targetURL })
                == Set(contents.keys.map { "https://shop.test" + $0 }))
        let offline = await bench.queue.openOffline(set: "page")
        #expect(offline.opening == 1 && offline.lacking.isEmpty, "\(offline)")
    }

    @Test(
        "a page opens without the pictures and frames of other sites, and without scripts of theirs that it does not await",
        arguments: [("img src", true), ("iframe src", true), ("script async src", true), ("script src", false)])
    func dispensable(_ tag: String, _ opens: Bool) async throws {
        bench.answer("/", 200, [.contentType: "text/html"], body: "<\(tag)='https://count.test/x'></script>page")
        bench.transport.on("https://count.test/x") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "no-store", .contentType: "text/javascript"])
        }
        let (_, offline) = await preload()
        #expect((offline.opening == 1) == opens && offline.lacking.isEmpty == opens, "\(offline)")
    }

    @Test("nothing is asked for that the page could not ask for: plain http, the device itself, its network")
    func outside() async {
        let urls = [
            "http://shop.test/a.js", "https://127.0.0.1/b.js", "https://192.168.1.1/reboot.png",
            "https://localhost/c.css",
            "ftp://shop.test/d.js", "javascript:e", "data:text/css,f",
        ]
        let tags = urls.map { "<script src='\($0)'></script><img src='\($0)'><link rel=stylesheet href='\($0)'>" }
        bench.answer("/", 200, [.contentType: "text/html"], body: tags.joined())
        bench.answer("/a.js", 404)
        let (summary, _) = await preload()
        // The picture is asked for at https, as web views do (Mixed Content §4.1).
        #expect(
            bench.transport.requests.map { $0.head.targetURL } == ["/", "/a.js", "/"].map { PreloadBench.base + $0 })
        #expect(summary.items == 2 && summary.verified == 1)
    }
}
