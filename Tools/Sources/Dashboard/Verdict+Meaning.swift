import CacheRules

extension Verdict {
    /// Its effect, for someone who reads a terminal; the cases' own comments say it in full.
    var meaning: String {
        switch self {
        case .neverStore: "The origin always answers; nothing is stored, and what was stored is removed."
        case .reload(.local): "The origin always answers, and its response is stored."
        case .reload(.everyCache):
            "The origin always answers, past every cache on the way, and its response is stored."
        case .revalidate: "A stored response is used only after the origin has confirmed it."
        case .fresh: "A stored response counts as fresh for that long, whatever it says itself."
        case .permanent: "The stored response never changes: it answers whatever its age, and the origin is not asked."
        case .cacheFirst: "A stored response answers whatever its age; without one, the origin does."
        case .networkFirst(nil): "The origin answers; if it fails, a stored response does."
        case .networkFirst: "The origin answers; if it fails or takes longer than that, a stored response does."
        case .staleWhileRevalidate(nil):
            "A stored response answers at once; if it is stale, it is validated in the background."
        case .staleWhileRevalidate:
            "A stored response answers at once; if it is stale by no more than that, it is validated in the background."
        case .snapshot:
            "A page opens as it was fetched with its files; a newer one is shown once all of its own files are stored."
        case .staleIfError:
            "The protocol decides; if the origin fails, a stored response answers that is stale by no more than that."
        case .onlyIfStored: "A stored response answers whatever its age; the origin is never asked."
        case .bypass: "The origin answers; the store is neither read nor written."
        case .storeOnlyIfExplicit:
            "The protocol decides, but a response is stored only if it states how long it is fresh."
        case .followProtocol: "The protocol, RFC 9111, decides alone."
        }
    }
}
