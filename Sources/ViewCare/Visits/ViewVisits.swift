import CacheEngine
import Fetching
import Locking

/// Which document each web view of an app shows, so that the report of a request can say for whom it was.
///
/// An adapter tells of the navigations of main frames; ``completed(_:)`` completes a report once its exchange is over.
/// A visit is what one view shows from one navigation to the next, its redirects included; visits of a view are counted
/// from 1.
///
/// Where a scheme handler answers, a report names its view and document already, and the visit is the last one of that
/// document. Behind a proxy a request names neither. It is told by what it says: a document by its URL, which a view
/// has announced; all else by its `Referer`, which is the URL of its document, of a style sheet or of a worker of it,
/// or only their origin. Where several views fit equally well, or none, the report stays as it is. So this is for
/// people who look at reports, and decides nothing.
package final class ViewVisits: Sendable {
    /// Stands for a yet unknown web view in ``CacheEngine/ExchangeReport/view``, behind a proxy.
    package static let someView = "web views"

    struct Visit: Sendable {
        var number: Int
        var begun: Duration
        /// Whether the load has begun; before that the app may still decide otherwise.
        var hasBegun = false
        /// When the view showed another document, or was gone; `nil` while it shows this one.
        var ended: Duration?
        /// The document's addresses, those that redirected to it first.
        var urls: [String]
        /// Loaded resources that can be a `Referer` themselves: style sheets, frames, workers.
        var resources: Set<String> = []
        /// Whether the request for the document itself was reported.
        var hasDocument = false
    }

    struct View: Sendable {
        var visits: [Visit] = []
        /// The address where the document that is loaded may go on: a redirect, or its replacement.
        var next: (url: String, at: Duration)?
        /// Whether a load has begun whose document has not.
        var isLoading = false
        var isGone = false
    }

    /// How many visits of a view are known; a report of an older one stays as it is.
    static let mostVisits = 8
    static let mostViews = 64
    static let mostAddresses = 24
    static let mostResources = 512

    struct State: Sendable {
        /// Views by the number in their names.
        var views: [Int: View] = [:]
        var count = 0
    }

    let state = LockedBox(State())

    package init() {}

    // MARK: What adapters tell

    /// A view, which is called `web view 1` in reports, and so on.
    package func addView() -> String {
        state.withLock { state in
            if state.views.count >= Self.mostViews {
                let oldest = state.views.filter(\.value.isGone).keys.min() ?? state.views.keys.min()
                if let oldest { state.views[oldest] = nil }
            }
            state.count += 1
            state.views[state.count] = View()
            return Self.name(state.count)
        }
    }

    /// The view is gone. What it has asked for may still be reported.
    ///
    /// - Parameter now: On the clock of the reports, here and below.
    package func removeView(_ name: String, at now: Duration) {
        change(name) { view in
            view.isGone = true
            view.end(before: view.visits.endIndex, at: now)
        }
    }

    /// The main frame may load a URL: before it begins to, or as the target of a redirect.
    package func announce(_ url: String, in name: String, at now: Duration) {
        guard let url = Self.document(url) else { return }
        change(name) { view in
            if view.isLoading { view.next = (url, now) } else { view.add(url, at: now) }
        }
    }

    /// The main frame has begun to load what was announced last.
    package func begin(in name: String, at now: Duration) {
        change(name) { view in
            if let next = view.next { view.add(next.url, at: next.at) }
            if view.visits.last?.hasBegun ?? true { view.add(nil, at: now) }
            (view.next, view.isLoading) = (nil, true)
            if let last = view.visits.indices.last { view.visits[last].hasBegun = true }
        }
    }

    /// The main frame's load goes on as another load: redirected, or tried once more.
    package func goOn(in name: String) {
        change(name) { view in
            view.addURL(view.next?.url)
            (view.next, view.isLoading) = (nil, true)
        }
    }

    /// The main frame shows the document of the load that has begun.
    package func commit(_ url: String?, in name: String, at now: Duration) {
        change(name) { view in
            view.addURL(view.next?.url)
            view.addURL(url.flatMap { Self.document($0) })
            (view.next, view.isLoading) = (nil, false)
            view.end(before: view.visits.endIndex - 1, at: now)
        }
    }

    /// The load that has begun has failed; the view shows what it showed.
    package func fail(in name: String) {
        change(name) { view in (view.isLoading, view.next) = (false, nil) }
    }

    /// The number of the visit that a view has begun last; `nil` before the first, and for what is no view.
    package func visit(in name: String) -> Int? {
        state.withLock { state in Self.number(name).flatMap { state.views[$0]?.visits.last { $0.hasBegun }?.number } }
    }

    // MARK: Reports

    /// The report with its visit, and with its view and document where a proxy did not know them.
    package func completed(_ report: ExchangeReport) -> ExchangeReport {
        state.withLock { state in
            guard let found = Self.place(of: report, in: state.views) else { return report }
            var report = report
            let visit = state.views[found.view]?.visits[found.visit]
            report.view = Self.name(found.view)
            report.visit = visit?.number
            if report.document == nil { report.document = visit?.urls.last }
            state.views[found.view]?.visits[found.visit].note(report)
            return report
        }
    }

    private func change(_ name: String, _ body: (inout View) -> Void) {
        state.withLock { state in
            guard let number = Self.number(name), var view = state.views[number] else { return }
            body(&view)
            state.views[number] = view
        }
    }

    private static let prefix = "web view "
    static func name(_ number: Int) -> String { prefix + "\(number)" }
    static func number(_ name: String) -> Int? {
        name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
    }

    /// As reports name documents: of https also where the view loads them at the app-cache scheme, without a fragment.
    static func document(_ url: String) -> String? {
        guard case .web(let web) = URLReference.resolve(AppCacheScheme.networkURL(of: url) ?? url, against: nil) else {
            return nil
        }
        return web.url
    }
}

extension ViewVisits.View {
    /// A visit that has not begun makes room for the next one: it was refused, or became a download.
    fileprivate mutating func add(_ url: String?, at now: Duration) {
        var number = 1
        if let last = visits.last {
            number = last.number + (last.hasBegun ? 1 : 0)
            if !last.hasBegun { visits.removeLast() }
        }
        visits.append(ViewVisits.Visit(number: number, begun: now, urls: url.map { [$0] } ?? []))
        if visits.count > ViewVisits.mostVisits { visits.removeFirst() }
    }

    /// To the visit that has begun last. Only the last addresses count: a redirect may go on for ever.
    fileprivate mutating func addURL(_ url: String?) {
        guard let url, let last = visits.indices.last, !visits[last].urls.contains(url) else { return }
        visits[last].urls.append(url)
        if visits[last].urls.count > ViewVisits.mostAddresses { visits[last].urls.removeFirst() }
    }

    fileprivate mutating func end(before place: Int, at now: Duration) {
        for index in visits.indices where index < place && visits[index].ended == nil { visits[index].ended = now }
    }
}

extension ViewVisits.Visit {
    /// Learns about the visit from a request of it that is over.
    fileprivate mutating func note(_ report: ExchangeReport) {
        switch report.destination {
        case .document: if urls.contains(report.uri) { hasDocument = true }
        case .iframe, .style, .worker, .sharedWorker, .object, .embed, .unknown:
            if resources.count < ViewVisits.mostResources { resources.insert(report.uri) }
        default: break
        }
    }
}
