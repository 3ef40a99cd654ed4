/// A table of the files and of the visits with Larder: a line for each file, a column for each visit.
struct HTMLMatrix {
    private let visits: [VisitRecord]
    private let page: String
    private let unstored: [(url: String, why: String)]
    /// Each file once, in the order in which the visits first asked for it.
    private let files: [ExchangeRow]

    /// The longest text in a tooltip, in characters: a `data:` URL can be megabytes long.
    static let tooltipLimit = 2000
    /// A file of this name was asked for in this way.
    private struct File: Hashable {
        var method: String
        var url: String
    }

    init(_ report: VisitReport) {
        visits = report.visits.filter { $0.usesLarder && !$0.rows.isEmpty }
        (page, unstored) = (report.url, report.notStored)
        var known: Set<File> = []
        files = visits.flatMap(\.rows).filter { known.insert(Self.file($0)).inserted }
    }

    private static func file(_ row: ExchangeRow) -> File { File(method: row.method, url: row.url) }

    var html: String {
        guard !files.isEmpty else { return "" }
        let answers = visits.map { Dictionary(grouping: $0.rows, by: Self.file) }
        let heads = visits.map { visit in
            """
            <th role="columnheader" scope="col"><span class="visit">\(visit.name.escapedForHTML)</span></th>
            """
        }
        let lines = files.map { file in
            let cells = zip(visits, answers).map { visit, rows in
                cell(rows[Self.file(file)] ?? [], visit: visit.name.escapedForHTML)
            }
            return "<tr role=\"row\">\(head(file))\(cells.joined())</tr>"
        }
        return """
            <section aria-labelledby="files">
            <h2 id="files">Files <span class="count">what each visit with Larder got, and how much the server \
            sent</span></h2>
            <table class="matrix" role="table">
            <thead role="rowgroup"><tr role="row"><th role="columnheader" \
            scope="col">File</th>\(heads.joined())</tr></thead>
            <tbody role="rowgroup">
            \(lines.joined(separator: "\n"))
            </tbody>
            </table>
            \(legend)
            \(notStored)
            </section>
            """
    }

    private var notStored: String {
        guard !unstored.isEmpty else { return "" }
        let items = unstored.map { file in
            let url = file.url.shortened(to: Self.tooltipLimit).escapedForHTML
            return "<li><code>\(url)</code> \(file.why.escapedForHTML)</li>"
        }
        return "<h3>Not stored, and why</h3><ul class=\"unstored\">\(items.joined())</ul>"
    }

    private var legend: String {
        let occurring = Set(visits.flatMap(\.rows).map(\.outcome))
        let known = OutcomeKind.allCases.filter { occurring.contains($0.rawValue) }.map { kind in
            "<li>\(HTMLOutcomes.badge(kind.rawValue)) \(kind.meaning)</li>"
        }
        return """
            <ul class="legend">\(known.joined())<li><span class="badge o-other">–</span> not asked of Larder: from \
            the web \
            view’s own cache, or not needed</li></ul>
            """
    }

    /// Not an anchor: a report is read where its URLs may no longer lead, and a URL may be `javascript:`.
    private func head(_ row: ExchangeRow) -> String {
        let url = ShortURL(row.url, onPage: page)
        let full = row.url.shortened(to: Self.tooltipLimit).escapedForHTML
        let host = url.host.isEmpty ? "" : "<span class=\"host\">\(url.host.escapedForHTML)</span>"
        let place = "<span class=\"place\">\(host)\(url.directory.escapedForHTML)</span>"
        let method = row.method == "GET" ? "" : "<b class=\"method\">\(row.method.escapedForHTML)</b> "
        return """
            <th role="rowheader" scope="row" class="what"><span class="link" title="\(full)">\(method)\(place)\
            <span class="file">\(url.file.escapedForHTML)</span><span \
            class="query">\(url.query.escapedForHTML)</span></span>\
            <small>\(row.destination.escapedForHTML)</small></th>
            """
    }

    /// The answer that the page waited for; what came behind it is said below.
    private func cell(_ rows: [ExchangeRow], visit: String) -> String {
        guard let shown = rows.first(where: { !$0.isBackground }) ?? rows.first else {
            return "<td role=\"cell\" class=\"none\" data-name=\"\(visit)\">\(Quantity.missing)</td>"
        }
        let reason = shown.cacheStatus.shortened(to: Self.tooltipLimit).escapedForHTML
        var notes = [Self.sent(shown)]
        if shown.status >= 400 { notes.append("status \(shown.status)") }
        if shown.isBackground { notes.append(Self.background) }
        if let behind = rows.first(where: { $0.isBackground }), !shown.isBackground {
            notes.append("then \(HTMLOutcomes.words(behind.outcome)) behind the page")
        }
        if rows.contains(where: \.breaksHashedName) { notes.append(Self.brokenName) }
        return """
            <td role="cell" class="\(OutcomeKind.styleClass(of: shown.outcome))" title="\(reason)" \
            data-name="\(visit)">\
            \(HTMLOutcomes.badge(shown.outcome))\
            <small>\(notes.filter { !$0.isEmpty }.joined(separator: "; "))</small></td>
            """
    }

    /// The bytes that the server sent for it, and how long that took.
    private static func sent(_ row: ExchangeRow) -> String {
        switch OutcomeKind(rawValue: row.outcome) {
        case .stored, .forwarded, .collapsed, nil:
            "\(Quantity.bytes(row.bytes)) in \(Quantity.milliseconds(row.shownDuration))"
        case .validated: "asked for \(Quantity.milliseconds(row.shownDuration))"
        case .hit, .staleHit, .failed: ""
        }
    }

    private static let background = "in the background: nobody waited for it"
    private static let brokenName = "<b class=\"bad\">other bytes than before under this hashed name</b>"
}
