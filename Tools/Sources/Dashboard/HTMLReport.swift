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
            header, headline, HTMLScreenshots(pairs: pairs).html, HTMLMatrix(report).html, checks,
            HTMLTimings(pairs: pairs).html, HTMLVisitTable(pairs: pairs).html,
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

    /// The visits that people feel the most, first.
    private static let order = ["offline", "silent", "trickling", "lossy", "warm", "after a deploy", "preloaded"]

    /// The bytes that each visit took from the server, beside the same visit without Larder, to be read first.
    private var headline: String {
        let ordered =
            Self.order.flatMap { name in pairs.filter { $0.kind == name } }
            + pairs.filter { !Self.order.contains($0.kind) }
        let steps = ordered.compactMap { pair -> String? in
            guard let visit = pair.larder else { return nil }
            let value =
                visit.loadEvent == nil
                ? "<strong class=\"none\">no page</strong>"
                : "<strong>\(Quantity.bytes(visit.originBytes))</strong>"
            let against = pair.control.map { control in
                guard control.loadEvent != nil else { return "without: no page" }
                let missing = control.failures > 0 ? ", \(control.failures) missing" : ""
                return "without: \(Quantity.bytes(control.originBytes))\(missing)"
            }
            let lines = [against, Self.paints(pair)].compactMap { $0 }.map { "<small>\($0)</small>" }.joined()
            return "<li><span>\(pair.name.escapedForHTML)</span>\(value)\(lines)</li>"
        }
        guard !steps.isEmpty else { return "" }
        return """
            <section class="headline" aria-labelledby="headline">
            <h2 id="headline">From the server, with Larder</h2>
            <ol>\(steps.joined())</ol>
            </section>
            """
    }

    private static func paints(_ pair: VisitPair) -> String? {
        guard let paint = pair.larder?.firstContentfulPaint else { return nil }
        let control = pair.control?.firstContentfulPaint.map { ", without: \(Quantity.milliseconds($0))" } ?? ""
        return "first paint \(Quantity.milliseconds(paint))\(control)"
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
}
