/// The pictures that tell the most, in a frame like a phone's or, where they are wide, like a window's: without a
/// network, and before it.
struct HTMLScreenshots {
    let pairs: [VisitPair]

    /// The pairs of which pictures are shown: offline and the visit before it, else the last one.
    private var shown: [VisitPair] {
        let pictured = pairs.filter { pair in pair.visits.contains { $0.screenshot != nil } }
        guard pictured.contains(where: { $0.kind == "offline" }) else { return Array(pictured.suffix(1)) }
        return pictured.filter { $0.kind == "warm" } + pictured.filter { $0.kind == "offline" }
    }

    var html: String {
        let shown = shown
        guard !shown.isEmpty else { return "" }
        let groups = shown.map { pair in
            """
            <div class="shots"><h3>\(pair.name.escapedForHTML)</h3><div>\
            \(pair.visits.map { figure($0, name: pair.name) }.joined())</div></div>
            """
        }
        return """
            <section aria-labelledby="screenshots">
            <h2 id="screenshots">Screenshots</h2>
            <div class="gallery">
            \(groups.joined(separator: "\n"))
            </div>
            </section>
            """
    }

    private func figure(_ visit: VisitRecord, name: String) -> String {
        let caption = visit.usesLarder ? "with Larder" : "without"
        let time = visit.loadEvent.map { Quantity.milliseconds($0) } ?? "no load event"
        return "<figure>\(picture(visit, name: name))<figcaption>\(caption)<small>\(time)</small></figcaption></figure>"
    }

    private func picture(_ visit: VisitRecord, name: String) -> String {
        guard let base64 = visit.screenshot else {
            return "<div class=\"frame empty\"><p>\(visit.loadEvent == nil ? "no page" : "no screenshot")</p></div>"
        }
        guard let picture = PNGPicture(base64: base64) else {
            return "<div class=\"frame empty\"><p>not a PNG picture</p></div>"
        }
        let description = "The page after the visit “\(name)” \(visit.usesLarder ? "with" : "without") Larder"
        return """
            <div class="frame \(picture.isPortrait ? "phone" : "window")"><img alt="\(description.escapedForHTML)" \
            width="\(picture.width)" height="\(picture.height)" src="data:image/png;base64,\(picture.base64)"></div>
            """
    }
}
