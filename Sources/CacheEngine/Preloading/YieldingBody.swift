import HTTPTypes
import Locking

/// The content of a preload from the network: it is not read while pages use the network, so that back-pressure leaves
/// the line to them, and its bytes are counted.
final class YieldingBody: TrailerSource {
    private let source: any BodySource
    private let cache: ResponseCache
    private let terms: PreloadTerms
    private let isCancelled = LockedBox(false)

    init(_ source: any BodySource, _ cache: ResponseCache, _ terms: PreloadTerms) {
        (self.source, self.cache, self.terms) = (source, cache, terms)
    }

    var trailers: HTTPFields? { (source as? any TrailerSource)?.trailers }

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
