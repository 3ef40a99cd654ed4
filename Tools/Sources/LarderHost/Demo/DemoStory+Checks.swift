import CacheEngine
import Dashboard
import DemoSite

/// Each check says what was found: the sentence is chosen by the result.
extension DemoStory {
    private typealias Check = VisitReport.Check

    private static func check(
        _ holds: Bool, _ statement: String, otherwise: String, _ evidence: String
    ) -> Check {
        Check(statement: holds ? statement : otherwise, holds: holds, evidence: evidence)
    }

    /// - Returns: `nil` for a visit whose page has come.
    private static func missingPage(_ visit: VisitOutcome, _ name: String) -> Check? {
        visit.hasLoaded
            ? nil : Check(statement: "\(name): the page does not open", holds: false, evidence: visit.problem)
    }

    /// - Parameter hasFilm: Whether the page was asked to play its film.
    func bundledChecks(changed: [DemoFile], site: DemoSite, hasFilm: Bool) -> [VisitReport.Check] {
        let hashed = Set(site.hashedFiles.map { $0.host + $0.path })
        var checks: [VisitReport.Check] = []
        if let cold = outcome("cold") {
            checks += Self.missingPage(cold, "Cold").map { [$0] } ?? coldChecks(cold, hasFilm)
        }
        if let warm = outcome("warm") {
            checks += Self.missingPage(warm, "Warm").map { [$0] } ?? warmChecks(warm, hashed)
        }
        if let preloaded = outcome("preloaded") {
            let fetched = (preloaded.origin?.delivered ?? []).filter { !$0.hasSuffix("/") && !$0.contains("/api/") }
            checks.append(
                Self.missingPage(preloaded, "Preloaded")
                    ?? Self.check(
                        preloaded.missing == 0 && fetched.isEmpty,
                        "Preloaded: the first visit gets only the page and the API from the origin",
                        otherwise: "Preloaded: the first visit lacks files, or gets more than the page and the API",
                        "\(preloaded.missing) missing; "
                            + (fetched.isEmpty ? "0 files fetched" : fetched.sorted().joined(separator: ", "))))
        }
        checks += offlineChecks()
        if let deployed = outcome(DemoRun.deployed) {
            let fetched = (deployed.origin?.delivered ?? []).filter { hashed.contains($0) }
            let allowed = Set(changed.map { $0.host + $0.path })
            checks.append(
                Self.missingPage(deployed, "After a deploy")
                    ?? Self.check(
                        deployed.page?.version == site.version && !fetched.isEmpty
                            && Set(fetched).isSubset(of: allowed),
                        "After a deploy only changed files are fetched",
                        otherwise: "After a deploy the page is not the new one, or not only changed files are fetched",
                        "version \(deployed.page.map { String($0.version) } ?? "unknown") of \(site.version), "
                            + "\(fetched.count) fetched, \(allowed.intersection(hashed).count) changed, "
                            + "\(hashed.count) hashed in all"))
        }
        return checks + weakChecks(whole: true)
    }

    private func coldChecks(_ cold: VisitOutcome, _ hasFilm: Bool) -> [VisitReport.Check] {
        let (page, problem) = (cold.page, cold.result.scriptError ?? "the page said nothing")
        let works = (page?.film?.ok ?? !hasFilm) && page?.socket == "echoed"
        return [
            Self.check(
                cold.missing == 0 && page != nil, "Cold: everything that the page asks for arrives",
                otherwise: "Cold: not everything that the page asks for arrives",
                page == nil ? problem : "\(cold.exchanges.count) answers, \(cold.missing) missing"),
            Self.check(
                page?.upload?.match ?? false, "An uploaded file arrives byte for byte",
                otherwise: "An uploaded file does not arrive byte for byte",
                page?.upload.map { "\($0.sent.bytes) bytes, SHA-256 \($0.sent.sha256?.prefix(12) ?? "unknown")…" }
                    ?? problem),
            Self.check(
                works, hasFilm ? "The film and the WebSocket work" : "The WebSocket works",
                otherwise: hasFilm ? "The film or the WebSocket does not work" : "The WebSocket does not work",
                page.map { page in
                    let film = page.film.map { "film \($0.ok ? "playable" : "broken"), " } ?? ""
                    return film + "socket \(page.socket)"
                } ?? problem),
        ]
    }

    private func warmChecks(_ warm: VisitOutcome, _ hashed: Set<String>) -> [VisitReport.Check] {
        let refetched = (warm.origin?.delivered ?? []).intersection(hashed)
        let page = warm.exchanges.first { $0.url == DemoStage.url }
        return [
            Self.check(
                refetched.isEmpty, "Warm: no byte of a hashed file comes from the origin",
                otherwise: "Warm: hashed files come from the origin again",
                "\(refetched.count) of \(hashed.count) hashed files fetched"),
            Self.check(
                page?.outcome == ExchangeReport.Outcome.validated.rawValue, "Warm: the page itself is confirmed by 304",
                otherwise: "Warm: the page itself is not confirmed by 304", page?.cacheStatus ?? "no exchange"),
        ]
    }

    func foreignChecks() -> [VisitReport.Check] {
        let opened = ["cold", "warm", DemoRun.deployed].compactMap { name in
            outcome(name).map { visit in
                Self.missingPage(visit, Self.heading(name))
                    ?? Check(
                        statement: "\(Self.heading(name)): the page opens", holds: true,
                        evidence: "status \(visit.result.mainStatus.map(String.init) ?? "none")")
            }
        }
        return opened + ["warm", DemoRun.deployed].compactMap(consoleCheck) + offlineChecks()
            + weakChecks()
    }

    /// The name of a visit at the beginning of a sentence.
    private static func heading(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// - Returns: `nil` where the page is no worse than without Larder.
    private func consoleCheck(_ name: String) -> Check? {
        guard let visit = outcome(name), let control = outcome(name, control: true), visit.hasLoaded, control.hasLoaded,
            let error = visit.errors.subtracting(control.errors).min()
        else { return nil }
        return Check(
            statement:
                "\(Self.heading(name)): the page has errors that it has not without Larder",
            holds: false, evidence: error)
    }

    /// On a lossy network another web view may have a page by chance.
    ///
    /// - Parameter whole: Whether no file may be missing: a page of others may ask for what is not stored.
    private func weakChecks(whole: Bool = false) -> [Check] {
        outcomes.filter { $0.usesLarder && DemoRun.faults.contains($0.name) }.flatMap { visit -> [Check] in
            let (name, isLossy) = (Self.heading(visit.name) + " network", visit.name == LineFault.lossy.rawValue)
            let paint = visit.result.firstContentfulPaint.map { "\(Int($0)) ms to the first paint" } ?? "no paint"
            let check =
                Self.missingPage(visit, name)
                ?? Self.check(
                    !whole || visit.missing == 0, "\(name): the page opens",
                    otherwise: "\(name): the page lacks files", "\(paint), \(visit.missing) missing")
            guard !isLossy, let control = outcome(visit.name, control: true) else { return [check] }
            let shown = control.hasLoaded ? control.result.firstContentfulPaint : nil
            return [
                check,
                Self.ownCache(control, name)
                    ?? Self.check(
                        shown == nil, "\(name) without Larder: nothing is shown",
                        otherwise: "\(name) without Larder: there is a page, so that the network was not so bad",
                        shown.map { "\(Int($0)) ms to the first paint" } ?? control.problem),
            ]
        }
    }

    /// - Returns: `nil` unless a visit without Larder shows a page that the network did not bring.
    private static func ownCache(_ control: VisitOutcome, _ name: String) -> Check? {
        guard control.hasLoaded else { return nil }
        let statement = "\(name) without Larder: the page is in the web view's own cache"
        guard let asked = control.forwarded else {
            let isSilent = control.origin?.bytes == 0
            return isSilent ? Check(statement: statement, holds: true, evidence: "0 bytes came") : nil
        }
        let answered = asked.filter { $0.outcome != ExchangeReport.Outcome.failed.rawValue }
        let page = [control.result.requestedURL, control.result.finalURL]
        // A trickling network may bring files; without one nothing may come.
        guard name == "Offline" ? answered.isEmpty : !answered.contains(where: { page.contains($0.url) }) else {
            return nil
        }
        return Check(
            statement: statement, holds: true,
            evidence: "\(asked.count) requests reached the network, \(answered.count) got an answer")
    }

    private func offlineChecks() -> [VisitReport.Check] {
        guard let offline = outcome("offline"), let warm = outcome("warm") else { return [] }
        let forwarded = offline.exchanges.filter {
            $0.originBytes > 0
                || [ExchangeReport.Outcome.stored.rawValue, ExchangeReport.Outcome.forwarded.rawValue].contains(
                    $0.outcome)
        }
        var checks = [
            Self.missingPage(offline, "Offline") ?? Self.pictures(offline, warm),
            Self.check(
                forwarded.isEmpty && (offline.origin?.connections ?? 0) == 0, "Offline: nothing is asked of the origin",
                otherwise: "Offline: the origin is asked all the same",
                offline.origin.map { "\($0.connections) connections" } ?? "\(forwarded.count) exchanges"),
        ]
        if let page = offline.page {
            let refused = offline.exchanges.first { $0.url.hasSuffix("/api/basket") }
            checks.append(
                Self.check(
                    // A scheme handler fails the request, as a missing network does; a proxy can only answer.
                    [0, 504].contains(page.api) && refused?.cacheStatus.contains("disconnected") == true,
                    "Offline: the API is refused with a reason",
                    otherwise: "Offline: the API is not refused, or without the reason",
                    "\(page.api), \(refused?.cacheStatus ?? "no exchange")"))
        }
        return checks + controlChecks()
    }

    private static func pictures(_ offline: VisitOutcome, _ warm: VisitOutcome) -> Check {
        let (name, otherwise) = ("Offline: the page looks as it did", "Offline: the page does not look as it did")
        guard warm.hasLoaded else {
            return Check(
                statement: "Offline: not judged whether the page looks as it did", holds: false,
                evidence: "the page that was visited before did not open")
        }
        guard let picture = offline.screenshot, let before = warm.screenshot else {
            return Check(
                statement: "Offline: not judged whether the page looks as it did", holds: false,
                evidence: "there are no two pictures")
        }
        let isSame = picture == before
        return check(
            isSame, name, otherwise: otherwise,
            isSame ? "the two pictures are the same, byte for byte" : "the pictures differ")
    }

    /// Compares with the visits without Larder, unless these had no page while there was a network.
    private func controlChecks() -> [Check] {
        guard let control = outcome("offline", control: true) else { return [] }
        let connected = outcomes.filter { !$0.usesLarder && $0.name != "offline" && !DemoRun.faults.contains($0.name) }
        if let failed = connected.first(where: { !$0.hasLoaded }) {
            return [
                Check(
                    statement: "Without Larder the page does not open with a network either: nothing can be compared",
                    holds: false, evidence: "\(failed.name): \(failed.problem)")
            ]
        }
        return [
            Self.ownCache(control, "Offline")
                ?? Self.check(
                    !control.hasLoaded, "Offline without Larder: there is no page",
                    otherwise: "Offline without Larder: there is a page, so that the network was not gone",
                    control.result.loadError?.message ?? "status \(control.result.mainStatus ?? 0)")
        ]
    }
}
