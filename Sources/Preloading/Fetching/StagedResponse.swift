import HTTPCacheSemantics

/// A response that was fetched and verified, and does not take its place yet.
struct StagedResponse: Sendable {
    /// When a verified response takes its place.
    enum Hold: Hashable, Sendable {
        case never
        /// Later, if it takes the place of another response.
        case replacementsOnly
        case always
    }

    var hops: [PreloadFetch.Hop]
    var source: PreloadEvent.Source
    /// Bytes that came from the network for it.
    var received = ByteCount.zero

    /// Whether another response is in its place.
    var replaces: Bool { hops.contains { $0.replaces } }
}

extension PreloadFetch.Outcome {
    /// Those of what is in its place.
    var keys: [CacheKey] { if case .verified(let keys, _) = self { keys } else { [] } }
}
