import CacheTesting
import Foundation
import Testing
import ViewCare

/// The question of `WebViewEvent.showsNothing`, in real WebKit.
@Suite("Pages that show nothing", .timeLimit(.minutes(10)))
struct EmptyPageTests {
    private static let pages: [(html: String, answer: String)] = [
        ("", "nothing"), ("<script>1</script>", "nothing"), ("<body><script>1</script>", "elements"),
        ("<div id=app></div>", "elements"), ("   \n", "nothing"),
        ("<p>text", ""), ("<div>deep<span></span></div>", ""), ("<p style='display: none'>hidden", "elements"),
        ("<p style='visibility: hidden'>hidden", "elements"), ("<canvas></canvas>", ""), ("<input>", ""),
        ("<img src=/none.png width=10 height=10>", ""), ("<img src=/none.png style='display: none'>", "elements"),
        ("<svg width=5 height=5></svg>", ""), ("<iframe></iframe>", ""), ("<hr>", ""),
        ("<div style='height: 9px; background: url(x.png)'></div>", ""),
        ("<div style='height: 9px; background: red'></div>", "elements"),
        ("<style>body { background-image: linear-gradient(red, blue) }</style>", ""),
        ("<x-app style='display: block; height: 9px'></x-app>", ""), ("<x-app></x-app>", "elements"),
        (
            "<div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<p>deep'</script>", ""
        ),
        ("<script>document.documentElement.remove()</script>", "nothing"),
    ]

    @Test("are told from those that show something")
    func table() async throws {
        let folder = try TemporaryDirectory()
        let scene = try await SessionScene(folder, .appScheme) { request in
            let content = request.path.dropFirst().prefix { $0.isNumber }
            guard let number = Int(content), request.path.dropFirst() == content else { return .notFound }
            let html = "<!doctype html><title>page</title>" + Self.pages[number].html
            return .init(fields: ["Content-Type": "text/html"], body: html)
        }
        for (number, page) in Self.pages.enumerated() {
            _ = try await scene.open("https://shop.test/\(number)")
            let answer = try await scene.run(EmptyPage.script)
            #expect(answer == "\"\(page.answer)\"", "\(page.html)")
        }
        await scene.stop()
    }
}
