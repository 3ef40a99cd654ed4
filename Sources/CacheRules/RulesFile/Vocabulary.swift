/// The keys of a rules file.
enum FileKey: String, CaseIterable {
    /// The schema's address, for editors; without effect.
    case schema = "$schema"
    case rules, keys
}

/// The keys of an entry that includes Larder's own rules.
enum IncludeKey: String, CaseIterable { case include, without }

/// The sets of rules that an entry can include.
enum IncludeName: String, CaseIterable {
    case webViewSafeguards = "web-view-safeguards"
    case webViewDefaults = "web-view-defaults"

    var list: RuleList {
        switch self {
        case .webViewSafeguards: .webViewSafeguards
        case .webViewDefaults: .webViewDefaults
        }
    }
}

/// The keys of a rule, in the order in which they are printed.
enum RuleKey: String, CaseIterable {
    case name, note, verdict, `for`, timeout, caches, ignoring, expiry
    case validateWith = "validate-with"
    case tags, when
}

/// The keys of a rule for cache keys, in the order in which they are printed.
enum KeyRuleKey: String, CaseIterable {
    case name
    case dropTracking = "drop-tracking"
    case dropQuery = "drop-query"
    case sortQuery = "sort-query"
    case normalizeEscapes = "normalize-escapes"
    case target, when
}

/// The keys of a condition, in the order in which conditions are evaluated and printed.
enum ConditionKey: String, CaseIterable {
    case connectivity, method, destination, host
    case fileExtension = "file-extension"
    case hashedName = "hashed-name"
    case pathPrefix = "path-prefix"
    case path, query
    case requestHeader = "request-header"
    case freshness
    case contentType = "content-type"
    case responseHeader = "response-header"
    case all, any, not
}

/// The names of the verdicts, ours and Workbox's.
enum VerdictName: String, CaseIterable {
    case neverStore = "never-store"
    case reload, revalidate, fresh, permanent
    case cacheFirst = "cache-first"
    case networkFirst = "network-first"
    case staleWhileRevalidate = "stale-while-revalidate"
    case snapshot
    case staleIfError = "stale-if-error"
    case onlyIfStored = "only-if-stored"
    case bypass
    case storeOnlyIfExplicit = "store-only-if-explicit"
    case followProtocol = "follow-protocol"
    case workboxCacheFirst = "CacheFirst"
    case workboxCacheOnly = "CacheOnly"
    case workboxNetworkFirst = "NetworkFirst"
    case workboxNetworkOnly = "NetworkOnly"
    case workboxStaleWhileRevalidate = "StaleWhileRevalidate"

    /// The keys for its details.
    var details: [RuleKey] {
        switch self {
        case .reload: [.caches]
        case .fresh, .staleWhileRevalidate, .workboxStaleWhileRevalidate, .staleIfError: [.for]
        case .networkFirst, .workboxNetworkFirst: [.timeout]
        default: []
        }
    }

    /// Whether it requires its detail.
    var needsDetail: Bool { self == .fresh || self == .staleIfError }
}

extension Verdict {
    var fileName: VerdictName {
        switch self {
        case .neverStore: .neverStore
        case .reload: .reload
        case .revalidate: .revalidate
        case .fresh: .fresh
        case .permanent: .permanent
        case .cacheFirst: .cacheFirst
        case .networkFirst: .networkFirst
        case .staleWhileRevalidate: .staleWhileRevalidate
        case .snapshot: .snapshot
        case .staleIfError: .staleIfError
        case .onlyIfStored: .onlyIfStored
        case .bypass: .bypass
        case .storeOnlyIfExplicit: .storeOnlyIfExplicit
        case .followProtocol: .followProtocol
        }
    }
}

/// `fresh for 7d`, `never-store`: the names of a rules file, also in reports and in `larder explain`.
extension Verdict: CustomStringConvertible {
    public var description: String {
        let name = fileName.rawValue
        func text(_ duration: Duration) -> String { DurationText.print(duration) ?? "\(duration)" }
        switch self {
        case .fresh(let duration), .staleWhileRevalidate(let duration?), .staleIfError(let duration):
            return "\(name) for \(text(duration))"
        case .networkFirst(let timeout?): return "\(name) within \(text(timeout))"
        case .reload(.everyCache): return "\(name) past all caches"
        default: return name
        }
    }
}
