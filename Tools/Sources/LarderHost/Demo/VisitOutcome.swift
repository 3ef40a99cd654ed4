import CacheEngine
import Dashboard
import Foundation
import HTTPCacheSemantics
import WebVisit

/// One visit of the demo with everything that was seen of it.
struct VisitOutcome: Sendable {
    var name: String
    var usesLarder: Bool
    var result: VisitResult
    /// The exchanges; empty for the control, whose bytes Larder never sees.
    var exchanges: [ExchangeLine]
    /// Exchanges that the control's proxy forwarded; `nil` for Larder's visits and tunnels.
    var forwarded: [ExchangeLine]?
    /// `nil` where the origin is not ours to watch.
    var origin: OriginSighting?
    var screenshot: Data?
    var hasFilm = true

    /// The result of the page's script.
    var page: DemoPageState? {
        result.scriptResult.flatMap { try? JSONDecoder().decode(DemoPageState.self, from: Data($0.utf8)) }
    }

    /// The errors in the console, each once.
    var errors: Set<String> { Set(result.console.filter { $0.level == .error }.map(\.text)) }

    func count(_ outcome: ExchangeReport.Outcome) -> Int {
        exchanges.count { $0.outcome == outcome.rawValue }
    }

    func record(explanation: String) -> VisitRecord {
        let outcomes = Dictionary(grouping: exchanges, by: \.outcome).mapValues(\.count)
        let start = exchanges.map(\.start).min() ?? 0
        // A proxy that reads requests counts them itself, the document and files of other origins with them.
        let known = usesLarder ? exchanges : forwarded
        let seen = known?.count ?? origin?.requests?.count ?? result.resources.count + 1
        let sizes = [result.documentBytes ?? 0] + result.resources.map(\.encodedBodySize)
        let bytes = known?.reduce(0) { $0 + $1.originBytes } ?? sizes.reduce(.zero) { $0 + ByteCount($1) }.bytes
        // A challenge is followed by the answer to the password.
        let answered = Set(exchanges.filter { $0.status != 401 }.map(\.url))
        return VisitRecord(
            name: name, usesLarder: usesLarder, explanation: explanation,
            firstContentfulPaint: hasLoaded ? result.firstContentfulPaint : nil,
            loadEvent: hasLoaded ? result.navigation.flatMap { $0.loadEventStart > 0 ? $0.loadEventStart : nil } : nil,
            requests: seen, originBytes: origin?.bytes ?? bytes,
            originConnections: origin?.connections, outcomes: outcomes, failures: failures,
            screenshot: screenshot?.base64EncodedString(),
            rows: usesLarder
                ? exchanges.filter { $0.status != 401 || !answered.contains($0.url) }
                    .map { ExchangeRow($0, since: start) }
                : result.resources.map { ExchangeRow($0) })
    }

    /// Whether the page itself came, and shows something.
    var hasLoaded: Bool { summary.isSuccess }

    /// Why there is no page.
    var problem: String { summary.problem }

    private var summary: PageSummary { PageSummary(result, usesLarder ? exchanges : forwarded ?? []) }

    /// Resources that the page did not get, without a film that no web view could load in this mode.
    var missing: Int {
        result.failedResources.count { hasFilm || !$0.url.hasSuffix(".mov") }
    }

    /// Counted in the web view, so that visits with and without Larder count alike.
    var failures: Int { missing + (hasLoaded || missing > 0 ? 0 : 1) }
}

/// The bundled page's own report.
struct DemoPageState: Decodable, Sendable {
    struct Upload: Decodable, Sendable {
        var match: Bool
        var status: Int
        var sent: Sent

        struct Sent: Decodable, Sendable {
            var bytes: Int
            var sha256: String?
        }
    }

    struct Film: Decodable, Sendable {
        var ok: Bool
    }

    var version: Int
    /// Status of `/api/basket`; 0 when the page got no answer.
    var api: Int
    var film: Film?
    var upload: Upload?
    var socket: String
}

extension ExchangeRow {
    init(_ exchange: ExchangeLine, since start: Double) {
        self.init(
            url: exchange.url, method: exchange.method, destination: exchange.destination, status: exchange.status,
            outcome: exchange.outcome, start: exchange.start - start, timeToHead: exchange.millisecondsToHead,
            duration: exchange.milliseconds, bytes: exchange.bytes, cacheStatus: exchange.cacheStatus,
            breaksHashedName: exchange.breaksHashedName, isBackground: exchange.background,
            notStored: exchange.notStored)
    }

    /// As the page saw it; times that a page may not see of another origin are zero.
    init(_ resource: ResourceTiming) {
        let head = resource.responseStart > 0 ? resource.responseStart - resource.startTime : resource.duration
        self.init(
            url: resource.name, method: "GET", destination: resource.initiatorType,
            status: resource.responseStatus ?? 0, outcome: "forwarded", start: resource.startTime,
            timeToHead: head, duration: resource.duration, bytes: Int64(resource.encodedBodySize),
            cacheStatus: "not seen by Larder")
    }
}
