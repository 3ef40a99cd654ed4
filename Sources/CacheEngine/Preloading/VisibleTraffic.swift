import HTTPTypes
import Locking

/// The exchanges of pages that use the network now. What is fetched ahead of need gives way to them.
package final class VisibleTraffic: Sendable {
    typealias Visit = Int

    /// How long one exchange counts. A long poll, a download or a live stream must not stop all preloading.
    static let longest = Duration.seconds(10)
    /// How long the quiet must last: between a page and its resources there are short gaps.
    static let pause = Duration.milliseconds(250)

    private struct State {
        /// When each exchange began, on the uptime clock.
        var visits: [Visit: Duration] = [:]
        var lastVisit = 0
        var lastEnd: Duration?
        var waiting = Waiters<Void>()
    }

    private let clock: EngineClock
    private let state = LockedBox(State())

    init(clock: EngineClock) { self.clock = clock }

    func begin() -> Visit {
        let now = clock.uptime()
        return state.withLock { state in
            state.lastVisit += 1
            state.visits[state.lastVisit] = now
            return state.lastVisit
        }
    }

    /// Ending it again does nothing.
    func end(_ visit: Visit) {
        let now = clock.uptime()
        let isLast = state.withLock { state in
            guard state.visits.removeValue(forKey: visit) != nil else { return false }
            state.lastEnd = now
            return state.visits.isEmpty
        }
        if isLast { wake() }
    }

    /// Lets those who wait look again.
    func wake() { state.withLock { $0.waiting.wake(()) } }

    /// Whether no page uses the network.
    package var isQuiet: Bool { remaining() == nil }

    /// How long it takes at least until there is quiet, if nothing else happens; `nil` if there is.
    private func remaining() -> Duration? {
        let now = clock.uptime()
        return state.withLock { state in
            let ends = state.visits.values.map { $0 + Self.longest }
            let end = max(ends.max() ?? now, state.lastEnd.map { $0 + Self.pause } ?? now)
            return end > now ? end - now : nil
        }
    }

    /// Returns once no page uses the network.
    ///
    /// - Parameter isReleased: Ends the waiting; to be followed by ``wake()`` when it changes.
    package func waitForQuiet(unless isReleased: @Sendable () -> Bool) async throws {
        while !isReleased(), let remaining = remaining() {
            try Task.checkCancellation()
            let changes = state.withLock { $0.waiting.add() }
            // After it waits, so that no change is missed.
            if isReleased() || self.remaining() == nil { break }
            let timer = Task { [weak self, clock] in
                try await clock.sleep(remaining)
                self?.wake()
            }
            for await _ in changes {}
            timer.cancel()
        }
        try Task.checkCancellation()
    }
}

/// The content of a preload from the network: it is not read while pages use the network, so that back-pressure leaves
/// the line to them, and its bytes are counted.
final class YieldingBody: BodySource {
    private let source: any BodySource
    private let cache: ResponseCache
    private let terms: PreloadTerms
    private let isCancelled = LockedBox(false)

    init(_ source: any BodySource, _ cache: ResponseCache, _ terms: PreloadTerms) {
        (self.source, self.cache, self.terms) = (source, cache, terms)
    }

    var trailers: HTTPFields? { source.trailers }

    func next() async throws -> [UInt8]? {
        try await cache.traffic.waitForQuiet { terms.isPromoted || isCancelled.withLock { $0 } }
        guard let bytes = try await source.next() else { return nil }
        terms.received(bytes.count)
        return bytes
    }

    func cancel() {
        isCancelled.withLock { $0 = true }
        source.cancel()
        cache.traffic.wake()
    }
}
