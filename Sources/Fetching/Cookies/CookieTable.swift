import HTTPCacheSemantics

/// The cookies of a ``MemoryCookieStore`` by registrable domain, with the eviction of RFC 6265bis §5.7.
struct CookieTable: Sendable {
    private struct Entry: Sendable {
        var cookie: Cookie
        /// The last-access-time, counted in uses rather than read from a clock.
        var lastUse: UInt64
    }

    /// In the order of creation.
    private var domains: [String: [Entry]] = [:]
    private var uses: UInt64 = 0
    private(set) var count = 0
    private let domainLimit: Int
    private let limit: Int
    private let policy: CookiePolicy

    /// "At least 50 cookies per domain" (§6.1): domains with more lose theirs first when the whole table is full.
    private static let domainShare = 50

    init(domainLimit: Int, limit: Int, policy: CookiePolicy) {
        self.domainLimit = domainLimit
        self.limit = limit
        self.policy = policy
    }

    var all: [Cookie] { domains.values.flatMap { $0.map(\.cookie) } }

    mutating func cookies(for url: String, at now: WallInstant) -> [Cookie] {
        guard let target = CookieTarget(url) else { return [] }
        let domain = policy.registrableDomain(of: target.host)
        removeExpired(of: domain, at: now)
        guard var entries = domains[domain] else { return [] }
        uses += 1
        for index in entries.indices {
            let cookie = entries[index].cookie
            if target.isCovered(by: cookie), CookieTarget.path(target.path, matches: cookie.path),
                target.isSecure || !cookie.isSecure
            {
                entries[index].lastUse = uses
            }
        }
        domains[domain] = entries
        return entries.map(\.cookie)
    }

    mutating func insert(_ cookie: Cookie, at now: WallInstant) {
        guard !cookie.isExpired(at: now) else { return remove(cookie) }
        let domain = policy.registrableDomain(of: cookie.domain)
        uses += 1
        let entry = Entry(cookie: cookie, lastUse: uses)
        if let index = domains[domain]?.firstIndex(where: { $0.cookie.isSameCookie(as: cookie) }) {
            // "Update the creation-time of the newly-created cookie to match": it keeps its place (step 23).
            domains[domain]?[index] = entry
        } else {
            domains[domain, default: []].append(entry)
            count += 1
            evict(from: domain, at: now)
        }
    }

    mutating func remove(_ cookie: Cookie) {
        removeAll(of: policy.registrableDomain(of: cookie.domain)) { $0.isSameCookie(as: cookie) }
    }

    private mutating func removeExpired(of domain: String, at now: WallInstant) {
        removeAll(of: domain) { $0.isExpired(at: now) }
    }

    private mutating func removeAll(of domain: String, where condition: (Cookie) -> Bool) {
        guard let entries = domains[domain], entries.contains(where: { condition($0.cookie) }) else { return }
        let kept = entries.filter { !condition($0.cookie) }
        count -= entries.count - kept.count
        domains[domain] = kept.isEmpty ? nil : kept
    }

    /// Brings one domain, then the whole table, back to its limit.
    private mutating func evict(from domain: String, at now: WallInstant) {
        if domains[domain].map({ $0.count > domainLimit }) ?? false {
            removeExpired(of: domain, at: now)
            while domains[domain].map({ $0.count > domainLimit }) ?? false { removeFirst(in: [domain]) }
        }
        guard count > limit else { return }
        for domain in domains.keys { removeExpired(of: domain, at: now) }
        while count > limit {
            let crowded = domains.filter { $0.value.count > Self.domainShare }.map(\.key)
            removeFirst(in: crowded.isEmpty ? Array(domains.keys) : crowded, insecureFirst: !crowded.isEmpty)
        }
    }

    /// Removes the cookie that these domains lose first: one without `Secure`, and of those the one unused the longest.
    private mutating func removeFirst(in names: [String], insecureFirst: Bool = true) {
        var first: (domain: String, index: Int, rank: (Int, UInt64))?
        for name in names {
            for (index, entry) in (domains[name] ?? []).enumerated() {
                let rank = (insecureFirst && entry.cookie.isSecure ? 1 : 0, entry.lastUse)
                if first.map({ rank < $0.rank }) ?? true { first = (name, index, rank) }
            }
        }
        guard let first else { return }
        domains[first.domain]?.remove(at: first.index)
        if domains[first.domain]?.isEmpty == true { domains[first.domain] = nil }
        count -= 1
    }
}
