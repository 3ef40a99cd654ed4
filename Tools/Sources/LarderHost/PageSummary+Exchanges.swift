import CacheEngine
import CacheRules
import Dashboard
import Fetching
import Foundation
import HTTPCacheSemantics
import WebVisit

/// The lines about single requests.
extension PageSummary {
    /// Names the requests of an opened page that got no answer.
    var missed: String {
        let urls =
            unanswered.map(\.url) + besideLarder.map(\.url).filter { !$0.hasSuffix("/favicon.ico") }
            + (result.timedOut || result.ending == .pendingLimit ? unansweredAtEnd : [])
        guard let first = urls.first else { return "" }
        let count = Set(urls).count
        return count == 1 ? ", but without \(first)" : ", but without \(first) and \(count - 1) more"
    }

    /// URLs that the page still waited for at the end, and that Larder had not begun to answer.
    private var unansweredAtEnd: [String] {
        let begun = Set(exchanges.filter { !$0.background && $0.outcome != Self.failed }.map(\.url))
        return result.pendingURLs.map { AppCacheScheme.networkURL(of: $0) ?? $0 }.filter { !begun.contains($0) }
    }

    var unanswered: [ExchangeLine] {
        // A server that asks for a password answers twice: what came in the end counts.
        let had = Set(exchanges.filter { $0.outcome != Self.failed && $0.status < 400 }.map(\.url))
        return exchanges.filter { line in
            (line.outcome == Self.failed || line.status >= 400) && !line.background
                && !line.url.hasSuffix("/favicon.ico") && !(line.status == 401 && had.contains(line.url))
        }
    }

    /// Why the stored page was shown, or why the next visit asks the origin again.
    var answer: [String] {
        guard let page = exchanges.last(where: { $0.destination == "document" && !$0.background }) else { return [] }
        if page.outcome == ExchangeReport.Outcome.staleHit.rawValue, let failure = page.failure {
            let isAwaited = page.detail?.hasSuffix("/time-out") == true
            let came = exchanges.contains { $0.background && $0.url == page.url }
            let rest = isAwaited && !came ? ", and no answer had come when this ended" : ""
            return ["  stored page     \(Self.clause(failure)); the stored page was shown\(rest)"]
        }
        let isAsked = page.rule == "html-unstated" && page.outcome != ExchangeReport.Outcome.hit.rawValue
        guard isAsked, page.status < 400, page.notStored == nil else { return [] }
        return [
            "  freshness       the page states no lifetime, so each visit asks its server first.",
            "                  \(StatedFreshness.advice)",
        ]
    }

    /// A line for each address and reason, however often a page asked.
    var failures: [String] {
        Self.counted(
            exchanges.filter { $0.outcome == Self.failed }.map { "  failed          \($0.url): \(Self.words($0))" }
                + unanswered.filter { $0.outcome != Self.failed && $0.destination != "document" }
                .map { "  status \($0.status)      \($0.url)" }
                + besideLarder.map { "  failed          \($0.url): \($0.message), not through Larder" })
    }

    /// Requests that were repeated.
    var askedAgain: [String] {
        grouped(
            exchanges.compactMap { line in
                line.repeats.map { count in
                    (line.url, "the connection ended before the answer did" + (count > 1 ? ", \(count) times" : ""))
                }
            }
        )
        .map { "  asked again     \($0)" }
    }

    /// Stored files that answered in their server's place, by reason.
    var inPlace: [String] {
        let files = exchanges.filter {
            $0.outcome == ExchangeReport.Outcome.staleHit.rawValue && $0.destination != "document" && !$0.background
        }
        let lines = Self.counted(
            files.compactMap(\.failure).map { "  stored files    \(Self.clause($0)); shown as stored" })
        let page = exchanges.last { $0.destination == "document" && !$0.background }
        let isNew = page?.outcome == ExchangeReport.Outcome.stored.rawValue
        guard isNew, files.contains(where: { $0.failure != nil && ["script", "style"].contains($0.destination) }) else {
            return lines
        }
        return lines + [
            "  mixture         the page is new, and these may not fit it; the rule 'snapshot' keeps them together"
        ]
    }

    /// Stored contents that were damaged, and came from the server.
    var damaged: [String] {
        (storeNote.map { ["  store           \($0)"] } ?? [])
            + grouped(
                exchanges.filter { $0.detail == "damaged" }.map { ($0.url, "damaged on the disk; fetched again") }
            )
            .map { "  store           \($0)" }
    }

    /// Files that were shown as they were stored, while their server sent them anew.
    var sentAnew: [String] {
        let came = exchanges.filter {
            $0.background && $0.ahead == nil && $0.outcome == ExchangeReport.Outcome.stored.rawValue
        }
        return grouped(
            came.map { ($0.url, "shown as stored, and sent anew since; the next visit shows what came") }
        )
        .map { "  sent anew       \($0)" }
    }

    /// Files that a newer version of the page names, and that can't be had.
    var nextVersion: [String] {
        let lacking = exchanges.filter { $0.ahead == true && ($0.outcome == Self.failed || $0.status >= 400) }
        let page = exchanges.first { $0.destination == "document" && !$0.background }
        let isShown = page?.outcome.hasSuffix("hit") == true
        let stays = isShown ? "; the stored version is shown, for at most a day, unless it lacks that as well" : ""
        return Self.counted(
            lacking.map { line in
                let reason = line.outcome == Self.failed ? Self.words(line) : "status \(line.status)"
                if line.destination == "document" { return "  next version    is not known: \(reason)" }
                return "  next version    lacks \(line.url): \(reason)\(stays)"
            })
    }

    /// Responses that are not stored, by reason: a later visit without a network finds them missing.
    var unstored: [String] {
        let seen = exchanges.filter { $0.method == "GET" && !$0.background && $0.status < 400 }
        let failures = exchanges.compactMap { line in line.storeFailure.map { (line.url, $0) } }
        return grouped(failures + seen.compactMap { line in line.notStored.map { (line.url, $0) } })
            .map { "  not stored      \($0)" }
    }

    /// The mistakes of servers, by kind.
    var warnings: [String] {
        let found = exchanges.filter { !$0.background && $0.method == "GET" }.flatMap { line in
            (line.mistakes ?? []).filter {
                line.notStored == nil || !["no-store", "vary-star", "validator"].contains($0.name)
            }
            .map { (line.url, $0.words) }
        }
        return grouped(found).map { "  warning         \($0)" }
    }

    /// Addresses with the same words in one line, the most first.
    private func grouped(_ all: [(url: String, words: String)]) -> [String] {
        var found = AddressesByWords(page: result.finalURL ?? result.requestedURL)
        for (url, words) in all { found.note(words, url) }
        return found.lines
    }

    /// An address of the page's origin without that.
    func withoutOrigin(_ url: String) -> String {
        AddressesByWords.address(url, on: result.finalURL ?? result.requestedURL)
    }

    /// Failures that never reached the cache: requests that a web view makes beside a scheme
    /// handler or refuses by itself, and all where there is no cache.
    private var besideLarder: [FailedResource] {
        let answered = Set(exchanges.map(\.url.withoutFragment))
        return result.failedResources.filter { resource in
            // Everything at this scheme is Larder's, which names it in another way.
            guard let scheme = TargetURI.split(resource.url)?.scheme, scheme == "http" || scheme == "https" else {
                return false
            }
            return !answered.contains(resource.url.withoutFragment)
        }
    }

}
