import CacheEngine
import Dashboard
import DemoSite
import Foundation
import HTTPCacheSemantics

/// A series of visits: a sentence for each, and checks over all, see `DemoStory+Checks`.
struct DemoStory {
    let outcomes: [VisitOutcome]

    private let preloadedBytes: Int64

    /// - Parameter preloadedBytes: The bytes fetched before the visit "preloaded".
    init(_ outcomes: [VisitOutcome], preloadedBytes: Int64 = 0) {
        self.outcomes = outcomes
        self.preloadedBytes = preloadedBytes
    }

    func outcome(_ name: String, control: Bool = false) -> VisitOutcome? {
        outcomes.first { $0.name == name && $0.usesLarder != control }
    }

    func records() -> [VisitRecord] {
        outcomes.map { $0.record(explanation: $0.usesLarder ? explanation($0) : controlExplanation($0)) }
    }

    // MARK: In words

    private func explanation(_ visit: VisitOutcome) -> String {
        let own = visit.result.ownCacheAnswers(besides: Set(visit.exchanges.map(\.url)))
        return words(visit) + (own == 0 ? "" : " The web view's own cache answered \(own) more.")
    }

    private func words(_ visit: VisitOutcome) -> String {
        let fromOrigin = ByteCount(visit.origin?.bytes ?? visit.exchanges.reduce(0) { $0 + $1.originBytes })
        let hits = visit.count(.hit) + visit.count(.staleHit)
        guard visit.hasLoaded else { return "There is no page: \(visit.problem)." }
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
                + "\(hits) of \(visit.exchanges.count) answers came from the store, and \(fromOrigin) crossed the "
                + "network."
        case "while preloading":
            return
                "Nothing of the page was stored yet, and other files were being preloaded: \(fromOrigin) came from the "
                + "origin, those files included."
        case "silent":
            return
                "The server takes connections and says nothing: the page came from the store once its patience was "
                + "over, and \(hits) answers with it."
        case "closing": return "Each connection ends before an answer: \(hits) answers came from the store."
        case "trickling":
            return
                "Each connection brings 4 KiB, and then ten bytes a second: \(hits) answers came from the store, and "
                + "\(visit.count(.stored)) from the server."
        case "lossy":
            return
                "Every third connection breaks off after 4 KiB: \(visit.count(.stored)) answers came whole from the "
                + "server, \(hits) from the store, and \(visit.count(.failed)) did not come."
        case "offline":
            let missing = visit.count(.failed)
            return "The network is gone: \(hits) answers came from the store, whatever their age"
                + (missing == 0 ? "." : ", and \(missing) that are not stored got a 504 that says why.")
        default:
            let isNew = visit.exchanges.first.map { !["hit", "stale-hit", "validated"].contains($0.outcome) } ?? true
            return (isNew ? "The page is new" : "The page is the one from before")
                + ". Fetched and stored: \(visit.count(.stored)) (\(fromOrigin)); from the store at once: \(hits)."
        }
    }

    private func controlExplanation(_ visit: VisitOutcome) -> String {
        guard visit.hasLoaded else { return "There is no page: \(visit.problem)." }
        let bytes = visit.origin.map { "\(ByteCount($0.bytes)) from the origin" }
        let own = visit.result.ownCacheAnswers(besides: [])
        return
            (own == 0
            ? "Nothing came from the web view's own cache" : "\(own) answers came from the web view's own cache")
            + (bytes.map { "; " + $0 } ?? "") + "."
    }
}
