import Testing

@testable import Dashboard

@Suite("Figures and their places")
struct FigureTests {
    @Test(
        "times are milliseconds below one second, else seconds with two decimals",
        arguments: [
            (0, "0 ms"), (0.04, "0 ms"), (0.36, "0.4 ms"), (9.94, "9.9 ms"), (9.96, "10 ms"), (412.4, "412 ms"),
            (999.4, "999 ms"), (999.6, "1.00 s"), (2306, "2.31 s"), (61_005, "61.01 s"), (nil, "–"), (-1, "–"),
            (.nan, "–"), (.infinity, "–"), (1e300, "–"),
        ] as [(Double?, String)])
    func times(value: Double?, text: String) {
        #expect(Quantity.milliseconds(value) == text)
    }

    @Test(
        "sizes have one decimal in decimal units, as ByteCount says them",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (12_345, "12.3 kB"), (312_400, "312.4 kB"),
            (999_949, "999.9 kB"), (999_950, "1.0 MB"), (1_244_000, "1.2 MB"), (5_000_000_000, "5.0 GB"), (-1, "–"),
        ] as [(Int64, String)])
    func sizes(value: Int64, text: String) {
        #expect(Quantity.bytes(value) == text)
    }

    @Test(
        "a URL is shortened where it tells least",
        arguments: [
            ("https://shop.test/assets/app.js?v=1#top", "", "/assets/", "app.js", "?v=1#top"),
            ("https://cdn.test/a/b/", "cdn.test", "/a/", "b/", ""),
            ("https://shop.test", "", "", "/", ""),
            ("https://shop.test?q", "", "", "/", "?q"),
            ("https://shop.test/", "", "", "/", ""),
            ("https://cdn.test//", "cdn.test", "/", "/", ""),
            ("data:text/css,a/b", "", "", "data:text/css,a/b", ""),
            ("", "", "", "/", ""),
        ])
    func urls(url: String, host: String, directory: String, file: String, query: String) {
        let short = ShortURL(url, onPage: "https://shop.test/")
        #expect([short.host, short.directory, short.file, short.query] == [host, directory, file, query])
    }

    @Test("a long text keeps more of its end")
    func shortening() {
        #expect("abcdefghijklmnop".shortened(to: 11) == "abcd…klmnop")
        #expect("abcdefghijk".shortened(to: 11) == "abcdefghijk")
        #expect("éééééé".shortened(to: 6) == "éééééé")
    }

    @Test("a picture is recognised by its first bytes")
    func pictures() throws {
        let tall = try #require(PNGPicture(base64: SampleReport.png(width: 390, height: 844)))
        #expect((tall.width, tall.height) == (390, 844) && tall.isPortrait)
        #expect(PNGPicture(base64: SampleReport.png(width: 1280, height: 800))?.isPortrait == false)
        #expect(PNGPicture(base64: SampleReport.png(width: 0, height: 800)) == nil)
        for text in ["", "AAAA", SampleReport.hostile, String(repeating: "A", count: 64)] {
            #expect(PNGPicture(base64: text) == nil)
        }
        #expect(PNGPicture(base64: SampleReport.png(width: 1, height: 1).dropLast(4) + "\"><b") == nil)
    }

    @Test("visits of one name stand together, in the order of their first")
    func pairs() {
        let visits = [("a", false), ("b", true), ("a", true), ("a", true)].map { name, usesLarder in
            VisitRecord(name: name, usesLarder: usesLarder, explanation: "")
        }
        let pairs = VisitPair.pairs(of: visits)
        #expect(pairs.map(\.name) == ["a", "b", "a"])
        #expect(pairs.map { $0.visits.map(\.usesLarder) } == [[true, false], [true], [true]])
    }

    @Test("known outcomes come first, others after them by name")
    func outcomes() {
        #expect(
            OutcomeKind.sentence(["f": 1, "stored": 2, "a": 3, "hit": 4, "failed": 0, "c": 1, "e": 1, "d": 1, "b": 1])
                == "4 hit, 2 stored, 3 a, 1 b, 1 c, 1 d, 1 e, 1 f")
        #expect(OutcomeKind.sentence([:]) == nil)
    }
}

@Suite("Several runs of the same visits")
struct MedianTests {
    private func run(_ paint: Double?, _ load: Double?, holds: Bool = true) -> VisitReport {
        VisitReport(
            title: "", url: "", conditions: [], checks: [.init(statement: "a", holds: holds, evidence: "\(holds)")],
            visits: [
                VisitRecord(
                    name: "cold", usesLarder: true, explanation: "", firstContentfulPaint: paint, loadEvent: load)
            ])
    }

    @Test("times are medians, with half of what lies between the least and the greatest; a failed check is kept")
    func median() throws {
        #expect(VisitReport(medianOf: []) == nil)
        let one = try #require(VisitReport(medianOf: [run(5, nil)]))
        #expect(one == run(5, nil) && one.unsteadiness == 0)
        let all = try #require(VisitReport(medianOf: [run(500, nil), run(440, 700), run(520, 800, holds: false)]))
        let visit = all.visits[0]
        #expect(visit.firstContentfulPaint == 500 && visit.paintSpread == 40)
        #expect(visit.loadEvent == 800 && visit.loadSpread == 50)
        #expect(all.unsteadiness == 0.08 && all.checks == run(0, 0, holds: false).checks)
        #expect(Quantity.milliseconds(visit.firstContentfulPaint, spread: visit.paintSpread) == "500 ms ±40")
        #expect(Quantity.milliseconds(nil, spread: 3) == "–" && Quantity.milliseconds(7, spread: nil) == "7.0 ms")
    }
}
