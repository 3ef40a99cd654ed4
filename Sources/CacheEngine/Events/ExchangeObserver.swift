/// Reads exchange reports: logs, counters, HAR files, dashboards.
public protocol ExchangeObserver: Sendable {
    /// Whether anybody wants the report of an exchange that begins now; asked once for each, from any thread. Must return
    /// at once. Where nobody does, no report is made of it. `true` unless implemented.
    var isListening: Bool { get }

    /// Called once for each exchange that began while somebody listened, from any thread; must return at once.
    func record(_ report: ExchangeReport)
}

extension ExchangeObserver {
    /// Every report is wanted.
    public var isListening: Bool { true }
}
