/// A series of visits as one HTML file that needs nothing else: no script, no request, light and dark, printable.
///
/// The policy in its head forbids every load but `data:` pictures and its own styles. All text from outside is
/// escaped. The same report always gives the same bytes.
package struct HTMLReport {
    private let report: VisitReport
    private let pairs: [VisitPair]

    /// - Parameter report: The report to show. Visits of one name stand side by side.
    package init(_ report: VisitReport) {
        self.report = report
        pairs = VisitPair.pairs(of: report.visits)
    }

    /// The whole document, in UTF-8.
    package func render() -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="referrer" content="no-referrer">
        <title>\(report.title.escapedForHTML)</title>
        <style>
        \(HTMLStyles.text)
        </style>
        </head>
        <body>
        <main>
        \(sections.filter { !$0.isEmpty }.joined(separator: "\n"))
        </main>
        </body>
        </html>

        """
    }

    /// `base-uri` and `form-action` have no fallback to `default-src` (Content Security Policy 3, §6.3).
    static let policy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    private var sections: [String] {
        [
            header,
            headline,
            HTMLTimings(pairs: pairs).html,
            checks,
            HTMLVisitTable(pairs: pairs).html,
            HTMLScreenshots(pairs: pairs).html,
            waterfalls,
        ]
    }

    private var header: String {
        let conditions = report.conditions.map { "<li>\($0.escapedForHTML)</li>" }.joined()
        return """
            <header>
            <p class="eyebrow">Larder · page visits</p>
            <h1>\(report.title.escapedForHTML)</h1>
            <p class="url">\(report.url.escapedForHTML)</p>
            \(conditions.isEmpty ? "" : "<ul class=\"conditions\">\(conditions)</ul>")
            </header>
            """
    }

    /// The load event of each visit with Larder, as one line to read first.
    private var headline: String {
        let steps = pairs.compactMap { pair -> String? in
            guard let visit = pair.larder else { return nil }
            let time = visit.loadEvent.map { "<strong>\(Quantity.milliseconds($0))</strong>" }
            let value = time ?? "<strong class=\"none\">no load</strong>"
            let control = pair.control.map { control in
                control.loadEvent.map { "without: \(Quantity.milliseconds($0))" } ?? "without: no load"
            }
            let against = control.map { "<small>\($0)</small>" } ?? ""
            return "<li><span>\(pair.name.escapedForHTML)</span>\(value)\(against)</li>"
        }
        guard !steps.isEmpty else { return "" }
        return """
            <section class="headline" aria-labelledby="headline">
            <h2 id="headline">Time to the load event, with Larder</h2>
            <ol>\(steps.joined())</ol>
            </section>
            """
    }

    private var checks: String {
        guard !report.checks.isEmpty else { return "" }
        let holding = report.checks.count(where: \.holds)
        let items = report.checks.map { check in
            """
            <li class="\(check.holds ? "holds" : "fails")"><b aria-hidden="true">\(check.holds ? "✓" : "✗")</b>\
            <div><span class="unseen">\(check.holds ? "Holds: " : "Does not hold: ")</span>\
            \(check.statement.escapedForHTML)<small>\(check.evidence.escapedForHTML)</small></div></li>
            """
        }
        return """
            <section aria-labelledby="checks">
            <h2 id="checks">Checks <span class="count">\(holding) of \(report.checks.count) hold</span></h2>
            <ul class="checks">
            \(items.joined(separator: "\n"))
            </ul>
            </section>
            """
    }

    /// Only the first is unfolded: the summaries of the others say whether they are worth it.
    private var waterfalls: String {
        let shown = report.visits.filter { $0.usesLarder || !$0.rows.isEmpty }
        guard !shown.isEmpty else { return "" }
        let first = shown.firstIndex { !$0.rows.isEmpty }
        let items = shown.enumerated().map { index, visit in
            HTMLWaterfall(visit: visit, page: report.url, isUnfolded: index == first).html
        }
        return """
            <section aria-labelledby="waterfalls">
            <h2 id="waterfalls">Exchanges</h2>
            \(HTMLLegend(visits: shown).html)
            \(items.joined(separator: "\n"))
            </section>
            """
    }
}
