import Testing

@testable import Dashboard

@Suite("What is stored, in a terminal")
struct StoredItemsTextTests {
    private static func item(_ path: String, type: String = "text/html", tags: [String] = []) -> StoredItem {
        StoredItem(
            url: "https://developer.shop.test/de/docs/Web/HTTP/" + path, account: "", contentType: type, size: 6_160,
            contentSize: 6_000, storedAt: 0, lastUsed: 0, uses: 1, pins: 0, tags: tags, expires: nil)
    }

    private static let items = [
        item("Reference/Headers/Cache-Control-with-a-long-name.html"),
        item("Reference/Headers/Cache-Control-with-a-long-name.css", type: "text/css", tags: ["static-style"]),
    ]

    private func lines(_ width: Int?, _ items: [StoredItem] = items) -> [String] {
        StoredItemsText(items, now: 90_000, colours: false, width: width).render().split(separator: "\n").map(
            String.init)
    }

    @Test("no end of the line, as of a pipe: every URL stands in full, and every column")
    func piped() {
        let lines = lines(nil)
        for (line, item) in zip(lines.dropFirst(), Self.items) { #expect(line.hasSuffix("  " + item.url), "\(line)") }
        #expect(lines[0].contains("stored") && lines[0].contains("used"))
    }

    @Test("a narrow terminal loses when it was used, then when it was stored, before the URL", arguments: 60...200)
    func narrow(width: Int) {
        let lines = lines(width)
        for line in lines { #expect(TerminalText.width(line) <= width, "\(line)") }
        let cells = lines[1].split(separator: "  ").last.map { TerminalText.width(String($0)) } ?? 0
        let names = lines[0].split(separator: " ").map(String.init)
        #expect(cells >= 40 || !names.contains("stored"), "\(width): \(lines[1])")
        #expect(!names.contains("used") || names.contains("stored"))
        // The end tells one from the other.
        #expect(lines[1].hasSuffix(".html") && lines[2].hasSuffix(".css"))
    }

    @Test(
        "an age is told by its largest unit",
        arguments: [(30, "30 s"), (90_000, "1 d"), (1e9, "11574 d"), (2e9, "> 50 years"), (-5, "0 s"), (1e13, "–")])
    func ages(seconds: Double, text: String) {
        #expect(StoredItemsText.age(0, seconds) == text)
    }

    @Test("notes that need it are explained below the list, and no others")
    func legend() {
        let items = [
            Self.item("a", tags: ["set-aside"]), Self.item("a", tags: ["snapshot"]), Self.item("b", tags: ["shop"]),
        ]
        let shown = lines(nil, items)
        #expect(shown[1].contains("earlier version") && shown[2].contains("snapshot") && shown[3].contains("#shop"))
        #expect(shown.dropFirst(5).map { $0.prefix { $0 != ":" } } == ["snapshot", "earlier version"])
        #expect(lines(nil).count == 4)
    }

    @Test("short URLs cost no column")
    func short() {
        var item = Self.items[0]
        item.url = "https://a.test/"
        #expect(lines(60, [item])[0].contains("used"))
    }

    @Test(
        "without its middle a text keeps more of its end, and is measured in cells",
        arguments: [
            ("abcdefghijklmnop", 11, "abcd…klmnop"), ("abcdefghijk", 11, "abcdefghijk"), ("空空空空空空", 8, "空…空空"),
            ("", 5, ""), ("abcdef", 2, "a…"),
        ])
    func inside(text: String, cells: Int, expected: String) {
        let short = TerminalText.shortenedInside(text, to: cells)
        #expect(short == expected && TerminalText.width(short) <= cells)
    }
}
