import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// A recorded visit, played to a cache of its own with the rules of web views: what it finds when it comes again.
struct Replay {
    /// When and how the visit comes again.
    enum Moment: String, CaseIterable, Sendable {
        case minute, day, week, deploy, offline

        var later: Duration {
            switch self {
            // A deploy may come right after the visit, when what states any lifetime is fresh.
            case .minute, .deploy: .seconds(60)
            case .day: .seconds(86_400)
            case .week: .seconds(7 * 86_400)
            case .offline: .seconds(3_600)
            }
        }
    }

    let exchanges: [RecordedExchange]
    let rules: RuleList

    /// The files as the first visit left them, and as the second one finds them.
    func visit(again moment: Moment) async -> (notStored: [String: StoreDecision.Reason], found: [String: Found]) {
        let log = Log()
        let start = WallInstant(sinceEpoch: .milliseconds(Int64(exchanges.map(\.start).min() ?? 0)))
        let (time, origin) = (LockedBox(Duration.zero), Origin(exchanges))
        let clock = EngineClock(
            wallTime: { start + time.withLock { $0 } }, uptime: { time.withLock { $0 } })
        var configuration = EngineConfiguration(rules: rules, clock: clock, observer: log)
        configuration.samplesHashedNames = false
        configuration.limits.beforeFallback = nil
        let cache = ResponseCache(store: MemoryResponseStore(), transport: origin, configuration: configuration)
        _ = await visit(cache, log, .connected, time)
        let first = log.take()
        time.withLock { $0 += moment.later }
        if moment == .deploy { origin.deploy() }
        let bodies = await visit(cache, log, moment == .offline ? .disconnected : .connected, time)
        var found: [String: Found] = [:]
        let reports = log.take()
        let asked = Set(reports.lazy.filter(\.isBackground).map(\.uri))
        for report in reports where !report.isBackground && found[report.uri] == nil {
            // A rule may have it answer at any age.
            let isUnasked = report.outcome == .staleHit && !asked.contains(report.uri)
            found[report.uri] = Found(
                outcome: isUnasked ? .hit : report.outcome, isOld: bodies[report.uri] == Origin.old)
        }
        let notStored = first.compactMap { report in report.notStored.map { (report.uri, $0) } }
        return (Dictionary(notStored) { first, _ in first }, found)
    }

    struct Found {
        var outcome: ExchangeReport.Outcome
        /// Whether the content is that of before the deploy.
        var isOld: Bool
    }

    /// - Returns: The first byte of each answer.
    private func visit(
        _ cache: ResponseCache, _ log: Log, _ connectivity: Connectivity, _ time: LockedBox<Duration>
    ) async -> [String: UInt8] {
        var bodies: [String: UInt8] = [:]
        for exchange in exchanges {
            guard let parts = TargetURI.split(exchange.url) else { continue }
            var fields = exchange.request
            // Fields that a browser's own cache and its developer tools have added.
            for name in [.ifNoneMatch, .ifModifiedSince, .cacheControl, .pragma, .range, .ifRange] as [HTTPField.Name] {
                fields[name] = nil
            }
            let context = ExchangeContext(destination: exchange.destination, connectivity: connectivity)
            let answer = await cache.respond(
                to: EngineRequest(
                    head: HTTPRequest(
                        method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path,
                        headerFields: fields), context: context))
            if let content = try? await answer.body.collect(upTo: .kibibytes(64)), let first = content.first {
                bodies[exchange.url] = first
            }
            await cache.waitForCommits()
            time.withLock { $0 += .milliseconds(1) }
        }
        await cache.waitForBackgroundWork()
        await cache.waitForCommits()
        return bodies
    }

    private final class Log: ExchangeObserver {
        private let reports = LockedBox<[ExchangeReport]>([])

        func record(_ report: ExchangeReport) { reports.withLock { $0.append(report) } }

        func take() -> [ExchangeReport] {
            reports.withLock { reports in
                defer { reports = [] }
                return reports
            }
        }
    }

    /// The server: it confirms what has not changed, and has another content under each name after a deploy. A name
    /// with a hash keeps its content, as the next release has other names.
    private final class Origin: OriginTransport {
        static let old = UInt8(ascii: "1")

        private let responses: [String: RecordedExchange]
        private let isDeployed = AtomicFlag(false)

        init(_ exchanges: [RecordedExchange]) {
            responses = Dictionary(exchanges.map { ($0.url, $0) }) { first, _ in first }
        }

        func deploy() { isDeployed.value = true }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let head = request.head
            let url = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")"
            guard let recorded = responses[url] else {
                throw TransportError(code: .connectionFailed, message: "The recording has no '\(url)'.")
            }
            let isNew = isDeployed.value && HashedName(path: head.path ?? "") == nil
            var fields = recorded.response
            fields[.contentLength] = nil
            if isNew {
                if let tag = fields[.eTag] { fields[.eTag] = tag.dropLast() + "-2\"" }
                fields[.lastModified] = nil
            }
            // A recorded 304 says what the whole would have said.
            let status = recorded.status == 304 ? 200 : recorded.status
            let asked = head.headerFields
            let isSame =
                asked[.ifNoneMatch].map { $0 == fields[.eTag] }
                ?? asked[.ifModifiedSince].map { $0 == fields[.lastModified] } ?? false
            if status == 200, isSame, !isNew {
                return TransportResponse(
                    head: HTTPResponse(status: .notModified, headerFields: fields), body: Content([]), bodyLength: 0)
            }
            let content = [204, 205].contains(status) ? [] : [isNew ? UInt8(ascii: "2") : Self.old]
            return TransportResponse(
                head: HTTPResponse(status: .init(code: status), headerFields: fields), body: Content(content),
                bodyLength: Int64(content.count))
        }
    }

    private final class Content: BodySource {
        private let rest: LockedBox<[UInt8]?>

        init(_ bytes: [UInt8]) { rest = LockedBox(bytes.isEmpty ? nil : bytes) }

        func next() async throws -> [UInt8]? {
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }

        func cancel() { rest.withLock { $0 = nil } }
    }
}
