import CacheEngine
import Fetching

/// Finds the visit that a request belongs to.
extension ViewVisits {
    struct Place: Hashable {
        /// The number in the view's name.
        var view: Int
        /// The index of its visit.
        var visit: Int
    }

    static func place(of report: ExchangeReport, in views: [Int: View]) -> Place? {
        if report.view == someView { return inferred(report, views) }
        guard let number = number(report.view), let view = views[number] else { return nil }
        // A request that a page makes while its view loads another one still belongs to that page.
        let document = report.destination == .document ? report.uri : report.document
        let begun = view.visits.indices.filter { view.visits[$0].begun <= report.start }
        let place = begun.last { index in document.map { view.visits[index].urls.contains($0) } ?? false } ?? begun.last
        return place.map { Place(view: number, visit: $0) }
    }

    /// Behind a proxy: from the surest sign to the weakest. The first that fits any view decides, if it fits one alone.
    private static func inferred(_ report: ExchangeReport, _ views: [Int: View]) -> Place? {
        let open = openVisits(at: report.start, views)
        func visit(_ place: Place) -> Visit? { views[place.view]?.visits[place.visit] }
        func isOf(_ place: Place, _ url: String) -> Bool {
            if visit(place)?.urls.contains(url) == true { return true }
            guard let view = views[place.view], place.visit == view.visits.endIndex - 1 else { return false }
            return view.next?.url == url
        }
        if report.destination == .document || report.destination == .unknown {
            let asked = open.filter { isOf($0, report.uri) }
            // Two views that load the same page ask in the order in which they announced it.
            let first = asked.filter { visit($0)?.hasDocument == false }
                .min { (visit($0)?.begun ?? .zero) < (visit($1)?.begun ?? .zero) }
            if let first { return first }
            if report.destination == .document, !asked.isEmpty { return newest(asked) }
        }
        let begun = open.filter { visit($0)?.hasBegun == true }
        if let referrer = report.referrer.flatMap({ document($0) }) {
            let exact = begun.filter { isOf($0, referrer) || visit($0)?.resources.contains(referrer) == true }
            if !exact.isEmpty { return newest(exact) }
            let origin = WebOrigin(url: referrer)
            let near = begun.filter {
                visit($0)?.urls.last.map { WebOrigin(url: $0).isSameOrigin(as: origin) } ?? false
            }
            if !near.isEmpty { return newest(near) }
        }
        return newest(begun)
    }

    /// Visits that views showed or loaded at a time.
    private static func openVisits(at time: Duration, _ views: [Int: View]) -> [Place] {
        views.flatMap { number, view in
            view.visits.indices.filter { index in
                view.visits[index].begun <= time && view.visits[index].ended.map { $0 >= time } ?? true
            }.map { Place(view: number, visit: $0) }
        }
    }

    /// The last visit, if all are of one view.
    private static func newest(_ places: [Place]) -> Place? {
        Set(places.map(\.view)).count == 1 ? places.max { $0.visit < $1.visit } : nil
    }
}
