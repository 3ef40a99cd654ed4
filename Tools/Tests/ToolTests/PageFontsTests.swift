import CacheTesting
import Foundation
import Locking
import Testing

/// `larder preload --with-files` beside what real WebKit asks for.
@Suite("Fonts of a page")
struct PageFontsTests {
    private static let sheet = """
        @font-face{font-family:A;src:url(1.eot);src:url(1.eot?#x)format('embedded-opentype'),url(1.woff2)format('woff2'),
          url(1.ttf)format('truetype'),url(1.svg#a)format('svg')}
        @font-face{font-family:B;src:url(2-latin.woff2)format('woff2');unicode-range:U+0000-00FF,U+0131}
        @font-face{font-family:B;src:url(2-cyrillic.woff2);unicode-range:U+0400-045F,U+0490}
        @font-face{font-family:B;src:url(2-greek.woff2);unicode-range:U+0370-03FF}
        @font-face{font-family:B;src:url(2-chinese.woff2);unicode-range:U+4e00-4fff}
        @font-face{font-family:C;unicode-range:U+4??,U+20-7F;src:url(3-before.woff2),url(3-before.woff)}
        @font-face{font-family:C;unicode-range:U+5E9;src:url(3-hebrew.woff2)}
        """

    @Test("those that WebKit loads, and no others", arguments: [true, false])
    func chosen(_ isLinked: Bool) async throws {
        let folder = try TemporaryDirectory()
        let asked = LockedBox<Set<String>>([])
        let font = try #require(FileManager.default.contents(atPath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"))
        let origin = try await PageOrigin.start { request in
            asked.withLock { _ = $0.insert(request.path) }
            switch request.path {
            case "/":
                let style = isLinked ? "<link rel=stylesheet href=/a.css>" : "<style>\(Self.sheet)</style>"
                return .page(
                    "fonts",
                    "<meta charset=utf-8>\(style)<p style=font-family:A>a</p><p style=font-family:B>b, \u{416}, &#x4e2d;</p>"
                        + "<p style=font-family:C>\u{416}</p>")
            case "/a.css": return .init(fields: ["Content-Type": "text/css"], body: Self.sheet)
            case "/favicon.ico": return .notFound
            default:
                return .init(fields: ["Content-Type": "font/woff2"], content: Array(font))
            }
        }
        let page = "http://127.0.0.1:\(origin.port)/"
        let opened = try await ToolProcess.run(ToolProcess.larder, ["open", page, "--store", folder.store])
        #expect(opened.out.contains("fonts: opened"), "\(opened)")
        let byWebKit = asked.withLock { $0 }.subtracting(["/favicon.ico"])
        #expect(byWebKit.count == (isLinked ? 7 : 6), "\(byWebKit.sorted())")
        asked.withLock { $0 = [] }
        let preloaded = try await ToolProcess.run(
            ToolProcess.larder, ["preload", page, "--with-files", "--store", folder.path + "/other"])
        #expect(preloaded.status == 0, "\(preloaded)")
        #expect(asked.withLock { $0 }.subtracting(["/favicon.ico"]).symmetricDifference(byWebKit) == [])
        await origin.stop()
    }
}
