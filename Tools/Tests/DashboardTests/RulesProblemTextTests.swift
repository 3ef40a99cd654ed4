import CacheRules
import Testing

@testable import Dashboard

@Suite("Problems of a rules file in a terminal")
struct RulesProblemTextTests {
    private func render(_ file: String, colours: Bool = false, width: Int = 100) -> [String] {
        do throws(RulesFileError) {
            _ = try RuleList(json: file)
            return []
        } catch {
            return RulesProblemText(
                file: "a.json", bytes: Array(file.utf8), problems: error.problems, colours: colours, width: width
            ).render().split(separator: "\n").map(String.init)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var line: String
        /// What stands from the caret on.
        var found: String
        var width = 100
        var testDescription: String { "\(line.prefix(60)) in \(width)" }
    }

    private static let long = String(repeating: #""host-of-some-length.example", "#, count: 20)

    @Test(
        "the caret stands under the problem, whatever stands before it",
        arguments: [
            Row(line: #"{ "rules": [], "rulez": 1 }"#, found: #""rulez""#),
            Row(line: "\t\t{\"rules\": [],\t\"rulez\": 1 }", found: #""rulez""#),
            Row(line: #"{ "$schema": "日本語のメモ", "rules": [], "rulez": 1 }"#, found: #""rulez""#),
            Row(line: "{ \"$schema\": \"e\u{301}\u{202E}x\", \"rules\": [], \"rulez\": 1 }\r", found: #""rulez""#),
            Row(
                line:
                    "{ \"rules\": [{\"name\": \"a\", \"verdict\": \"bypass\", \"when\": {\"host\": [\(long)\"/\"]}}]}",
                found: #""/""#),
            Row(
                line:
                    "{ \"rulez\": [{\"name\": \"a\", \"verdict\": \"bypass\", \"when\": {\"host\": [\(long)\"b\"]}}]}",
                found: #""rulez""#, width: 40),
            Row(
                line: "{ \"$schema\": \"\(String(repeating: "語", count: 90))\", \"rules\": [], \"rulez\": 1 }",
                found: #""rulez""#, width: 60),
        ])
    func caret(_ row: Row) throws {
        let lines = render(row.line, width: row.width)
        let mark = try #require(lines.lastIndex { $0.hasSuffix("^") })
        let cells = TerminalText.width(lines[mark]) - 1
        var (before, rest) = ("", Substring(lines[mark - 1]))
        while TerminalText.width(before) < cells, let first = rest.popFirst() { before.append(first) }
        #expect(rest.hasPrefix(row.found), "\(lines)")
        #expect(lines[mark - 1].hasSuffix("…") || row.line.contains(rest.drop { $0 == " " }), "\(lines)")
        for line in lines[(mark - 1)...mark] { #expect(TerminalText.width(line) <= row.width, "\(line)") }
    }

    @Test("a place that other programs can read, and nothing that a terminal would obey")
    func plain() {
        let lines = render("{ \"rules\": [],\n \"\u{1B}[31mrulez\": 1 }")
        #expect(lines.first?.hasPrefix("a.json:2:") == true)
        #expect(!lines.joined().contains("\u{1B}"))
        #expect(render("{}", colours: true).joined().contains("\u{1B}[1ma.json:1:1:\u{1B}[0m "))
    }

    @Test("no excerpt where there is nothing to see")
    func cutOff() {
        #expect(render("{ \"rules\": [\n").count == 1)
        #expect(render("").count == 1)
    }
}
