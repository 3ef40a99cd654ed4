import CacheEngine

/// An explanation as text for a terminal: the answer, the numbered steps, what would change it.
///
/// Nothing in the text from outside can move the cursor or change colours.
package struct ExplanationText {
    private let explanation: Explanation
    private let policy: String
    private let hint: String?
    private let ink: TerminalInk
    private let width: Int

    /// - Parameters:
    ///   - policy: The owner of the rules, as in "the default rules".
    ///   - hint: A sentence that stands last, such as how to have a proxy decide the same; `nil` for none.
    ///   - colours: Whether to send colours; without them the text is plain.
    ///   - width: The terminal's columns; 40 to 110 are used.
    package init(_ explanation: Explanation, policy: String, hint: String? = nil, colours: Bool, width: Int) {
        (self.explanation, self.policy, self.hint) = (explanation, policy, hint)
        self.width = min(max(width, 40), 110)
        ink = TerminalInk(isOn: colours)
    }

    /// The whole text, ending with a line break.
    package func render() -> String {
        let summary = TerminalText.wrapped(Self.sentence(explanation.summary), to: width - 2)
        let heading =
            [
                ink(.dim, TerminalText.shortened("By " + TerminalText.clean(policy), to: width - 2)),
                ink(.bold, TerminalText.clean(explanation.method)) + " "
                    + TerminalText.shortened(TerminalText.clean(explanation.uri), to: width - 10),
            ] + summary.map { ink(colour, $0) }
        let limit = Self.hasNoLimit(explanation.cacheStatus) ? " (this ttl: no time limit)" : ""
        let status =
            [ink(.dim, "Cache-Status: " + TerminalText.clean(explanation.cacheStatus) + limit)]
            + (hint.map { TerminalText.wrapped(TerminalText.clean($0), to: width - 2).map { ink(.dim, $0) } } ?? [])
        let parts = [
            heading, list("Mistakes of the server", explanation.warnings), steps,
            list("For another answer", explanation.changes), status,
        ].filter { !$0.isEmpty }
        return parts.joined(separator: [""]).map { $0.isEmpty ? "" : " " + $0 }.joined(separator: "\n") + "\n"
    }

    private var colour: TerminalInk.Style {
        switch explanation.answer {
        case .stored, .staleWhileRevalidating: .green
        case .stale, .validated, .completed, .forwarded: .cyan
        case .failed: .red
        }
    }

    private var steps: [String] {
        let titles = explanation.steps.map { TerminalText.clean($0.title) }
        let column = min((titles.map { TerminalText.width($0) }.max() ?? 0) + 2, 26)
        return zip(explanation.steps, titles).enumerated().flatMap { index, pair -> [String] in
            let (step, title) = pair
            let number = TerminalText.fit("\(index + 1)", to: 2, rightAligned: true)
            let indent = 4 + column
            var lines = TerminalText.wrapped(TerminalText.clean(step.finding), to: max(width - indent - 1, 20))
            if lines.isEmpty { lines = [""] }
            let section = TerminalText.clean(step.section)
            let last = lines.count - 1
            if !section.isEmpty {
                if TerminalText.width(lines[last]) + TerminalText.width(section) + 2 <= width - indent {
                    lines[last] += "  " + ink(.dim, section)
                } else {
                    lines.append(ink(.dim, section))
                }
            }
            return lines.enumerated().map { line, text in
                line == 0
                    ? ink(.dim, number) + "  " + ink(.bold, TerminalText.fit(title, to: column)) + text
                    : TerminalText.fit("", to: indent) + text
            }
        }
    }

    private func list(_ title: String, _ sentences: [String]) -> [String] {
        guard !sentences.isEmpty else { return [] }
        return [ink(.bold, title)]
            + sentences.flatMap { change in
                TerminalText.wrapped(TerminalText.clean(change), to: width - 4).enumerated().map { line, text in
                    (line == 0 ? "· " : "  ") + text
                }
            }
    }

    /// Whether a `ttl` is above 50 years, so that its figure tells a reader nothing.
    private static func hasNoLimit(_ cacheStatus: String) -> Bool {
        guard let parameter = cacheStatus.split(separator: ";").first(where: { $0.hasPrefix(" ttl=") }),
            let seconds = Int64(parameter.dropFirst(" ttl=".count))
        else { return false }
        return seconds > 0 && ReadableDuration.isForEver(.seconds(seconds))
    }

    private static func sentence(_ text: String) -> String {
        let text = TerminalText.clean(text)
        return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}
