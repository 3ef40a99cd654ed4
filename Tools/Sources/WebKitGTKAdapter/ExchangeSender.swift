import CacheEngine
import WebVisit

/// Tells the tool of every exchange.
struct ExchangeSender: ExchangeObserver {
    private let send: @Sendable (ExchangeLine) -> Void

    init(_ send: @escaping @Sendable (ExchangeLine) -> Void) { self.send = send }

    func record(_ report: ExchangeReport) { if report.isExchange { send(ExchangeLine(report)) } }
}
