import Fetching
import HTTPCacheSemantics
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
    /// The time between two looks where nothing tells of a change.
    private static let pause = Duration.milliseconds(100)
    /// How long a page at rest that shows nothing may take to paint something, as after a timer.
    private static let paintLimit = Duration.seconds(3)
    /// How often a document may fail to answer before its load counts as over without its word.
    private static let refusalLimit = 20

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
        page.load(request.url, fields: [CacheMode.field: request.cacheMode])
        await settle(into: &result, since: start, by: start + Self.seconds(request.timeoutSeconds))
        if let clearing = request.clearing { try await page.data.clear(clearing) }
        if let script = request.script, page.termination == nil {
            let deadline = clock.now + Self.seconds(request.scriptTimeoutSeconds)
            switch await page.run(script, within: deadline - clock.now) {
            case .returned(let value): result.scriptResult = value
            case .failed(let reason): result.scriptError = reason
            }
            // Loads that the script set in motion belong to the visit.
            page.ledger.stirred(at: clock.now)
            let ending = await settle(by: deadline)
            if !result.timedOut { (result.ending, result.timedOut) = (ending, ending == .timeLimit) }
        }
        await look(into: &result)
        return result
    }

    /// Waits for the page that was told to load, and notes how that ended.
    ///
    /// - Parameter expectsPaint: Whether a page that shows nothing gets ``paintLimit`` more.
    func settle(
        into result: inout VisitResult, since start: ContinuousClock.Instant, by deadline: ContinuousClock.Instant,
        expectsPaint: Bool = true
    ) async {
        var ending = await settle(by: deadline)
        if expectsPaint, ending == .quiet || ending == .pendingLimit, await waitForPaint(by: deadline) {
            // A page that paints may load more.
            ending = await settle(by: deadline)
        }
        (result.ending, result.timedOut) = (ending, ending == .timeLimit)
        if ending != .timeLimit, ending != .processEnded {
            result.settledMilliseconds = (clock.now - start) / .milliseconds(1)
        }
    }

    /// Waits until a page that shows nothing shows something, up to the limit for that.
    ///
    /// - Returns: Whether there was anything to wait for.
    private func waitForPaint(by deadline: ContinuousClock.Instant) async -> Bool {
        let limit = min(deadline, clock.now + Self.paintLimit)
        var hasWaited = false
        while clock.now < limit, page.termination == nil, await page.isBlank(within: Self.lookLimit) == true {
            hasWaited = true
            await page.change(within: min(Self.pause, limit - clock.now))
        }
        return hasWaited
    }

    /// Waits until the load event has come and the network is quiet, or a limit is reached.
    func settle(by deadline: ContinuousClock.Instant) async -> VisitEnding {
        let quiet = Self.milliseconds(request.quietMilliseconds)
        let limit = Self.milliseconds(request.pendingLimitMilliseconds)
        var refusals = 0
        while page.termination == nil, clock.now < deadline {
            switch page.ledger.verdict(at: clock.now, quiet: quiet, limit: limit) {
            case .pending(let until): await page.change(within: min(until ?? deadline, deadline) - clock.now)
            // A load that was asked for and has not begun: the web process may be slow to start.
            case .settled where page.isLoading: await page.change(within: deadline - clock.now)
            case .settled where !page.hasDocument: return .noPage
            case .settled:
                let known = page.ledger.lastActivity
                switch await page.run(PageObservation.arrival, in: PageObservation.world, within: deadline - clock.now)
                {
                case .returned where page.ledger.lastActivity == known && !page.isLoading:
                    return page.ledger.holding.isEmpty ? .quiet : .pendingLimit
                case .returned: continue
                // The document that was asked has gone, or its kind takes no questions.
                case .failed where refusals == Self.refusalLimit && clock.now < deadline: return .quiet
                case .failed:
                    refusals += 1
                    await page.change(within: min(Self.pause, deadline - clock.now))
                }
            }
        }
        return page.termination == nil ? .timeLimit : .processEnded
    }

    /// Fills in what can be known at the end.
    ///
    /// - Parameter asksIfBlank: Whether ``VisitResult/isBlank`` is wanted, which costs a picture.
    func look(into result: inout VisitResult, asksIfBlank: Bool = true) async {
        if result.ending == .timeLimit || result.ending == .pendingLimit {
            result.pendingURLs = Array(page.ledger.holding.prefix(VisitResult.pendingCount))
        }
        var problems: [String] = []
        if page.termination == nil, page.committedURL != nil {
            switch await page.run(PageObservation.question, in: PageObservation.world, within: Self.lookLimit) {
            case .returned(let text):
                // The function returns a string, and its JSON text is what comes back: decoded twice.
                do {
                    let inner = try JSONLine.decode(String.self, from: text.utf8)
                    let seen = try JSONLine.decode(PageObservation.self, from: inner.utf8)
                    result.navigation = seen.navigation
                    result.documentBytes = seen.documentBytes
                    result.firstContentfulPaint = seen.firstContentfulPaint
                    result.largestContentfulPaint = seen.largestContentfulPaint
                    result.resources = seen.resources
                    result.serviceWorker = seen.serviceWorker
                } catch {
                    problems.append("The page's timing could not be read: \(error)")
                }
            case .failed(let reason): problems.append("The page's timing could not be asked for: \(reason)")
            }
            // A page that does not answer does not paint either.
            if let path = request.screenshotPath, problems.isEmpty {
                switch await page.snapshot(to: path, within: Self.lookLimit) {
                case .taken(let screenshot): (result.screenshot, result.isBlank) = (screenshot, screenshot.uniform)
                case .failed(let reason): problems.append(reason)
                }
            } else if asksIfBlank, problems.isEmpty, page.hasDocument {
                result.isBlank = await page.isBlank(within: Self.lookLimit)
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
