/// How a request wants the cache to be used, in addition to its fields: the cache modes of the Fetch standard §2.2.5
/// and Foundation's `NSURLRequest.CachePolicy`. Each has six behaviours, and they share five.
package enum CacheMode: String, Hashable, Sendable, CaseIterable {
    /// Fetch `default`, `useProtocolCachePolicy`: RFC 9111.
    case protocolDefault = "default"
    /// Fetch `no-store`: neither look up nor store, and ask caches on the way not to either.
    case noStore = "no-store"
    /// Fetch `reload`, `reloadIgnoringLocalAndRemoteCacheData`: no look-up here or on the way; the answer is stored.
    case reload
    /// `reloadIgnoringLocalCacheData`: no look-up here; caches on the way may answer; the answer is stored.
    case reloadIgnoringLocal = "reload-ignoring-local"
    /// Fetch `no-cache`, `reloadRevalidatingCacheData`: a stored response is used only after successful validation.
    case revalidate = "no-cache"
    /// Fetch `force-cache`, `returnCacheDataElseLoad`: a stored response at any age, else the origin's.
    case preferStored = "force-cache"
    /// Fetch `only-if-cached`, `returnCacheDataDontLoad`: a stored response at any age, else none.
    case onlyIfStored = "only-if-cached"

    /// - Parameter fetchMode: The `cache` member of a fetch request, exactly as Fetch spells it.
    package init?(fetchMode: String) {
        guard let mode = CacheMode(rawValue: fetchMode), mode != .reloadIgnoringLocal else { return nil }
        self = mode
    }

    /// - Parameter requestCachePolicy: The raw value of an `NSURLRequest.CachePolicy`, 0 to 5.
    package init?(requestCachePolicy: UInt) {
        switch requestCachePolicy {
        case 0: self = .protocolDefault
        case 1: self = .reloadIgnoringLocal
        case 2: self = .preferStored
        case 3: self = .onlyIfStored
        case 4: self = .reload
        case 5: self = .revalidate
        default: return nil
        }
    }

    /// Whether the store may answer at all.
    package var looksUp: Bool {
        switch self {
        case .noStore, .reload, .reloadIgnoringLocal: false
        case .protocolDefault, .revalidate, .preferStored, .onlyIfStored: true
        }
    }

    /// Whether a stored response answers at any age.
    package var acceptsAnyAge: Bool { self == .preferStored || self == .onlyIfStored }
}
