import CacheEngine

/// Keeps every report of an engine.
public final class ReportRecorder: ExchangeObserver {
    private let state = WatchedValue<[ExchangeReport]>([])

    /// A recorder without reports.
    public init() {}

    /// Keeps the report.
    public func record(_ report: ExchangeReport) {
        state.update { $0.append(report) }
    }

    /// The reports so far, in the order in which the exchanges ended.
    public var reports: [ExchangeReport] { state.value }

    /// Returns once at least so many reports have come.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func reports(atLeast count: Int) async throws -> [ExchangeReport] {
        try await state.wait { $0.count >= count }
        return reports
    }
}
