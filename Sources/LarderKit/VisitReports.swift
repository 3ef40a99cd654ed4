import CacheEngine
import ViewCare

/// Says in each report for which web view and visit its request was, and passes it on.
struct VisitReports: ExchangeObserver {
    let visits: ViewVisits
    let next: any ExchangeObserver

    var isListening: Bool { next.isListening }

    func record(_ report: ExchangeReport) { next.record(visits.completed(report)) }
}
