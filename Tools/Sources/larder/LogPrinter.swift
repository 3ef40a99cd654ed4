import CacheEngine
import CachingProxy
import Dashboard
import HTTPCacheSemantics

/// Writes a line to standard error for every exchange, for what the proxy served past the cache, and for every request
/// that it refused.
struct LogPrinter: ExchangeObserver {
    var json: Bool
    /// Whether lines of text begin with the time; lines of JSON always have it.
    var showsTime: Bool

    func record(_ report: ExchangeReport) {
        let milliseconds = Int((report.duration / .milliseconds(1)).rounded())
        guard json else {
            let line = "\(report.status) \(report.method) \(report.uri) \(report.bodyBytes) B \(milliseconds) ms"
            let behind =
                (report.isComplete ? [] : ["incomplete"]) + (report.isBackground ? ["in the background"] : [])
            let broken = report.breaksHashedName ? BrokenHashedNames([report.uri]).sentences : []
            let unstored = report.storeFailure.map { ["not stored: \($0)"] } ?? []
            write(([line, Self.words(report.cacheStatus)] + behind + broken + unstored).joined(separator: "  "))
            return
        }
        let line = Line(
            time: UTCTime.text(Console.now), status: report.status, method: report.method.rawValue, url: report.uri,
            destination: report.destination.rawValue, outcome: report.outcome.rawValue, bytes: report.bodyBytes,
            originBytes: report.originBytes, milliseconds: milliseconds, cacheStatus: report.cacheStatus.description,
            rule: report.rule, complete: report.isComplete, background: report.isBackground,
            breaksHashedName: report.breaksHashedName, storeFailure: report.storeFailure?.description)
        Console.note(jsonLine: line)
    }

    func record(_ refused: RefusedRequest) {
        guard json else {
            let host = refused.target?.hasPrefix("/") == true ? refused.host.map { " (Host: \($0))" } ?? "" : ""
            return write(
                "\(refused.status) \(refused.method ?? "-") \(refused.target ?? "-")\(host)  refused: \(refused.reason)"
            )
        }
        Console.note(
            jsonLine: RefusedLine(
                time: UTCTime.text(Console.now), status: refused.status, method: refused.method,
                url: refused.target, host: refused.host, reason: refused.reason))
    }

    func record(_ served: UncachedRequest) {
        let milliseconds = Int((served.duration / .milliseconds(1)).rounded())
        let isTunnel = served.kind == .tunnel || served.status == 101
        guard json else {
            let line = "\(served.status) \(served.method) \(served.uri) \(served.bytes) B \(milliseconds) ms"
            let words =
                switch served.kind {
                case .lastRecipient: "Larder; detail=\(served.kind.rawValue)"
                case .upgrade where !isTunnel: "not upgraded"
                case .tunnel: "tunnel; \(served.bytesFromClient) B from the client"
                case .upgrade: "upgraded; \(served.bytesFromClient) B from the client"
                }
            return write(([line, words] + (served.isComplete ? [] : ["incomplete"])).joined(separator: "  "))
        }
        Console.note(
            jsonLine: UncachedLine(
                time: UTCTime.text(Console.now), status: served.status, method: served.method, url: served.uri,
                outcome: served.kind.rawValue, bytes: served.bytes,
                bytesFromClient: isTunnel ? served.bytesFromClient : nil, milliseconds: milliseconds,
                complete: served.isComplete))
    }

    private func write(_ line: String) {
        Console.note(showsTime ? UTCTime.text(Console.now) + " " + line : line)
    }

    /// As the field has it, but for a `ttl` that is so long that its figures say nothing.
    private static func words(_ status: CacheStatus) -> String {
        guard let seconds = status.timeToLive, seconds > 0, ReadableDuration.isForEver(.seconds(seconds)) else {
            return status.description
        }
        var status = status
        status.timeToLive = nil
        return status.description + "  no time limit"
    }

    private struct Line: Encodable {
        /// When the exchange was over.
        var time: String
        var status: Int
        var method: String
        var url: String
        var destination: String
        var outcome: String
        var bytes: Int64
        var originBytes: Int64
        var milliseconds: Int
        var cacheStatus: String
        /// The rule that decided; left out where the protocol did.
        var rule: String?
        var complete: Bool
        /// Nobody waited for it.
        var background: Bool
        var breaksHashedName: Bool
        /// Why the store could not keep what was to be stored; left out where it could, or was not asked.
        var storeFailure: String?
    }

    private struct UncachedLine: Encodable {
        /// When it was over.
        var time: String
        var status: Int
        var method: String
        var url: String
        var outcome: String
        var bytes: Int64
        /// Left out where no tunnel stood.
        var bytesFromClient: Int64?
        var milliseconds: Int
        var complete: Bool
    }

    private struct RefusedLine: Encodable {
        var time: String
        var status: Int
        /// Left out, as the next two, where the request could not be read.
        var method: String?
        /// The target as it came: a path alone where the client took the proxy for the server.
        var url: String?
        var host: String?
        var outcome = "refused"
        var reason: String
    }
}
