/// How to read the waterfalls: the parts of a bar, and the outcomes that occur.
struct HTMLLegend {
    let visits: [VisitRecord]

    var html: String {
        let occurring = Set(visits.flatMap(\.rows).map(\.outcome))
        guard !occurring.isEmpty else { return "" }
        let known = OutcomeKind.allCases.filter { occurring.contains($0.rawValue) }.map { kind in
            "<li>\(HTMLOutcomes.badge(kind.rawValue)) \(kind.meaning)</li>"
        }
        let hasOthers = occurring.contains { OutcomeKind(rawValue: $0) == nil }
        let other = hasOthers ? ["<li><span class=\"badge o-other\">other</span> named in its row</li>"] : []
        return """
            <div class="card legend">
            <p><span class="sample o-stored" aria-hidden="true"><i class="wait"></i></span> The light part of a bar is \
            the time to the response head, the full part the time from there to the last byte. Each visit has its own \
            time scale. The small line below a URL is its <code>Cache-Status</code> (RFC 9211): the reason.</p>
            <ul>\((known + other).joined())</ul>
            </div>
            """
    }
}
