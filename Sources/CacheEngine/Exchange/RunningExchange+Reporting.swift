import HTTPCacheSemantics
import HTTPTypes
import Locking

/// Error answers and reports.
extension RunningExchange {
    mutating func failure(_ error: EngineError) -> EngineResponse {
        // The exchange is given up when its content turns out to be invalid: that is why, not that the client left.
        let error = error.code == .cancelled ? body?.fault ?? error : error
        endFlight(.notShareable)
        body?.source.cancel()
        if error.code != .cancelled { noteLack(.unanswered) }
        let page = offlinePage(error)
        if page != nil { machine.status.detail = "offline-page" }
        if error.code == .cancelled || error.code == .invalidRequest { machine.status.detail = error.code.name }
        let answer = page?.answer ?? ErrorAnswer.make(for: error, asPage: context.destination.isPage ? head : nil)
        let hasContent = head.method != .head
        // A client that has left gets no answer.
        let isAnswered = error.code != .cancelled
        report(
            .failed, status: answer.head.status.code, bytes: hasContent && isAnswered ? Int64(answer.body.count) : 0,
            failure: error, isComplete: isAnswered)
        return EngineResponse(
            head: answer.head, body: hasContent ? .bytes(answer.body) : .empty, cacheStatus: machine.status,
            failure: error)
    }

    /// The app's own page, if there is no network or the origin can't be reached.
    private func offlinePage(_ error: EngineError) -> OfflinePage? {
        guard let provider = cache.configuration.offlinePage, context.destination.isPage,
            head.method == .get || head.method == .head
        else { return nil }
        return [.disconnected, .originUnreachable].contains(error.code) ? provider(head) : nil
    }

    static func cancelled(_ cause: (any Error)?) -> EngineError {
        EngineError(code: .cancelled, message: "The request was cancelled.", cause: cause)
    }

    func reporting(
        _ source: any BodySource, _ outcome: ExchangeReport.Outcome, _ code: Int, _ fields: HTTPFields,
        status: CacheStatus, length: Int64?, notStored: StoreDecision.Reason? = nil, _ result: StoringResult? = nil
    ) -> any BodySource {
        guard let start, let observer = cache.configuration.observer else { return source }
        let timeToHead = cache.configuration.clock.uptime() - start
        return ReportingBody(source, length: length) { bytes, isComplete, error in
            var report = makeReport(
                outcome, status: code, fields, bytes: bytes, cacheStatus: status, notStored: notStored, start: start)
            (report.timeToHead, report.isComplete) = (timeToHead, isComplete)
            report.failure = (error as? TransportError).map { EngineError($0) }
            guard let result else { return observer.record(report) }
            result.whenOver { [report] result in
                var report = report
                (report.breaksHashedName, report.storeFailure) = (result.breaksHashedName, result.failure)
                // The head said so before the content came.
                if !result.isStored { (report.outcome, report.cacheStatus.isStored) = (.forwarded, false) }
                if !result.isStored, result.failure == nil, !isComplete, context.preload == nil, let key {
                    cache.noteNotStored(.brokeOff, key)
                }
                observer.record(report)
            }
        }
    }

    /// The report of an exchange that ends now.
    func makeReport(
        _ outcome: ExchangeReport.Outcome, status: Int, _ fields: HTTPFields, bytes: Int64, cacheStatus: CacheStatus?,
        notStored: StoreDecision.Reason?, start: Duration
    ) -> ExchangeReport {
        let elapsed = cache.configuration.clock.uptime() - start
        let isFromOrigin = outcome == .stored || outcome == .forwarded
        let network = network?.withLock { $0 }
        return ExchangeReport(
            method: head.method, uri: key?.uri ?? "", view: view, document: context.document,
            visit: nil, referrer: head.headerFields[.referer], destination: context.destination, outcome: outcome,
            status: status,
            cacheStatus: cacheStatus ?? machine.status, rule: machine.policy.rule, notStored: notStored,
            originFailure: outcome == .staleHit ? machine.originFailure : nil, breaksHashedName: false,
            isBackground: context.isBackground, isPreload: context.preload != nil,
            start: start,
            timeToHead: elapsed, duration: elapsed, bodyBytes: bytes, originBytes: isFromOrigin ? bytes : 0,
            network: network?.metrics, repeats: network?.repeats ?? 0, isComplete: true,
            requestFields: head.headerFields.withoutSecrets,
            responseFields: fields.withoutSecrets, ended: cache.now)
    }
}

extension HTTPFields {
    private static let secrets: [HTTPField.Name] = [.cookie, .setCookie, .authorization, .proxyAuthorization]

    /// The same fields; of those that may hold secrets, the name alone.
    package var withoutSecrets: HTTPFields {
        var fields = self
        for name in Self.secrets where contains(name) { fields[name] = "(removed)" }
        return fields
    }
}

/// A body that counts the bytes that pass, and reports once when it ends, fails or is cancelled.
final class ReportingBody: BodySource {
    typealias Report = @Sendable (_ bytes: Int64, _ isComplete: Bool, _ error: (any Error)?) -> Void

    private struct State {
        var bytes: Int64 = 0
        var report: Report?
    }

    private let source: any BodySource
    private let length: Int64?
    private let state: LockedBox<State>

    /// - Parameters:
    ///   - length: The length of the whole, if known: a reader that has got it all need not wait for the end.
    ///   - report: Called once with the number of bytes that passed, whether that is all, and with what they broke off.
    init(_ source: any BodySource, length: Int64?, report: @escaping Report) {
        self.source = source
        self.length = length
        state = LockedBox(State(report: report))
    }

    deinit { finish(complete: false) }

    var trailers: HTTPFields? { source.trailers }

    func next() async throws -> [UInt8]? {
        do {
            guard let bytes = try await source.next() else {
                finish(complete: true)
                return nil
            }
            state.withLock { $0.bytes += Int64(bytes.count) }
            return bytes
        } catch {
            finish(complete: false, error)
            throw error
        }
    }

    func cancel() {
        // First, so that a concurrent reader can't report a complete body.
        finish(complete: false)
        source.cancel()
    }

    private func finish(complete: Bool, _ error: (any Error)? = nil) {
        let (report, bytes) = state.withLock { state -> (Report?, Int64) in
            defer { state.report = nil }
            return (state.report, state.bytes)
        }
        report?(bytes, complete || bytes == length, bytes == length ? nil : error)
    }
}
