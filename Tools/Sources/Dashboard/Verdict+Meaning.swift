import CacheRules

extension Verdict {
    /// What it does, for someone who reads a terminal; the cases' own comments say it in full.
    var meaning: String {
        switch self {
        case .neverStore: "Always from the origin; nothing is stored, and what was stored is removed."
        case .reload(.local): "Always from the origin; what comes is stored."
        case .reload(.everyCache): "Always from the origin, past every cache on the way; what comes is stored."
        case .revalidate: "What is stored is used only once the origin has confirmed it."
        case .fresh: "What is stored counts as fresh for that long, whatever it says itself."
        case .permanent: "What is stored never changes: it answers whatever its age, and the origin is not asked."
        case .cacheFirst: "From the store whatever the age; from the origin only where nothing is stored."
        case .networkFirst(nil): "From the origin; from the store if the origin fails."
        case .networkFirst: "From the origin; from the store if the origin fails or takes longer than that."
        case .staleWhileRevalidate(nil): "From the store at once; where it is stale, the origin is asked behind it."
        case .staleWhileRevalidate:
            "From the store at once; where it is stale by no more than that, the origin is asked behind it."
        case .staleIfError: "By the protocol; if the origin fails, from the store if stale by no more than that."
        case .onlyIfStored: "From the store whatever the age; the origin is not asked."
        case .bypass: "Handed through: the store is neither asked nor filled."
        case .storeOnlyIfExplicit: "By the protocol, but stored only where the response says how long it is fresh."
        case .followProtocol: "By the protocol, RFC 9111, and nothing else."
        }
    }
}
