import CacheEngine

/// Records every report of an engine.
public final class ReportRecorder: ExchangeObserver {
    private let state = WatchedValue<[ExchangeReport]>([])

    /// A recorder without reports.
    public init() {}

    /// Records the report.
    public func record(_ report: ExchangeReport) {
        state.update { $0.append(report) }
    }

    /// The reports so far, in the order in which the exchanges ended.
    public var reports: [ExchangeReport] { state.value }

    /// Returns once at least this number of reports have arrived.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func reports(atLeast count: Int) async throws -> [ExchangeReport] {
        try await state.wait { $0.count >= count }
        return reports
    }
}
