import HTTPCacheSemantics
import Locking

@testable import Fetching

/// A cookie store in memory.
final class MemoryCookieStore: CookieStoring {
    private let cookies = LockedBox<[Cookie]>([])
    private let policy: CookiePolicy
    private let now: @Sendable () -> WallInstant

    init(policy: CookiePolicy, now: @escaping @Sendable () -> WallInstant) {
        (self.policy, self.now) = (policy, now)
    }

    func cookies(for url: String) async -> [Cookie] {
        guard let target = CookieTarget(url) else { return [] }
        let domain = policy.registrableDomain(of: target.host)
        return all.filter { policy.registrableDomain(of: $0.domain) == domain }
    }

    func set(_ cookies: [Cookie]) async {
        self.cookies.withLock { kept in
            for cookie in cookies {
                if let place = kept.firstIndex(where: { $0.isSameCookie(as: cookie) }) {
                    kept[place] = cookie
                } else {
                    kept.append(cookie)
                }
            }
        }
    }

    func remove(_ cookies: [Cookie]) async {
        self.cookies.withLock { kept in
            kept.removeAll { cookie in cookies.contains { $0.isSameCookie(as: cookie) } }
        }
    }

    /// Those that are not expired.
    var all: [Cookie] {
        let now = now()
        return cookies.withLock { $0.filter { !$0.isExpired(at: now) } }
    }
}
