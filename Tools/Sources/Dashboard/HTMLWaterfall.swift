/// The exchanges of one visit on a time axis, under a heading that folds them away.
struct HTMLWaterfall {
    let visit: VisitRecord
    let page: String
    let isUnfolded: Bool

    /// The longest text in a tooltip, in characters: a `data:` URL can be megabytes long.
    static let tooltipLimit = 2000

    var html: String {
        let axis = TimeAxis(visit.rows)
        return """
            <details class="waterfall"\(isUnfolded ? " open" : "")>
            <summary>\(summary)</summary>
            \(visit.rows.isEmpty ? "<p class=\"none\">No exchange was recorded.</p>" : table(axis))
            </details>
            """
    }

    private var summary: String {
        let counts = OutcomeKind.ordered(visit.rows.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 })
        let bytes = visit.rows.reduce(Int64(0)) { $0.addingReportingOverflow(max($1.bytes, 0)).partialValue }
        let end = visit.rows.map { $0.shownStart + $0.shownDuration }.max()
        let exchanges = visit.rows.count == 1 ? "1 exchange" : "\(visit.rows.count) exchanges"
        let figures = end.map { "\(exchanges), \(Quantity.bytes(bytes)) in \(Quantity.milliseconds($0))" } ?? exchanges
        return """
            <span class="name">\(visit.name.escapedForHTML)\(visit.usesLarder ? "" : ", without Larder")</span>\
            <span class="figures">\(figures)</span>\(counts.isEmpty ? "" : HTMLOutcomes.bar(counts))
            """
    }

    private func table(_ axis: TimeAxis) -> String {
        let grid = Quantity.fixed(100 / Double(axis.steps), decimals: 4)
        return """
            <table class="rows" role="table" style="--grid:\(grid)%">
            <thead role="rowgroup"><tr role="row">\
            <th role="columnheader" scope="col">URL and reason</th><th role="columnheader" scope="col">For</th>\
            <th role="columnheader" scope="col" class="number">Status</th>\
            <th role="columnheader" scope="col">Outcome</th>\
            <th role="columnheader" scope="col" class="number">Content</th>\
            <th role="columnheader" scope="col" class="number">Time</th>\
            <th role="columnheader" scope="col" class="axis"><span class="unseen">When</span>\(labels(axis))</th>\
            </tr></thead>
            <tbody role="rowgroup">
            \(visit.rows.map { row($0, axis) }.joined(separator: "\n"))
            </tbody>
            </table>
            """
    }

    private func labels(_ axis: TimeAxis) -> String {
        let unit = axis.end >= 1000 ? "s" : "ms"
        let decimals = unit == "ms" ? (axis.step < 1 ? 1 : 0) : axis.step < 100 ? 2 : axis.step < 1000 ? 1 : 0
        let labels = axis.ticks.enumerated().map { index, tick in
            let text = Quantity.fixed(unit == "s" ? tick / 1000 : tick, decimals: decimals)
            let place = Quantity.fixed(axis.percent(tick), decimals: 3)
            let shown = index == 0 ? "0" : index == axis.steps ? "\(text) \(unit)" : text
            return "<span style=\"left:\(place)%\">\(shown)</span>"
        }
        return "<span class=\"ticks\" aria-hidden=\"true\">\(labels.joined())</span>"
    }

    private func row(_ row: WaterfallRow, _ axis: TimeAxis) -> String {
        let reason = row.cacheStatus.shortened(to: Self.tooltipLimit).escapedForHTML
        let status = row.status > 0 ? String(row.status) : Quantity.missing
        return """
            <tr role="row" class="\(OutcomeKind.styleClass(of: row.outcome))">\
            <td role="cell" class="what">\(link(row))\
            \(reason.isEmpty ? "" : "<code title=\"\(reason)\">\(reason)</code>")\
            \(row.isBackground ? Self.background : "")\(row.breaksHashedName ? Self.brokenName : "")</td>\
            <td role="cell" class="for">\(row.destination.escapedForHTML)</td>\
            <td role="cell" class="number status">\(status)</td>\
            <td role="cell" class="outcome">\(HTMLOutcomes.badge(row.outcome))</td>\
            <td role="cell" class="number bytes">\(Quantity.bytes(row.bytes))</td>\
            <td role="cell" class="number time">\(Quantity.milliseconds(row.shownDuration))</td>\
            <td role="cell" class="when">\(bar(row, axis))</td></tr>
            """
    }

    private static let background = "<small>in the background: nobody waited for it</small>"
    private static let brokenName = "<small class=\"bad\">other bytes than before under this hashed name</small>"

    /// Not an anchor: a report is read where its URLs may no longer lead, and a URL may be `javascript:`.
    private func link(_ row: WaterfallRow) -> String {
        let url = ShortURL(row.url, onPage: page)
        let full = row.url.shortened(to: Self.tooltipLimit).escapedForHTML
        let host = url.host.isEmpty ? "" : "<span class=\"host\">\(url.host.escapedForHTML)</span>"
        let place = "<span class=\"place\">\(host)\(url.directory.escapedForHTML)</span>"
        let method = row.method == "GET" ? "" : "<b class=\"method\">\(row.method.escapedForHTML)</b> "
        return """
            <span class="link" title="\(full)">\(method)\(place)\
            <span class="file">\(url.file.escapedForHTML)</span>\
            <span class="query">\(url.query.escapedForHTML)</span></span>
            """
    }

    private func bar(_ row: WaterfallRow, _ axis: TimeAxis) -> String {
        let left = axis.percent(row.shownStart)
        let width = axis.percent(row.shownStart + row.shownDuration) - left
        let wait = row.shownDuration > 0 ? row.shownTimeToHead / row.shownDuration * 100 : 0
        let times = """
            begins at \(Quantity.milliseconds(row.shownStart)), head after \
            \(Quantity.milliseconds(row.shownTimeToHead)), complete after \(Quantity.milliseconds(row.shownDuration))
            """
        return """
            <span class="track" title="\(times)"><span class="bar" style="--at:\(Quantity.fixed(left, decimals: 3))%;\
            width:\(Quantity.fixed(width, decimals: 3))%"><i class="wait" style="width:\
            \(Quantity.fixed(wait, decimals: 1))%"></i></span></span>
            """
    }
}
