/// Reads exchange reports: logs, counters, HAR files, dashboards.
public protocol ExchangeObserver: Sendable {
    /// Called once per exchange from any thread; must return at once.
    func record(_ report: ExchangeReport)
}
