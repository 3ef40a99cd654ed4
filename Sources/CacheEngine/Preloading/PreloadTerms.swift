import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking

/// The terms of an exchange that fetches ahead of need, while nobody waits.
///
/// A *staged* one stores under a key of its own, which no other request has: what it stores is unverified, and becomes
/// visible only by ``ResponseCache/publish(_:)``.
package final class PreloadTerms: Sendable {
    private struct State {
        var isPromoted = false
        var received: Int64 = 0
        /// Counts as a page's own traffic from when a page waits for it.
        var visit: VisibleTraffic.Visit?
        var hasEnded = false
    }

    /// Fields that are sent, but are not part of the stored request, such as `Sec-Purpose`.
    package let sentFields: HTTPFields
    package let isStaged: Bool
    /// The content that is expected: two preloads of one URL that expect two contents don't share what is staged.
    private let stage: String
    private let state = LockedBox(State())

    package init(sentFields: HTTPFields, isStaged: Bool, stage: String = "") {
        (self.sentFields, self.stage) = (sentFields, stage)
        self.isStaged = isStaged
    }

    /// Whether a page waits for this exchange, so that it does not give way to pages any more.
    package var isPromoted: Bool { state.withLock { $0.isPromoted } }

    /// Bytes of content that came from the network.
    package var receivedBytes: Int64 { state.withLock { $0.received } }

    func received(_ count: Int) { state.withLock { $0.received += Int64(count) } }

    /// Notes that a page waits for this exchange.
    func promote(in traffic: VisibleTraffic) {
        let isFirst = state.withLock { state in
            defer { state.isPromoted = true }
            return !state.isPromoted && !state.hasEnded
        }
        guard isFirst else { return }
        let visit = traffic.begin()
        let isOver = state.withLock { state in
            if !state.hasEnded { state.visit = visit }
            return state.hasEnded
        }
        if isOver { traffic.end(visit) }
        traffic.wake()
    }

    func end(in traffic: VisibleTraffic) {
        let visit = state.withLock { state in
            state.hasEnded = true
            defer { state.visit = nil }
            return state.visit
        }
        if let visit { traffic.end(visit) }
    }

    /// The site of a staged key. No document has such a site.
    func stagedSite(_ site: String) -> String { "preload:" + stage + site }
}
