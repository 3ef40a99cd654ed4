import CacheTesting
import Foundation
import Testing
import ViewCare
import WebVisit

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

@Suite("Blank pages")
struct BlankPictureTests {
    private static func white(_ count: Int, and others: [UInt32] = []) -> [UInt32] {
        others + Array(repeating: 0xFFFF_FFFF, count: count - others.count)
    }

    private static let rows: [(pixels: [UInt32], children: Int?, expected: Bool?, reason: Comment)] = [
        (white(1_000), 0, false, "one colour, no elements"),
        (Array(repeating: 0, count: 64), 0, false, "any colour"),
        (white(1_000), 3, true, "not drawn yet"),
        (white(1_000), nil, nil, "no answer"),
        (white(63), 0, nil, "too few"),
        ([], 0, nil, "no snapshot"),
        (white(1_000, and: [0, 0, 0, 0, 0]), 0, false, "a cursor, even at the start"),
        (white(1_000, and: Array(repeating: 0, count: 6)), 0, nil, "6"),
        (white(100, and: [0xFFFD_FDFD]), 0, false, "a difference nobody sees"),
        (white(100, and: [0xFFFC_FFFF]), 0, nil, "one that is seen"),
        (white(1_000), .min, false, "a page may answer anything"),
    ]

    @Test("whether a page of one colour has elements")
    func judge() {
        for row in Self.rows {
            let hasElements = BlankPicture.hasElements(pixels: row.pixels, bodyChildCount: row.children)
            #expect(hasElements == row.expected, row.reason)
        }
    }
}
