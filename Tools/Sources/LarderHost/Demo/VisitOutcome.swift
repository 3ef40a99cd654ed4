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
    var reports: [ExchangeReport]
    /// Requests that the control's proxy forwarded; `nil` for Larder's visits and where connections were tunnelled.
    var forwarded: Int?
    /// `nil` where the origin is not ours to watch.
    var origin: OriginSighting?
    var screenshot: Data?

    /// What the page's script returned.
    var page: DemoPageState? {
        result.scriptResult.flatMap { try? JSONDecoder().decode(DemoPageState.self, from: Data($0.utf8)) }
    }

    func count(_ outcome: ExchangeReport.Outcome) -> Int {
        reports.filter { $0.outcome == outcome }.count
    }

    func record(explanation: String) -> VisitRecord {
        let outcomes = Dictionary(grouping: reports, by: { $0.outcome.rawValue }).mapValues(\.count)
        let start = reports.map(\.start).min() ?? .zero
        let seen = usesLarder ? reports.count : origin?.requests?.count ?? forwarded ?? result.resources.count + 1
        let reportedBytes = reports.reduce(0) { $0 + $1.originBytes }
        let resourceBytes = result.resources.reduce(ByteCount.zero) { $0 + ByteCount($1.encodedBodySize) }.bytes
        return VisitRecord(
            name: name, usesLarder: usesLarder, explanation: explanation,
            firstContentfulPaint: hasLoaded ? result.firstContentfulPaint : nil,
            loadEvent: hasLoaded ? result.navigation.flatMap { $0.loadEventStart > 0 ? $0.loadEventStart : nil } : nil,
            requests: seen, originBytes: origin?.bytes ?? (usesLarder ? reportedBytes : resourceBytes),
            originConnections: origin?.connections, outcomes: outcomes, failures: failures,
            screenshot: screenshot?.base64EncodedString(),
            rows: usesLarder
                ? reports.map { WaterfallRow($0, since: start) }
                : result.resources.map { WaterfallRow($0) })
    }

    /// Whether the page itself came.
    var hasLoaded: Bool {
        result.loadError == nil && !result.timedOut && (result.mainStatus ?? 200) < 400
    }

    /// Counted in the web view, so that visits with and without Larder count alike.
    var failures: Int {
        result.failedResources.count + (hasLoaded || !result.failedResources.isEmpty ? 0 : 1)
    }
}

/// What the bundled page says about itself.
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

extension WaterfallRow {
    init(_ report: ExchangeReport, since start: Duration) {
        self.init(
            url: report.uri, method: report.method.rawValue, destination: report.destination.rawValue,
            status: report.status, outcome: report.outcome.rawValue, start: (report.start - start) / .milliseconds(1),
            timeToHead: report.timeToHead / .milliseconds(1), duration: report.duration / .milliseconds(1),
            bytes: report.bodyBytes, cacheStatus: report.cacheStatus.description,
            breaksHashedName: report.breaksHashedName, isBackground: report.isBackground)
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
