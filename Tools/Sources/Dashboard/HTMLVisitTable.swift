/// The figures of every visit, with Larder above its control, and under each pair what they show.
struct HTMLVisitTable {
    let pairs: [VisitPair]

    var html: String {
        guard !pairs.isEmpty else { return "" }
        return """
            <section aria-labelledby="visits">
            <h2 id="visits">Visits</h2>
            <table class="visits" role="table">
            <thead role="rowgroup"><tr role="row">\(heads)</tr></thead>
            \(pairs.map(body(of:)).joined(separator: "\n"))
            </table>
            </section>
            """
    }

    private var heads: String {
        let names = [
            "Visit", "", "First paint", "Load event", "Requests", "From origin", "Connections", "Failures", "Answers",
        ]
        return names.enumerated().map { index, name in
            let style = (2...7).contains(index) ? " class=\"number\"" : ""
            let text = name.isEmpty ? "<span class=\"unseen\">With or without Larder</span>" : name
            return "<th role=\"columnheader\" scope=\"col\"\(style)>\(text)</th>"
        }.joined()
    }

    private func body(of pair: VisitPair) -> String {
        let name = pair.name.escapedForHTML
        let rows = pair.visits.enumerated().map { index, visit in
            let span = pair.visits.count
            let head =
                index == 0
                ? "<th role=\"rowheader\" scope=\"rowgroup\" rowspan=\"\(span)\" class=\"name\">\(name)</th>" : ""
            return row(visit, head: head)
        }
        let explanations =
            pair.visits.filter { !$0.explanation.isEmpty }.map { visit in
                "<p>\(visit.usesLarder ? "" : "<b>Without Larder:</b> ")\(visit.explanation.escapedForHTML)</p>"
            }
            + pair.visits.flatMap(\.brokenHashedNames.sentences).map { sentence in
                let text = sentence.shortened(to: HTMLMatrix.tooltipLimit).escapedForHTML
                return "<p><b class=\"bad\">Not the same bytes:</b> \(text).</p>"
            }
        let note =
            explanations.isEmpty
            ? ""
            : "<tr role=\"row\" class=\"note\"><td role=\"cell\"></td><td role=\"cell\" colspan=\"8\">"
                + explanations.joined() + "</td></tr>"
        return """
            <tbody role="rowgroup">
            \((rows + [note]).filter { !$0.isEmpty }.joined(separator: "\n"))
            </tbody>
            """
    }

    private func row(_ visit: VisitRecord, head: String) -> String {
        let failures = visit.failures > 0 ? "<b class=\"bad\">\(visit.failures)</b>" : "0"
        let cells = [
            number("First paint", Quantity.milliseconds(visit.firstContentfulPaint, spread: visit.paintSpread)),
            number("Load event", Quantity.milliseconds(visit.loadEvent, spread: visit.loadSpread)),
            number("Requests", Quantity.count(visit.requests)),
            number("From origin", Quantity.bytes(visit.originBytes)),
            number("Connections", Quantity.count(visit.originConnections)),
            number("Failures", failures),
        ]
        return """
            <tr role="row" class="\(visit.usesLarder ? "larder" : "control")">\(head)\
            <th role="rowheader" scope="row" class="who">\(visit.usesLarder ? "Larder" : "without")</th>\
            \(cells.joined())\
            <td role="cell" class="answers\(visit.outcomes.isEmpty ? " unknown" : "")" data-name="Answers">\
            \(answers(visit))</td></tr>
            """
    }

    private func number(_ name: String, _ value: String) -> String {
        "<td role=\"cell\" class=\"number\" data-name=\"\(name)\">\(value)</td>"
    }

    private func answers(_ visit: VisitRecord) -> String {
        let counts = OutcomeKind.ordered(visit.outcomes)
        guard !counts.isEmpty else { return Quantity.missing }
        return HTMLOutcomes.bar(counts) + HTMLOutcomes.list(counts)
    }
}
