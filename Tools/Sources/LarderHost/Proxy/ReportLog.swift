import CacheEngine
import Locking

/// Keeps the reports of exchanges until they are taken, and passes them on.
package final class ReportLog: ExchangeObserver {
    private let reports = LockedBox<[ExchangeReport]>([])
    private let next: (any ExchangeObserver)?

    package init(passingTo next: (any ExchangeObserver)? = nil) {
        self.next = next
    }

    package func record(_ report: ExchangeReport) {
        reports.withLock { $0.append(report) }
        next?.record(report)
    }

    /// The reports since the last call, in the order of the exchanges' starts.
    package func take() -> [ExchangeReport] {
        reports.withLock { reports in
            defer { reports = [] }
            return reports.sorted { $0.start < $1.start }
        }
    }
}
