import CacheEngine
import Dashboard

/// Writes a line for every exchange to standard error.
struct LogPrinter: ExchangeObserver {
    var json: Bool

    func record(_ report: ExchangeReport) {
        let milliseconds = Int((report.duration / .milliseconds(1)).rounded())
        guard json else {
            let line = "\(report.status) \(report.method) \(report.uri) \(report.bodyBytes) B \(milliseconds) ms"
            let behind =
                (report.isComplete ? [] : ["incomplete"]) + (report.isBackground ? ["in the background"] : [])
            let broken = report.breaksHashedName ? BrokenHashedNames([report.uri]).sentences : []
            Console.note((["\(line)  \(report.cacheStatus)"] + behind + broken).joined(separator: "  "))
            return
        }
        let line = Line(
            status: report.status, method: report.method.rawValue, url: report.uri,
            outcome: report.outcome.rawValue, bytes: report.bodyBytes, originBytes: report.originBytes,
            milliseconds: milliseconds, cacheStatus: report.cacheStatus.description, complete: report.isComplete,
            background: report.isBackground, breaksHashedName: report.breaksHashedName)
        Console.note(jsonLine: line)
    }

    private struct Line: Encodable {
        var status: Int
        var method: String
        var url: String
        var outcome: String
        var bytes: Int64
        var originBytes: Int64
        var milliseconds: Int
        var cacheStatus: String
        var complete: Bool
        /// Nobody waited for it.
        var background: Bool
        var breaksHashedName: Bool
    }
}
