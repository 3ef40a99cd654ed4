import Testing

@testable import Dashboard

@Suite("The report in a terminal")
struct TerminalTableTests {
    private func lines(_ report: VisitReport, colours: Bool = false, width: Int) -> [String] {
        TerminalTable(report, colours: colours, width: width).render().split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
    }

    /// The columns at which right-aligned cells end, taken from the header.
    private func rightEdge(of name: String, in lines: [String]) throws -> Int {
        let header = try #require(lines.first { $0.hasPrefix(" visit") })
        let range = try #require(header.firstRange(of: name))
        return header.distance(from: header.startIndex, to: range.upperBound)
    }

    @Test("never passes the right edge", arguments: [40, 60, 80, 100, 140, 220], SampleReport.allCases)
    func staysInside(width: Int, sample: SampleReport) {
        for line in lines(sample.report, width: width) { #expect(TerminalText.width(line) <= width) }
    }

    @Test("aligns numbers to the right of their columns", arguments: [80, 100, 140])
    func alignment(width: Int) throws {
        let lines = lines(SampleReport.usual.report, width: width)
        let isWide = lines.contains { $0.contains("first paint") }
        for (name, cells) in [
            (isWide ? "first paint" : "paint", ["612 ms", "598 ms", "214 ms", "141 ms", "–"]),
            (isWide ? "load event" : "load", ["1.52 s", "1.43 s", "338 ms", "287 ms", "–"]),
            (isWide ? "from origin" : "origin", ["1.2 MB", "1.2 MB", "412 B", "0 B", "0 B"]),
        ] {
            let edge = try rightEdge(of: name, in: lines)
            let first = try #require(lines.firstIndex { $0.contains("───") }) + 1
            for (line, cell) in zip(lines[first...], cells) {
                #expect(line.prefix(edge).hasSuffix(" " + cell), "\(line)")
            }
        }
    }

    @Test("aligns by cells, not by characters")
    func wideCharacters() throws {
        var report = SampleReport.usual.report
        report.visits[0].name = "空の訪問"
        report.visits[1].name = "e\u{301}te\u{301}"
        report.visits[2].name = "🧺 warm"
        let table = lines(report, width: 80)
        let first = try #require(table.firstIndex { $0.contains("───") }) + 1
        let starts = table[first..<first + 3].map { line in
            let mode = line.firstRange(of: "Larder") ?? line.firstRange(of: "without")
            return TerminalText.width(String(line[..<(mode?.lowerBound ?? line.startIndex)]))
        }
        #expect(Set(starts).count == 1)
    }

    @Test("keeps the columns that tell most on a narrow terminal")
    func narrowColumns() throws {
        let header = try #require(lines(SampleReport.usual.report, width: 50).first { $0.hasPrefix(" visit") })
        for name in ["load", "origin", "fail"] { #expect(header.contains(name)) }
        for name in ["paint", "req", "conn"] { #expect(!header.contains(name)) }
    }

    @Test("tells the answers once, in the table or in the sentence", arguments: [50, 80, 100, 140, 200])
    func answers(width: Int) {
        let text = TerminalTable(SampleReport.usual.report, colours: false, width: width).render()
        #expect(text.ranges(of: "2 hit, 1 validated").count == 1)
    }

    @Test("sends escape sequences only when asked, and never those of others")
    func colours() {
        let plain = TerminalTable(SampleReport.hostileEverywhere.report, colours: false, width: 100).render()
        #expect(!plain.unicodeScalars.contains { $0.isDeceptive && $0 != "\n" })
        let coloured = TerminalTable(SampleReport.hostileEverywhere.report, colours: true, width: 100).render()
        let sequences = coloured.matches(of: /\u{1B}(\[[0-9]+m)?/).map { String($0.output.0.dropFirst()) }
        #expect(Set(sequences).isSubset(of: ["[0m", "[1m", "[2m", "[31m", "[32m", "[36m"]))
        #expect(
            coloured.replacing(/\u{1B}\[[0-9]+m/, with: "").split(separator: "\n").map { $0.trimmed }
                == plain.split(separator: "\n").map { $0.trimmed })
    }

    @Test("shows the modes of each visit side by side, and says of which mode a check is")
    func sideBySide() {
        let report = SampleReport.usual.report
        #expect(VisitReport(sideBySide: [("proxy", report)]) == report)
        let both = VisitReport(sideBySide: [("proxy", report), ("appScheme", report)])
        let names = report.visits.map(\.name).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        let expected = names.flatMap { ["\($0), proxy", "\($0), appScheme"] }
        #expect(both.visits.map(\.name).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } } == expected)
        #expect(both.checks.count == 2 * report.checks.count && both.conditions == report.conditions)
        #expect(both.checks.first?.statement.hasPrefix("proxy: ") == true)
        #expect(both.visits.count == 2 * report.visits.count)
    }

    @Test("marks checks and keeps the words")
    func checks() {
        let text = TerminalTable(SampleReport.usual.report, colours: false, width: 80).render()
        #expect(text.contains(" ✓ Offline, the page looks as it did online\n   0 pixels differ\n"))
        #expect(text.contains(" ✗ Nothing failed\n   1 request failed\n"))
    }

    @Test("of the same report is the same", arguments: SampleReport.allCases)
    func isDeterministic(_ sample: SampleReport) {
        #expect(
            TerminalTable(sample.report, colours: true, width: 100).render()
                == TerminalTable(sample.report, colours: true, width: 100).render())
    }

    @Test("wraps at spaces, and inside a word only where it must")
    func wrapping() {
        #expect(TerminalText.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(TerminalText.wrapped("a abcdefgh b", to: 4) == ["a", "abcd", "efgh", "b"])
        #expect(TerminalText.wrapped("空の訪問", to: 5) == ["空の", "訪問"])
        #expect(TerminalText.wrapped("", to: 5).isEmpty)
    }
}

extension Substring {
    /// Without spaces at the end.
    fileprivate var trimmed: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
