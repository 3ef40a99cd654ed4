/// Reads exchange reports: logs, counters, HAR files, dashboards.
public protocol ExchangeObserver: Sendable {
    /// Whether anybody wants the report of an exchange that begins now; if not, none is made. Asked once for each
    /// exchange, from any thread; must return at once. `true` unless implemented.
    var isListening: Bool { get }

    /// Called once for each exchange that began while ``isListening`` was true, from any thread; must return at once.
    func record(_ report: ExchangeReport)
}

extension ExchangeObserver {
    /// Every report is wanted.
    public var isListening: Bool { true }
}
