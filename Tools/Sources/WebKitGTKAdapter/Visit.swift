import Interception
import WebVisit

/// The course of one visit: trust, load, settle, clear, run the script, look.
@MainActor
struct Visit {
    let request: VisitRequest
    private let page: WebPage
    /// The console's messages up to now.
    private let console: () -> [ConsoleMessage]
    let clock = ContinuousClock()

    /// The longest time for one look into a page that may have stopped answering.
    private static let lookLimit = Duration.seconds(5)

    init(_ request: VisitRequest, page: WebPage, console: @escaping () -> [ConsoleMessage]) {
        self.request = request
        self.page = page
        self.console = console
    }

    /// Visits the page. Whatever goes wrong with it is part of the result.
    ///
    /// - Throws: ``VisitFailure`` with code `badCertificate` if a leaf of the request is no certificate, and what
    ///   ``WebsiteData/clear(_:within:)`` throws.
    func run() async throws(VisitFailure) -> VisitResult {
        for leaf in request.trusted { try await page.trust(leaf) }
        var result = VisitResult(requestedURL: URLUserinfo.removed(from: request.url))
        let start = clock.now
        page.ledger = LoadLedger(at: start)
        page.load(request.url)
        if await settle(by: start + Self.seconds(request.timeoutSeconds)) {
            result.settledMilliseconds = (clock.now - start) / .milliseconds(1)
        } else {
            result.timedOut = page.termination == nil
        }
        if let clearing = request.clearing { try await page.data.clear(clearing) }
        if let script = request.script, page.termination == nil {
            let deadline = clock.now + Self.seconds(request.scriptTimeoutSeconds)
            switch await page.run(script, within: deadline - clock.now) {
            case .returned(let value): result.scriptResult = value
            case .failed(let reason): result.scriptError = reason
            }
            // What the script set in motion belongs to the visit.
            page.ledger.stirred(at: clock.now)
            if await !settle(by: deadline), page.termination == nil { result.timedOut = true }
        }
        await look(into: &result)
        return result
    }

    /// Waits for the page to settle; `false` if it did not in time, or never will.
    func settle(by deadline: ContinuousClock.Instant) async -> Bool {
        let quiet = Self.milliseconds(request.quietMilliseconds)
        let limit = Self.milliseconds(request.pendingLimitMilliseconds)
        while page.termination == nil, clock.now < deadline {
            switch page.ledger.verdict(at: clock.now, quiet: quiet, limit: limit) {
            case .settled: return true
            case .pending(let until): await page.change(within: min(until ?? deadline, deadline) - clock.now)
            }
        }
        return false
    }

    /// Fills in what can be known at the end.
    func look(into result: inout VisitResult) async {
        var problems: [String] = []
        if page.termination == nil, page.committedURL != nil {
            switch await page.run(PageObservation.question, in: PageObservation.world, within: Self.lookLimit) {
            case .returned(let text):
                // The function returns a string, and its JSON text is what comes back: decoded twice.
                do {
                    let inner = try JSONLine.decode(String.self, from: text.utf8)
                    let seen = try JSONLine.decode(PageObservation.self, from: inner.utf8)
                    result.navigation = seen.navigation
                    result.firstContentfulPaint = seen.firstContentfulPaint
                    result.largestContentfulPaint = seen.largestContentfulPaint
                    result.resources = seen.resources
                } catch {
                    problems.append("The page's timing could not be read: \(error)")
                }
            case .failed(let reason): problems.append("The page's timing could not be asked for: \(reason)")
            }
            // A page that does not answer does not paint either.
            if let path = request.screenshotPath, problems.isEmpty {
                switch await page.snapshot(to: path, within: Self.lookLimit) {
                case .taken(let screenshot): result.screenshot = screenshot
                case .failed(let reason): problems.append(reason)
                }
            }
        }
        // A password is nobody's to read in a report.
        for index in result.resources.indices {
            result.resources[index].name = URLUserinfo.removed(from: result.resources[index].name)
        }
        for index in result.resources.indices where result.resources[index].responseStatus == nil {
            result.resources[index].responseStatus = page.ledger.statuses[result.resources[index].name]
        }
        result.finalURL = (page.url ?? page.committedURL).map(URLUserinfo.removed(from:))
        result.title = page.title
        result.mainStatus = page.status
        result.loadError = page.loadError
        (result.download, result.handedToApp) = (page.offeredDownload, page.handedToApp)
        result.failedResources = page.ledger.failed
        result.webProcessTerminated = page.termination
        result.console = console()
        if !problems.isEmpty {
            result.scriptError = ([result.scriptError].compactMap(\.self) + problems).joined(separator: " ")
        }
    }

    /// A time from the wire, kept between nothing and a day: far larger numbers cannot be added to an instant.
    static func seconds(_ count: Double) -> Duration { .seconds(min(max(count, 0), 86_400)) }
    private static func milliseconds(_ count: Int) -> Duration { .milliseconds(min(max(count, 0), 86_400_000)) }
}
