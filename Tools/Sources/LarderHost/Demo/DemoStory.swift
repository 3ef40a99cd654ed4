import CacheEngine
import Dashboard
import DemoSite
import Foundation
import HTTPCacheSemantics

/// What a series of visits shows: a sentence for each, and checks over all of them.
struct DemoStory {
    private let outcomes: [VisitOutcome]

    private let preloadedBytes: Int64

    /// - Parameter preloadedBytes: What was fetched before the visit "preloaded".
    init(_ outcomes: [VisitOutcome], preloadedBytes: Int64 = 0) {
        self.outcomes = outcomes
        self.preloadedBytes = preloadedBytes
    }

    private func outcome(_ name: String, control: Bool = false) -> VisitOutcome? {
        outcomes.first { $0.name == name && $0.usesLarder != control }
    }

    func records() -> [VisitRecord] {
        outcomes.map { $0.record(explanation: $0.usesLarder ? explanation($0) : controlExplanation($0)) }
    }

    // MARK: In words

    private func explanation(_ visit: VisitOutcome) -> String {
        let fromOrigin = ByteCount(visit.origin?.bytes ?? visit.exchanges.reduce(0) { $0 + $1.originBytes })
        let hits = visit.count(.hit) + visit.count(.staleHit)
        switch visit.name {
        case "cold", "cold again":
            return "Nothing was stored yet: \(fromOrigin) came from the origin, and \(visit.count(.stored)) of "
                + "\(visit.exchanges.count) responses were stored on the way to the page."
        case "warm":
            return
                "\(hits) of \(visit.exchanges.count) answers came from the store at once, \(visit.count(.validated)) "
                + "after the origin said 304; \(fromOrigin) of content crossed the network."
        case "preloaded":
            return
                "The first visit with this store, which a preload filled with \(ByteCount(preloadedBytes)) beforehand: "
                + "\(hits) of \(visit.exchanges.count) answers came from the store, and \(fromOrigin) crossed the network."
        case "while preloading":
            return
                "Nothing of the page was stored yet, and other files were being preloaded: \(fromOrigin) came from the "
                + "origin, those files included."
        case "offline":
            let missing = visit.count(.failed)
            return "The network is gone: \(hits) answers came from the store, whatever their age"
                + (missing == 0 ? "." : ", and \(missing) that are not stored got a 504 that says why.")
        default:
            return "The page is new: \(visit.count(.stored)) changed files were fetched (\(fromOrigin)), the "
                + "\(hits) others came from the store."
        }
    }

    private func controlExplanation(_ visit: VisitOutcome) -> String {
        guard visit.hasLoaded else { return "There is no page." }
        let bytes = visit.origin.map { "\(ByteCount($0.bytes)) from the origin" }
        return "From an empty cache\(bytes.map { ": " + $0 } ?? "")."
    }

    // MARK: Checks

    /// - Parameter hasFilm: Whether the page was asked to play its film.
    func bundledChecks(changed: [DemoFile], site: DemoSite, hasFilm: Bool) -> [VisitReport.Check] {
        var checks: [VisitReport.Check] = []
        func check(_ statement: String, _ holds: Bool, _ evidence: String) {
            checks.append(.init(statement: statement, holds: holds, evidence: evidence))
        }
        let hashed = Set(site.hashedFiles.map { $0.host + $0.path })
        if let cold = outcome("cold") {
            let (page, problem) = (cold.page, cold.result.scriptError ?? "the page said nothing")
            let missing = cold.missing
            check(
                "Cold: everything that the page asks for arrives", cold.hasLoaded && missing == 0 && page != nil,
                page == nil ? problem : "\(cold.exchanges.count) answers, \(missing) missing")
            check(
                "An uploaded file arrives byte for byte", page?.upload?.match ?? false,
                page?.upload.map { "\($0.sent.bytes) bytes, SHA-256 \($0.sent.sha256?.prefix(12) ?? "unknown")…" }
                    ?? problem)
            check(
                hasFilm ? "The film and the WebSocket work" : "The WebSocket works",
                (page?.film?.ok ?? !hasFilm) && page?.socket == "echoed",
                page.map { page in
                    let film = page.film.map { "film \($0.ok ? "playable" : "broken"), " } ?? ""
                    return film + "socket \(page.socket)"
                } ?? problem)
        }
        if let warm = outcome("warm") {
            let refetched = (warm.origin?.delivered ?? []).intersection(hashed)
            check(
                "Warm: no byte of a hashed file comes from the origin", warm.hasLoaded && refetched.isEmpty,
                "\(refetched.count) of \(hashed.count) hashed files fetched")
            let page = warm.exchanges.first { $0.url == DemoStage.url }
            check(
                "Warm: the page itself is confirmed by 304",
                page?.outcome == ExchangeReport.Outcome.validated.rawValue, page?.cacheStatus ?? "no exchange")
        }
        if let preloaded = outcome("preloaded") {
            let fetched = (preloaded.origin?.delivered ?? []).filter { !$0.hasSuffix("/") && !$0.contains("/api/") }
            check(
                "Preloaded: the first visit gets only the page and the API from the origin",
                preloaded.hasLoaded && preloaded.missing == 0 && fetched.isEmpty,
                fetched.isEmpty ? "0 files fetched" : fetched.sorted().joined(separator: ", "))
        }
        checks += offlineChecks()
        if let deployed = outcome("after a deploy") {
            let fetched = (deployed.origin?.delivered ?? []).filter { hashed.contains($0) }
            let allowed = Set(changed.map { $0.host + $0.path })
            check(
                "After a deploy only changed files are fetched",
                deployed.page?.version == site.version && !fetched.isEmpty && Set(fetched).isSubset(of: allowed),
                "\(fetched.count) fetched, \(allowed.intersection(hashed).count) changed, \(hashed.count) hashed in all"
            )
        }
        return checks
    }

    func foreignChecks() -> [VisitReport.Check] {
        guard let cold = outcome("cold") else { return [] }
        let loaded = VisitReport.Check(
            statement: "The page opens", holds: cold.hasLoaded,
            evidence: "status \(cold.result.mainStatus.map(String.init) ?? "none")")
        return [loaded] + offlineChecks()
    }

    private func offlineChecks() -> [VisitReport.Check] {
        guard let offline = outcome("offline"), let warm = outcome("warm") else { return [] }
        var checks: [VisitReport.Check] = []
        let isSame = offline.screenshot != nil && offline.screenshot == warm.screenshot
        let isBlank = offline.result.screenshot?.uniform ?? true
        checks.append(
            .init(
                statement: "Offline: the page looks as it did", holds: offline.hasLoaded && isSame && !isBlank,
                evidence: !offline.hasLoaded
                    ? "not judged: the page did not open"
                    : isSame ? "the two pictures are the same, byte for byte" : "the pictures differ"))
        let forwarded = offline.exchanges.filter {
            $0.originBytes > 0
                || [ExchangeReport.Outcome.stored.rawValue, ExchangeReport.Outcome.forwarded.rawValue].contains(
                    $0.outcome)
        }
        checks.append(
            .init(
                statement: "Offline: nothing is asked of the origin",
                holds: forwarded.isEmpty && (offline.origin?.connections ?? 0) == 0,
                evidence: offline.origin.map { "\($0.connections) connections" } ?? "\(forwarded.count) exchanges"))
        if let page = offline.page {
            let refused = offline.exchanges.first { $0.url.hasSuffix("/api/basket") }
            checks.append(
                .init(
                    statement: "Offline: the API is refused with a reason",
                    // A scheme handler fails the request, as a missing network does; a proxy can only answer.
                    holds: [0, 504].contains(page.api) && refused?.cacheStatus.contains("disconnected") == true,
                    evidence: "\(page.api), \(refused?.cacheStatus ?? "no exchange")"))
        }
        if let control = outcome("offline", control: true) {
            checks.append(
                .init(
                    statement: "Offline without Larder: there is no page", holds: !control.hasLoaded,
                    evidence: control.result.loadError?.message ?? "status \(control.result.mainStatus ?? 0)"))
        }
        return checks
    }
}
