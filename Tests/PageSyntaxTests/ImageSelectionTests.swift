import Testing

@testable import PageSyntax

/// `ScreenImagesTests` compares such tags with what real WebKit loads.
@Suite("Images that a screen shows")
struct ImageSelectionTests {
    private static let phone = PageScreen(width: 390, height: 844, density: 3)
    private static let desk = PageScreen(width: 1_280, height: 800)

    @Test(
        "Media Queries 4: true, false, or only the web view knows",
        arguments: [
            ("", true), ("all", true), ("screen", true), ("print", false), ("not print", true), ("only screen", true),
            ("(min-width: 600px)", false), ("(max-width: 600px)", true), ("(MAX-WIDTH:37.5em)", true),
            ("screen and (min-width: 390px) and (max-width: 390px)", true), ("screen and", nil),
            ("not screen and (min-width: 600px)", true), ("print, (orientation: portrait)", true),
            ("(orientation: landscape)", false), ("(orientation)", true), ("(width >= 600px)", false),
            ("(300px < width <= 390px)", true), ("(390px<width)", false), ("(width = 390px)", true),
            ("(300px > width)", false), ("(min-resolution: 2dppx)", true), ("(min-resolution: 300dpi)", false),
            ("(-webkit-min-device-pixel-ratio: 1.5)", true), ("(-webkit-max-device-pixel-ratio: 2)", false),
            ("(min-aspect-ratio: 1/1)", false), ("(max-aspect-ratio: 9 / 16)", true),
            ("(min-device-width: 400px)", false),
            ("(prefers-color-scheme: dark)", nil), ("not all and (prefers-color-scheme: dark)", nil),
            ("(min-width: 600px) and (hover)", false), ("(max-width: 600px) and (hover)", nil),
            ("(max-width: 600px) or (hover)", true), ("(min-width: 600px) or (hover)", nil),
            ("not (min-width: 600px)", true), ("not ((max-width: 600px) and (min-width: 300px))", false),
            ("((max-width: 600px) and (min-width: 300px))", true), ("(min-width: calc(300px + 10em))", false),
            ("(min-width: calc(300px + 5em))", true), ("nonsense (", false), ("(width", true),
            ("screen or (width)", false),
            ("(min-width: 1e2px)", true), ("(min-width: 1e3px)", false), (",", nil),
        ] as [(String, Bool?)])
    func mediaQuery(_ text: String, _ expected: Bool?) {
        #expect(MediaQuery.matches(text, Self.phone) == expected)
    }

    @Test(
        "HTML §4.8.4.2.2, §4.8.4.2.5: one candidate, by its density",
        arguments: [
            ("s 1x, l 2x, h 3x", nil, desk, ["s"]), ("s 1x, l 2x, h 3x", nil, phone, ["h"]),
            ("s, l 2x", nil, phone, ["l"]), ("l 2x", nil, desk, ["src"]), ("l 2x, o 1x", nil, desk, ["o"]),
            ("s 400w, m 800w, l 1600w", nil, desk, ["l"]), ("s 400w, m 800w, l 1600w", nil, phone, ["l"]),
            ("s 400w, m 800w, l 1600w", "50vw", desk, ["m"]), ("s 400w, m 800w, l 1600w", "300px", desk, ["s"]),
            ("s 400w, m 800w", "(max-width: 600px) 100px, 800px", phone, ["s"]),
            ("s 400w, m 800w", "(max-width: 600px) 100px, 800px", desk, ["m"]),
            ("s 400w, m 800w", "(hover) 100px, 800px", desk, ["s", "m"]),
            ("s 400w, m 800w", "calc(50vw - 400px)", desk, ["s"]), ("s 400w, m 800w", "min(100vw, 300px)", desk, ["m"]),
            ("s 400w, m 800w", "max(100px, 30px), 300px", desk, ["s"]), ("s 400w, m 800w", "50%", desk, ["m"]),
            ("s 400w, m 800w", "auto, 300px", desk, ["s"]), ("s 400w, m 800w", "-1px, 300", desk, ["m"]),
            ("s 400w, m 800w", "0", desk, ["s"]), ("a 1x, b 1x", nil, desk, ["a"]),
            ("a 400w 300h, b 800w 600h", "400px", desk, ["a"]),
            ("a 1x 2x, b 100h, c 1q, d 1w 1x, e -1x", nil, desk, ["src"]),
            ("a 1x, b 1.5x", nil, PageScreen(width: 1, height: 1, density: 1.25), ["b"]),
            ("a 1x, b 2x", nil, PageScreen(width: 1, height: 1, density: 1.25), ["b"]), ("", nil, desk, ["src"]),
            // Blink takes the one that is nearer; WebKit the first that is enough.
            ("a 2.4x, b 4x", nil, phone, ["b"]), ("a 1x, b 2x", nil, phone, ["b"]),
            ("a 0.5x, b 1x", nil, PageScreen(width: 1, height: 1, density: 0.75), ["b"]),
            ("a infx, b nanx, c 1e400x", nil, desk, ["src"]),
            ("a .5x, b 1.x, c +1x, d 3x", nil, desk, ["src"]),
        ] as [(String, String?, PageScreen, Set<String>)])
    func candidates(_ srcset: String, _ sizes: String?, _ screen: PageScreen, _ expected: Set<String>) {
        #expect(Srcset.chosen(srcset, sizes: sizes, source: "src", on: screen) == expected)
    }

    private func loaded(_ html: String, _ screen: PageScreen?) -> [(url: String, choice: Int?)] {
        var (selection, found) = (ImageSelection(for: screen), [(url: String, choice: Int?)]())
        var reader = PageReferences()
        let meet = { (reference: PageReference, tag: HTMLTag?) in
            guard let (isLoaded, choice) = tag.map({ selection.meet(reference, $0) }), isLoaded else { return }
            found.append((reference.url, choice))
        }
        reader.feed(Array(html.utf8), meet)
        reader.finish(meet)
        return found
    }

    @Test(
        "HTML §4.8.4.2: one source of a picture, by media and type",
        arguments: [
            ("<img src=a srcset='b 3x'>", ["b"], ["a"]), ("<img src=a>", ["a"], ["a"]),
            (
                "<picture><source media='(max-width: 600px)' srcset=b><img src=a></picture><img src=c>", ["b", "c"],
                ["a", "c"]
            ),
            ("<picture><source type=image/webp srcset=b><img src=a></picture><img src=c>", ["b", "c"], ["b", "c"]),
            ("<picture><source type=text/html srcset=b><img src=a></picture>", ["a"], ["a"]),
            ("<picture><source type=image/jxl srcset=b><img src=a></picture>", ["b", "a"], ["b", "a"]),
            ("<picture><source srcset='b 1q'><source srcset=c><img src=a></picture>", ["c"], ["c"]),
            (
                "<picture><source media='(prefers-color-scheme: dark)' srcset=b><source srcset=d><img src=a></picture>",
                ["b", "d"], ["b", "d"]
            ),
            ("<picture><source media='(min-width: 9in)' srcset='b, d 2x'><img src=a></picture>", ["a"], ["b"]),
            ("<picture><source srcset=b></picture><picture><source srcset=c><img src=a></picture>", ["b"], ["b"]),
            (
                "<link rel=preload as=image href=a imagesrcset='b 100w, c 2000w' imagesizes=50vw>", ["c"], ["c"]
            ),
            ("<link rel=preload as=style href=a media=print><link rel=stylesheet href=b media=print>", ["b"], ["b"]),
            (
                "<video><source src=a media='(min-width: 9in)'></video><input type=image src=b>", ["a", "b"],
                ["a", "b"]
            ),
        ])
    func pictures(_ html: String, onPhone: [String], onDesk: [String]) {
        #expect(loaded(html, Self.phone).map(\.url) == onPhone)
        #expect(loaded(html, Self.desk).map(\.url) == onDesk)
    }

    @Test("without a screen all are met, and those of one picture are one choice")
    func choices() {
        let html =
            "<img src=a><picture><source srcset='b, c 2x'><img src=d srcset='e 2x'></picture><img src=f srcset=g>"
        let found = loaded(html, nil)
        #expect(found.map(\.url) == ["a", "b", "c", "d", "e", "f", "g"])
        #expect(found[0].choice == nil && found[1].choice != nil && Set(found[1...4].map(\.choice)).count == 1)
        #expect(found[5].choice != found[4].choice && found[5].choice == found[6].choice)
        let printed =
            "<link rel=preload as=image href=a media=print><link rel=preload as=image href=b media='(width: 1px)'>"
        #expect(loaded(printed, nil).map(\.url) == ["b"])
    }

    @Test("a screen of any numbers is one that can be computed with")
    func numbers() {
        for number in [Double.nan, .infinity, -1, 0, 1e300] {
            let screen = PageScreen(width: number, height: number, density: number)
            #expect(screen.width >= 1 && screen.width <= 1e6 && screen.density >= 0.1 && screen.density <= 1e3)
            #expect(!Srcset.chosen("a 100w, b 200w", sizes: "calc(1vw / 0)", source: nil, on: screen).isEmpty)
        }
        let many = String(repeating: "(hover) 1px, ", count: 1_000)
        #expect(Srcset.chosen("a 100w, b 200w", sizes: many, source: nil, on: Self.phone) == ["a"])
        let deep = String(repeating: "(", count: 100_000)
        #expect(MediaQuery.matches(deep, Self.phone) == nil)
        #expect(Srcset.chosen("a 100w", sizes: deep, source: nil, on: Self.phone) == ["a"])
    }
}
