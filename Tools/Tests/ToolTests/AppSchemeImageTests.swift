import CacheTesting
import Testing

@Suite("Images of an https page that are at the app-cache scheme", .serialized)
struct AppSchemeImageTests {
    @Test("come from Larder, without the origin as well; scripts and styles there are mixed content")
    func image() async throws {
        let folder = try TemporaryDirectory()
        let scene = try await SessionScene(folder, .httpsScheme, pendingLimitMilliseconds: 1_000) { request in
            func file(_ type: String, _ body: String) -> PageOrigin.Answer {
                .init(fields: ["Content-Type": type, "Cache-Control": "max-age=600"], body: body)
            }
            switch request.path {
            case "/":
                return .page(
                    "Shop",
                    """
                    <img id=plain src="app-cache-https://shop.test/a.svg">
                    <img id=set srcset="app-cache-https://shop.test/b.svg 1x">
                    <link rel=stylesheet href="app-cache-https://shop.test/a.css">
                    <script src="app-cache-https://shop.test/a.js"></script>
                    """, ["Cache-Control": "max-age=600"])
            case "/a.svg", "/b.svg":
                return file("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='5'/>")
            case "/a.css": return file("text/css", "h1 { color: red }")
            case "/a.js": return file("text/javascript", "window.ran = true")
            default: return .notFound
            }
        }
        let seen = """
            return [location.protocol, plain.naturalWidth, set.naturalWidth, window.ran === true].join(' ')
            """
        _ = try await scene.open("https://shop.test/")
        #expect(try await scene.run(seen) == #""https: 7 7 false""#)
        #expect(Set(scene.origin.asked).isSuperset(of: ["shop.test/a.svg", "shop.test/b.svg"]))
        #expect(!scene.origin.asked.contains("shop.test/a.js") && !scene.origin.asked.contains("shop.test/a.css"))
        _ = try await scene.open("about:blank")
        await scene.origin.stop()
        #expect(try await scene.open("https://shop.test/").failedResources == [])
        #expect(try await scene.run(seen) == #""https: 7 7 false""#)
        await scene.stop()
    }
}
