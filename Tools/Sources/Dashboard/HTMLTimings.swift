/// First contentful paint and load event as two bar charts, each visit with Larder above its control.
struct HTMLTimings {
    let pairs: [VisitPair]

    var html: String {
        let charts = [
            chart("First contentful paint", missing: "nothing painted", \.firstContentfulPaint),
            chart("Load event", missing: "no load event", \.loadEvent),
        ].filter { !$0.isEmpty }
        guard !charts.isEmpty else { return "" }
        return """
            <section class="charts" aria-label="Timings">
            \(charts.joined(separator: "\n"))
            </section>
            """
    }

    private func chart(_ title: String, missing: String, _ value: KeyPath<VisitRecord, Double?>) -> String {
        let values = pairs.flatMap(\.visits).compactMap { $0[keyPath: value] }.filter { $0.isFinite && $0 >= 0 }
        guard let longest = values.max() else { return "" }
        let groups = pairs.map { pair in
            let lines = pair.visits.map { visit in
                line(visit, value: visit[keyPath: value], longest: longest, missing: missing)
            }
            return "<div class=\"group\"><h4>\(pair.name.escapedForHTML)</h4>\(lines.joined())</div>"
        }
        return """
            <figure class="card chart">
            <figcaption><h3>\(title)</h3><span>since the navigation began</span></figcaption>
            \(groups.joined(separator: "\n"))
            </figure>
            """
    }

    private func line(_ visit: VisitRecord, value: Double?, longest: Double, missing: String) -> String {
        let name = visit.usesLarder ? "Larder" : "without"
        let style = visit.usesLarder ? "larder" : "control"
        guard let value, value.isFinite, value >= 0 else {
            return "<p class=\"line \(style)\"><span>\(name)</span><em>\(missing)</em></p>"
        }
        let share = Quantity.fixed(longest > 0 ? value / longest : 0, decimals: 4)
        return """
            <p class="line \(style)"><span>\(name)</span><i style="--share:\(share)"></i>\
            <b>\(Quantity.milliseconds(value))</b></p>
            """
    }
}
