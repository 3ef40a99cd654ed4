import CacheEngine
import CacheRules
import Dashboard
import Fetching
import Foundation
import HTTPCacheSemantics
import PageAudit
import WebVisit

/// The result of a visit, in words and as JSON.
package struct PageSummary: Sendable {
    private(set) var result: VisitResult
    let exchanges: [ExchangeLine]
    let notices: [SessionNotice]
    let addresses: AddressReport?
    /// Why the store has begun anew during the visit.
    private(set) var storeNote: String?
    private let passesLarder: Bool
    private let network: SimulatedNetwork

    /// - Parameters:
    ///   - addresses: `nil` in modes in which no addresses are turned.
    ///   - passesLarder: Whether no request goes through Larder.
    ///   - network: The one that was simulated.
    package init(
        _ result: VisitResult, _ exchanges: [ExchangeLine], _ notices: [SessionNotice] = [],
        addresses: AddressReport? = nil, passesLarder: Bool = false, network: SimulatedNetwork = .direct
    ) {
        (self.passesLarder, self.network) = (passesLarder, network)
        self.result = result
        self.exchanges = exchanges
        self.notices = notices
        self.addresses = addresses
    }

    /// Names the files of the console's messages that have none and are about stored modules, and says it where the
    /// store has begun anew.
    ///
    /// - Parameter start: The time before the visit.
    package mutating func look(into keeper: StoreKeeper, since start: WallInstant) async throws {
        storeNote = await keeper.store.newBeginning(since: start)
        result.console = try await keeper.withPlaces(result.console, of: exchanges.map(\.url))
    }

    /// Why a picture that was asked for is not there; `nil` where it is, and where nobody asked.
    package private(set) var pictureProblem: String?

    package mutating func expectPicture(at path: String) {
        guard result.screenshot == nil else { return }
        pictureProblem = result.scriptError ?? "There is no picture of the page in '\(path)'."
    }

    /// Whether the page itself loaded: no load error, no time-out, a status below 400, no download and no other app's
    /// URL in its place; something of it was asked for, which a web view doesn't do for a port that it refuses; and
    /// something of it is seen.
    package var isSuccess: Bool {
        result.loadError == nil && result.download == nil && result.handedToApp == nil
            && (!result.timedOut || wasShown)
            && result.webProcessTerminated == nil && !isRefused
            && (result.mainStatus ?? 200) < 400 && !showsNothing
    }

    /// Whether the page itself was there within the time limit, and only what it asks for besides was not.
    private var wasShown: Bool {
        result.ending != .overdue && result.firstContentfulPaint != nil
            && (result.navigation?.loadEventStart ?? 0) > 0
    }

    /// Whether it can't be known, or is known, that nobody sees a page: a white page is none.
    private var showsNothing: Bool {
        result.isBlank ?? (result.ending != nil && result.firstContentfulPaint == nil)
    }

    /// Whether the web view shows its empty page in place of the one that it was told to open.
    private var isRefused: Bool { result.mainStatus == nil && result.finalURL == "about:blank" }

    /// - Parameters:
    ///   - width: The terminal's columns; `nil` where nothing is cut.
    ///   - isVerbose: Whether each request has its details.
    package func text(colours: Bool = false, width: Int? = nil, isVerbose: Bool = false) -> String {
        var lines: [String] = []
        if isSuccess {
            let name = result.title.flatMap { $0.isEmpty ? nil : $0 } ?? result.requestedURL
            lines.append("\(name): opened\(missed)")
        } else if let download {
            lines.append("\(result.requestedURL): \(download)")
        } else {
            // A title would be that of the page which says so, such as "You are offline".
            lines.append("\(result.requestedURL): not opened: \(problem)")
        }
        if network != .direct { lines.append("  network         \(network.rawValue), simulated (--network)") }
        lines += console(.error)
        lines += unstored
        lines.append("  address         \(result.download?.url ?? result.finalURL ?? result.requestedURL)")
        lines.append("  status          \(result.mainStatus.map(String.init) ?? "none")\(doubt)")
        lines.append("  first paint     \(firstPaint)")
        lines += answer
        let loadEvent = result.navigation?.loadEventStart
        lines.append("  load event      \(Self.milliseconds(loadEvent == 0 ? nil : loadEvent))")
        if result.ending == .pendingLimit || result.timedOut && isSuccess {
            lines.append(
                "  ended           with requests still under way, though nothing has moved for long: \(pending)")
        }
        let confirmed = exchanges.count(where: \.isConfirmed)
        let outcomes = Dictionary(grouping: exchanges.filter { !$0.isConfirmed }, by: \.outcome).mapValues(\.count)
        let kinds =
            OutcomeKind.allCases.compactMap { kind in outcomes[kind.rawValue].map { "\($0) \(kind.words)" } }
            + (confirmed > 0 ? ["\(confirmed) confirmed"] : [])
        let unseen = exchanges.count(where: \.background)
        let behind = unseen > 0 ? ", \(unseen) of them in the background" : ""
        let listed = kinds.isEmpty ? "" : " (\(kinds.joined(separator: "; ")))"
        if passesLarder {
            lines.append(
                "  requests        1 for the page and \(result.resources.count) for its files, all past Larder")
        } else {
            lines.append("  requests        \(exchanges.count)\(listed)\(behind)")
            lines.append("  from the origin \(ByteCount(exchanges.reduce(0) { $0 + $1.originBytes }))")
        }
        if let worker = result.serviceWorker {
            lines.append(
                "  service worker  \(withoutOrigin(worker)) controls the page: what it answers from its "
                    + "CacheStorage is what is seen, whatever is stored here; without --data there is none")
        }
        if ownCacheAnswers > 0 { lines.append("  own cache       \(ownCacheAnswers) answered by the web view itself") }
        lines += addresses.map { ["  past Larder     \(Self.words($0))"] } ?? []
        lines += failures
        lines += askedAgain
        lines += damaged
        lines += inPlace
        lines += sentAnew
        lines += nextVersion
        let broken = BrokenHashedNames(exchanges.filter(\.breaksHashedName).map(\.url))
        lines += broken.sentences.map { "  other bytes     \($0)" }
        if let picture = result.screenshot { lines.append("  picture         \(picture.path)") }
        lines += Self.counted(notices.map { "  page            \(Self.words($0))" })
        if let reason = result.scriptError { lines.append("  problem         \(reason)") }
        lines += warnings
        lines += console(.warning)
        let requests = PageRequests(
            exchanges, page: result.finalURL ?? result.requestedURL, ink: TerminalInk(isOn: colours), width: width,
            isVerbose: isVerbose)
        // Titles, texts of the console and URLs are the page's.
        return (lines.flatMap { Self.wrapped(TerminalText.clean($0), width) } + requests.lines).joined(separator: "\n")
    }

    /// A line with its label, broken where the terminal ends.
    private static func wrapped(_ line: String, _ width: Int?) -> [String] {
        guard let width, TerminalText.width(line) > width, line.hasPrefix("  "), line.count > labelWidth else {
            return [line]
        }
        let pieces = TerminalText.wrapped(String(line.dropFirst(labelWidth)), to: max(width - labelWidth - 1, 20))
        return pieces.enumerated().map { index, piece in
            (index == 0 ? String(line.prefix(labelWidth)) : String(repeating: " ", count: labelWidth)) + piece
        }
    }

    private static let labelWidth = 18

    /// An error page that says 200 is kept as the page.
    private var doubt: String {
        guard let title = result.title?.lowercased(), result.mainStatus == 200,
            title.contains("404") || title.contains("not found") || title.hasPrefix("error")
        else { return "" }
        return ", and the title speaks of an error: answer with its status, such as 404"
    }

    private var ownCacheAnswers: Int { result.ownCacheAnswers(besides: Set(exchanges.map(\.url))) }

    private static func words(_ addresses: AddressReport) -> String {
        var words = ["\(addresses.escaped) request\(addresses.escaped == 1 ? "" : "s") of the page's own host"]
        if addresses.repaired > 0 { words.append("addresses turned late: \(addresses.repaired)") }
        if addresses.faults > 0 { words.append("faults of the injected scripts: \(addresses.faults)") }
        if addresses.fallbacks > 0 { words.append("documents left to themselves: \(addresses.fallbacks)") }
        return words.joined(separator: "; ")
    }

    private static func words(_ notice: SessionNotice) -> String {
        switch notice {
        case .external(let url, let isNewWindow):
            "\(isNewWindow ? "asked for a new window" : "asked another app"): \(url)"
        case .dialog(let kind, let text): "showed a dialog (\(kind)): \(text)"
        case .processEnded(let reason, let recovery): "lost its process (\(reason)): \(recovery)"
        case .blankPage(_, let hasElements):
            "shows one colour and nothing else: \(hasElements ? "its elements draw nothing" : "it has no elements")"
        }
    }

    /// How many different lines of the console are shown; the JSON has all of them.
    private static let consoleLimit = 20

    /// Lines of the console, each once and not all: a page without its server repeats them.
    private func console(_ level: ConsoleMessage.Level) -> [String] {
        let lines = Self.counted(
            result.console.filter { $0.level == level }.map { message in
                "  console \(message.level.rawValue)".padding(toLength: 18, withPad: " ", startingAt: 0)
                    + (message.location.map { withoutOrigin($0) + ": " } ?? "") + message.text
            })
        guard lines.count > Self.consoleLimit else { return lines }
        return lines.prefix(Self.consoleLimit) + ["  … and \(lines.count - Self.consoleLimit) more; --json shows all"]
    }

    /// Each line once, in the order of their first, with how often it is there.
    static func counted(_ all: [String]) -> [String] {
        var lines: [String] = []
        var counts: [String: Int] = [:]
        for line in all {
            if counts[line] == nil { lines.append(line) }
            counts[line, default: 0] += 1
        }
        return lines.map { line in
            let count = counts[line] ?? 1
            return count > 1 ? "\(line)  × \(count)" : line
        }
    }

    /// Says that what came is no page, but a download; `nil` where it is none.
    private var download: String? {
        guard let download = result.download, result.webProcessTerminated == nil, (result.mainStatus ?? 200) < 400
        else {
            return nil
        }
        let name = download.fileName.map { " of \($0)" } ?? ""
        let type = download.mediaType.isEmpty ? "" : " (\(download.mediaType))"
        return "no page, but a download\(name)\(type); it was not saved"
    }

    /// Why the page was not opened; meaningless where it was.
    package var problem: String {
        if let download { return download }
        if result.ending == .overdue {
            return "the process of the web view did not keep the time limit (--timeout), and was ended"
        }
        if result.timedOut {
            let detail = result.navigation.map { $0.loadEventStart > 0 ? "" : "; its load event has not come" } ?? ""
            let open = result.pendingURLs.isEmpty ? "" : "; still under way: \(pending)"
            return "it was not done within the time limit (--timeout)" + detail + open
        }
        if let reason = result.webProcessTerminated { return "the web process ended (\(reason))" }
        if let app = result.handedToApp { return "it leads to another app: \(app)" }
        if (result.mainStatus ?? 200) < 400, result.loadError == nil, !isRefused, showsNothing {
            return result.isBlank == nil
                ? "nothing was painted, and the view can't be looked at"
                : result.firstContentfulPaint == nil
                    ? "it shows nothing: nothing was painted, and every pixel of the view has the same colour; if no "
                        + "file failed, look at the page's own styles and scripts (--screenshot FILE)"
                    : "it shows nothing any more: every pixel of the view has the same colour"
        }
        if let failed = exchanges.first(where: { $0.outcome == Self.failed }) {
            // A page that is redirected has its answer at another address.
            let asked = result.requestedURL.withoutFragment
            let isRedirected = failed.url == result.finalURL && failed.url != TargetURI.resolve(asked, against: asked)
            return isRedirected ? "it redirects to \(failed.url): \(Self.words(failed))" : Self.words(failed)
        }
        if let error = result.loadError { return error.message }
        if isRefused { return "the web view refused the address" }
        let isStored = exchanges.contains { $0.url == result.finalURL && $0.outcome.hasSuffix("hit") }
        let status = "status \(result.mainStatus.map(String.init) ?? "unknown")"
        return isStored ? "the stored answer has the \(status)" : status
    }

    /// The first request that was under way at the end, whether Larder has answered it, and how many others were.
    private var pending: String {
        guard let first = result.pendingURLs.first else { return "none" }
        let url = AppCacheScheme.networkURL(of: first) ?? first
        let answer = exchanges.last { $0.url == url && !$0.background && $0.outcome != Self.failed }
        let told = answer.map { "answered with status \($0.status)" } ?? "without an answer so far"
        let others = result.pendingURLs.count - 1
        return "\(first), \(told)" + (others > 0 ? ", and \(others) more" : "")
    }

    /// The web view reports the first text or image of the page itself, and neither frames nor plain colours.
    private var firstPaint: String {
        guard result.firstContentfulPaint == nil else { return Self.milliseconds(result.firstContentfulPaint) }
        return result.isBlank == false ? "not reported; the view is not blank" : "none"
    }

    /// Why there is no answer, and what helps.
    package static func words(_ failed: ExchangeLine) -> String {
        let host = TargetURI.split(failed.url)?.authority ?? failed.url
        return switch failed.detail {
        case EngineError.Code.redirectRefused.name: "it redirects to a file (file:), which is not followed"
        case EngineError.Code.originUntrusted.name where failed.failure?.hasPrefix("The certificate") == true:
            Self.clause(failed.failure ?? "")
        case EngineError.Code.originUntrusted.name:
            "the certificate of \(host) is not trusted; name its authority with --origin-ca"
        case EngineError.Code.originUnreachable.name where failed.failure?.hasPrefix("Nothing answers") == false:
            Self.clause(failed.failure ?? "")
        case EngineError.Code.originUnreachable.name:
            "nothing answers at \(host); check that the server runs, or give its address with --resolve"
        case EngineError.Code.originBroken.name: "what \(host) answers is no HTTP response"
        case EngineError.Code.disconnected.name where failed.past != nil:
            "there is no network; " + Self.clause(failed.past ?? "")
        case EngineError.Code.disconnected.name
        where failed.failure ?? EngineError.nothingStored != EngineError.nothingStored:
            Self.clause(failed.failure ?? "")
        case EngineError.Code.disconnected.name: "there is no network (--offline), and nothing is stored for it"
        case "offline-page": "there is no network, and nothing is stored for it; the offline page is shown"
        // Its head came, and its content broke off.
        case _ where failed.status < 400 && failed.failure != nil: Self.clause(failed.failure ?? "")
        default: failed.failure.map(Self.clause) ?? failed.detail ?? failed.cacheStatus
        }
    }

    /// A sentence as part of a longer one.
    static func clause(_ sentence: String) -> String {
        let isCommon = ["The ", "There ", "It "].contains { sentence.hasPrefix($0) }
        let words = isCommon ? sentence.prefix(1).lowercased() + sentence.dropFirst() : sentence
        return words.hasSuffix(".") ? String(words.dropLast()) : words
    }

    private static func milliseconds(_ value: Double?) -> String {
        // A page may make its own figures.
        value.flatMap { Int(exactly: $0.rounded()) }.map { "\($0) ms" } ?? "none"
    }

    /// One JSON object: the visit as the web view saw it, and the exchanges as Larder answered them.
    package func json() throws -> String {
        try JSONText.encode(
            Output(
                opened: isSuccess, problem: isSuccess ? nil : problem, page: result,
                exchanges: exchanges.map { line in
                    var line = line
                    line.heads = nil
                    return line
                },
                ownCacheAnswers: ownCacheAnswers, notices: notices, addresses: addresses, store: storeNote,
                pictureProblem: pictureProblem),
            isPretty: true)
    }

    /// The visit as a HAR file.
    package func har() throws -> Data {
        let navigation = result.navigation
        return try HARFile.write(
            exchanges.compactMap(RecordedExchange.init),
            page: (result.finalURL ?? result.requestedURL, result.title ?? ""),
            loaded: (navigation?.domContentLoadedEventEnd, navigation?.loadEventEnd), version: "0")
    }

    static let failed = ExchangeReport.Outcome.failed.rawValue

    private struct Output: Encodable {
        var opened: Bool
        /// Why it is not opened, in words.
        var problem: String?
        var page: VisitResult
        var exchanges: [ExchangeLine]
        /// How many resources the web view answered from its own cache.
        var ownCacheAnswers: Int
        var notices: [SessionNotice]
        var addresses: AddressReport?
        /// Why the store has begun anew, in words.
        var store: String?
        var pictureProblem: String?
    }
}
