import CacheRules
import Foundation

/// The problems of a rules file as text for a terminal: each with its place, its line, and a caret under the column.
///
/// `FILE:LINE:COLUMN: message` stands on one line, so that editors and other programs find it. Nothing in the file can
/// move the cursor or change colours.
package struct RulesProblemText {
    private let file: String
    private let lines: [Substring.UTF8View]
    private let problems: [RulesFileError.Problem]
    private let ink: TerminalInk
    private let width: Int

    /// - Parameters:
    ///   - file: The file's name in front of each problem.
    ///   - bytes: The file's content.
    ///   - colours: Whether to send colours; without them the text is plain.
    ///   - width: The terminal's columns; of a longer line of the file, a part around the caret is shown. At least 40
    ///     are used.
    package init(
        file: String, bytes: [UInt8], problems: [RulesFileError.Problem], colours: Bool, width: Int
    ) {
        self.file = file
        self.problems = problems
        self.width = max(width, 40)
        lines = Substring(String(decoding: bytes, as: UTF8.self)).utf8
            .split(separator: 0x0A, omittingEmptySubsequences: false)
        ink = TerminalInk(isOn: colours)
    }

    /// The whole text, ending with a line break; empty without problems.
    package func render() -> String {
        // A file without line breaks is cut into scalars once, not for each problem.
        var line: (number: Int, scalars: [Unicode.Scalar]) = (0, [])
        var text = ""
        for problem in problems {
            text += ink(.bold, place(problem) + ":") + " " + TerminalText.clean(problem.message) + "\n"
            guard let number = problem.line, let column = problem.column else { continue }
            if number != line.number { line = (number, scalars(number)) }
            for row in excerpt(line.scalars, column) { text += row + "\n" }
        }
        return text
    }

    private func place(_ problem: RulesFileError.Problem) -> String {
        let numbers = [problem.line, problem.column].compactMap { $0 }.map { ":\($0)" }.joined()
        return TerminalText.clean(file) + numbers
    }

    private func scalars(_ number: Int) -> [Unicode.Scalar] {
        guard lines.indices.contains(number - 1) else { return [] }
        let line = lines[number - 1]
        return Array(Substring(line.last == 0x0D ? line.dropLast() : line).unicodeScalars)
    }

    /// The line and its caret; nothing for a line without anything to see, as behind the end of a file that was cut.
    private func excerpt(_ scalars: [Unicode.Scalar], _ column: Int) -> [String] {
        guard scalars.contains(where: { !$0.properties.isWhitespace }) else { return [] }
        let place = min(column - 1, scalars.count)
        let margin = "  "
        let room = width - margin.count - 1
        let start = Self.start(of: scalars, before: place, room: room)
        let before = (start > 0 ? "…" : "") + Self.text(scalars[start..<place])
        let shown = TerminalText.shortened(before + Self.text(scalars[place...].prefix(2 * room)), to: room)
        let caret = String(repeating: " ", count: TerminalText.width(before)) + ink(.green, "^")
        return [margin + ink(.dim, shown), margin + caret]
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        TerminalText.clean(String(String.UnicodeScalarView(scalars)))
    }

    /// Where to begin a line so that its caret is in sight, with something behind it.
    private static func start(of scalars: [Unicode.Scalar], before place: Int, room: Int) -> Int {
        if scalars.count <= room, TerminalText.width(text(scalars[...])) <= room { return 0 }
        if place < room, TerminalText.width(text(scalars[..<place])) < room * 3 / 4 { return 0 }
        // Most scalars take one cell, the widest two.
        var start = max(0, place - room / 2)
        while TerminalText.width(text(scalars[start..<place])) > room / 2, start < place { start += 1 }
        return start
    }
}
