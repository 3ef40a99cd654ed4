/// A series of visits as text for a terminal: a table, a sentence per visit, and the checks.
///
/// Columns that a narrow terminal has no room for are left out, the least telling first. Nothing in the text from
/// outside can move the cursor or change colours. The same report always gives the same text.
package struct TerminalTable {
    private let report: VisitReport
    private let pairs: [VisitPair]
    private let ink: TerminalInk
    private let width: Int

    /// - Parameters:
    ///   - report: Visits of one name stand together, the one with Larder first.
    ///   - colours: Whether to send colours; without them the text is plain.
    ///   - width: The terminal's columns; at least 40 are used.
    package init(_ report: VisitReport, colours: Bool, width: Int) {
        self.report = report
        self.width = max(width, 40)
        ink = TerminalInk(isOn: colours)
        pairs = VisitPair.pairs(of: report.visits)
    }

    /// The whole text, ending with a line break.
    package func render() -> String {
        let table = TerminalColumns(pairs: pairs, width: width - 1, ink: ink)
        let parts = [heading, table.lines, notStored, explanations(showsAnswers: !table.showsAnswers), checks]
        let lines = parts.filter { !$0.isEmpty }.joined(separator: [""])
        return lines.map { " " + $0 }.map(Self.withoutTrailingSpaces).joined(separator: "\n") + "\n"
    }

    /// Prose stays readable on wide terminals.
    private var proseWidth: Int { min(width - 2, 100) }

    private var heading: [String] {
        let title = TerminalText.wrapped(report.title, to: proseWidth).map { ink(.bold, $0) }
        let url = TerminalText.shortened(TerminalText.clean(report.url), to: width - 2)
        let conditions = TerminalText.wrapped(report.conditions.joined(separator: " · "), to: proseWidth)
        return title + (url.isEmpty ? [] : [url]) + conditions.map { ink(.dim, $0) }
    }

    private func explanations(showsAnswers: Bool) -> [String] {
        let named = pairs.map { pair in
            (pair, TerminalText.shortened(TerminalText.clean(pair.name), to: width < 80 ? 16 : 26))
        }
        let indent = (named.map { TerminalText.width($0.1) }.max() ?? 0) + 2
        return named.flatMap { pair, name -> [String] in
            let lines = pair.visits.flatMap { visit -> [String] in
                let answers = showsAnswers ? OutcomeKind.sentence(visit.outcomes).map { $0 + ". " } ?? "" : ""
                let sentence = answers + visit.explanation
                let room = max(proseWidth - indent, 20)
                let broken = visit.brokenHashedNames.sentences.flatMap { sentence in
                    TerminalText.wrapped(sentence + ".", to: room).map { ink(.red, $0) }
                }
                guard !sentence.isEmpty else { return broken }
                let prose = visit.usesLarder ? sentence : "Without Larder: " + sentence
                return TerminalText.wrapped(prose, to: room).map { line in
                    visit.usesLarder ? line : ink(.dim, line)
                } + broken
            }
            return lines.enumerated().map { index, line in
                let label = TerminalText.fit(index == 0 ? name : "", to: indent)
                return (index == 0 ? ink(.bold, label) : label) + line
            }
        }
    }

    private var notStored: [String] {
        report.notStored.flatMap { file in
            TerminalText.wrapped("not stored: \(TerminalText.clean(file.url)): \(file.why)", to: proseWidth)
        }
    }

    private var checks: [String] {
        report.checks.flatMap { check -> [String] in
            let mark = check.holds ? ink(.green, "✓") : ink(.red, "✗")
            let statement = TerminalText.wrapped(check.statement, to: proseWidth - 2)
            let evidence = TerminalText.wrapped(check.evidence, to: proseWidth - 2)
            return ["\(mark) \(statement.first ?? "")"]
                + statement.dropFirst().map { "  " + $0 }
                + evidence.map { "  " + ink(.dim, $0) }
        }
    }

    private static func withoutTrailingSpaces(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
