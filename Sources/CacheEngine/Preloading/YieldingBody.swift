import HTTPTypes
import Locking

/// The content of a preload from the network: it is not read while pages use the network, so that back-pressure leaves
/// the line to them, and its bytes are counted. It breaks off when nothing comes for a while: nobody looks on, and a
/// page may be waiting.
final class YieldingBody: TrailerSource {
    /// The longest time without a byte.
    static let silence = Duration.seconds(30)

    private struct State {
        var isCancelled = false
        var isSilent = false
    }

    private let source: any BodySource
    private let cache: ResponseCache
    private let terms: PreloadTerms
    private let state = LockedBox(State())

    init(_ source: any BodySource, _ cache: ResponseCache, _ terms: PreloadTerms) {
        (self.source, self.cache, self.terms) = (source, cache, terms)
    }

    var trailers: HTTPFields? { (source as? any TrailerSource)?.trailers }

    func next() async throws -> [UInt8]? {
        try await cache.traffic.waitForQuiet { terms.isRaised || state.withLock { $0.isCancelled } }
        let timer = Task { [cache, source, state] in
            try await cache.sleep(Self.silence)
            state.withLock { $0.isSilent = true }
            source.cancel()
        }
        defer { timer.cancel() }
        do {
            guard let bytes = try await source.next() else { return nil }
            terms.received(bytes.count)
            return bytes
        } catch {
            guard state.withLock({ $0.isSilent }) else { throw error }
            throw TransportError(code: .closedEarly, message: "Nothing more of the response came for half a minute.")
        }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        source.cancel()
        cache.traffic.wake()
    }
}
