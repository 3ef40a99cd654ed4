import CacheRules

/// The rules' decision as text for a terminal, the rule that made it, and every rule's part.
///
/// Nothing in the text from outside can move the cursor or change colours.
package struct RulesExplanationText {
    private let explanation: RulesExplanation
    private let source: String
    private let ink: TerminalInk
    private let width: Int

    /// - Parameters:
    ///   - source: Where the rules are from, as in "the default rules".
    ///   - colours: Whether to send colours; without them the text is plain.
    ///   - width: The terminal's columns; 40 to 110 are used.
    package init(_ explanation: RulesExplanation, source: String, colours: Bool, width: Int) {
        self.explanation = explanation
        self.source = source
        self.width = min(max(width, 40), 110)
        ink = TerminalInk(isOn: colours)
    }

    /// The whole text, ending with a line break.
    package func render() -> String {
        let parts = [heading, reasons, steps, remarks].filter { !$0.isEmpty }
        return parts.joined(separator: [""]).map { $0.isEmpty ? "" : " " + $0 }.joined(separator: "\n") + "\n"
    }

    private var heading: [String] {
        let name = TerminalText.clean(explanation.method) + " "
        let url = TerminalText.shortened(TerminalText.clean(explanation.url), to: width - 2 - name.count)
        let decision = explanation.decision
        let subject = decision.rule.map { "The rule \"\(TerminalText.clean($0))\" decides: " } ?? "No rule decides: "
        return [ink(.bold, name) + url, ink(.dim, circumstances), ink(.green, subject + decision.verdict)]
            + TerminalText.wrapped(decision.meaning, to: width - 2)
    }

    private var circumstances: String {
        let destination = explanation.destination == "unknown" ? "destination unknown" : explanation.destination
        let response = explanation.hasResponse ? "response known" : "no response known"
        let text = "By \(source) · \(destination) · \(explanation.connectivity) · \(response)"
        return TerminalText.shortened(TerminalText.clean(text), to: width - 2)
    }

    /// Why the rule decides, what goes with the verdict, and the key.
    private var reasons: [String] {
        let decision = explanation.decision
        var rows: [(title: String, text: String)] = []
        if decision.rule != nil { rows.append(("when", decision.when ?? "always")) }
        if let note = decision.note { rows.append(("note", note)) }
        if !decision.ignoring.isEmpty { rows.append(("ignoring", decision.ignoring.joined(separator: ", "))) }
        if decision.validateWith != nil {
            rows.append(("validate", "by HEAD first; by GET where that is not enough"))
        }
        if let expiry = decision.expiry {
            rows.append(("expiry", "validated first when older than " + (DurationText.print(expiry) ?? "\(expiry)")))
        }
        if !decision.tags.isEmpty { rows.append(("tags", decision.tags.joined(separator: ", "))) }
        if let key = explanation.key { rows.append(("key", "\(key.url), by the key rule \"\(key.rule)\"")) }
        return rows.flatMap { row in
            TerminalText.wrapped(row.text, to: width - 11).enumerated().map { line, text in
                ink(.bold, TerminalText.fit(line == 0 ? row.title : "", to: 9)) + text
            }
        }
    }

    private var steps: [String] {
        let names = explanation.rules.map { TerminalText.clean($0.rule) }
        let column = min((names.map { TerminalText.width($0) }.max() ?? 0) + 2, 26)
        let digits = "\(names.count)".count
        let last = explanation.rules.firstIndex { $0.outcome == .decides } ?? names.count
        return zip(explanation.rules, names).enumerated().map { index, pair in
            let (step, name) = pair
            let number = TerminalText.fit("\(index + 1)", to: digits, rightAligned: true)
            let text = TerminalText.shortened(
                TerminalText.clean(Self.text(step)), to: max(width - digits - column - 7, 8))
            let label = TerminalText.fit(name, to: column)
            return switch step.outcome {
            case .decides: ink(.dim, number) + " " + ink(.green, "✓ " + label + text)
            case .waitsForResponse where index < last: ink(.dim, number) + " " + ink(.cyan, "? " + label) + text
            default: ink(.dim, number + "   " + label + text)
            }
        }
    }

    private static func text(_ step: RulesExplanation.Step) -> String {
        switch step.outcome {
        case .decides: "decides: \(step.verdict ?? "")"
        case .comesTooLate: "would decide \(step.verdict ?? ""), but a rule above does"
        case .givesWay: "would decide \(step.verdict ?? ""), but a never-store rule below comes first"
        case .doesNotApply: "not \(step.because ?? "")"
        case .waitsForResponse: "waits for a response: \(step.because ?? "")"
        case .hasNoOpinion: "has no opinion"
        }
    }

    private var remarks: [String] {
        var texts: [String] = []
        if explanation.destination == "unknown", !explanation.rules.contains(where: { $0.outcome == .decides }) {
            texts.append("Rules may look at what the response is for; --destination document asks as a page does.")
        }
        if !explanation.mayStillDecide.isEmpty {
            let names = explanation.mayStillDecide.map { "\"\($0)\"" }.joined(separator: ", ")
            texts.append(
                "Once a response is known, \(names) may decide instead; give one by --content-type and "
                    + "--response-header."
            )
        }
        return texts.flatMap { TerminalText.wrapped($0, to: width - 2) }
    }
}
