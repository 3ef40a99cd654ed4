import HTTPCacheSemantics
import Locking

/// A cookie store, such as a web view's own. An adapter implements this and decides nothing: ``CookieBridge`` does.
package protocol CookieStoring: Sendable {
    /// The cookies that may go to a URL's host, oldest first if the store knows.
    ///
    /// At least those whose domain is the host or above it, also with `Secure`, HttpOnly, or another path than the
    /// URL's. More do no harm, and all of the registrable domain is best: an http response can then not stand in for a
    /// `Secure` cookie of a host below (RFC 6265bis §5.7 step 16). A cookie whose partition the store can't tell
    /// must be left out.
    func cookies(for url: String) async -> [Cookie]

    /// Inserts the cookies, each in the place of the one that ``Cookie/isSameCookie(as:)`` finds, and returns once
    /// ``cookies(for:)`` sees them.
    ///
    /// A store without partitions must leave partitioned cookies out: without their partition they would tell one
    /// top-level site what the user does on another.
    func set(_ cookies: [Cookie]) async

    /// Removes those cookies that ``Cookie/isSameCookie(as:)`` finds. Others of the list are ignored.
    func remove(_ cookies: [Cookie]) async
}

/// A cookie store in memory, for tests and for hosts that have none. Its session ends with the object.
///
/// It never holds more than its limits. Beyond them, cookies are evicted in the order of RFC 6265bis §5.7: the flood of
/// one site costs that site's own cookies.
package final class MemoryCookieStore: CookieStoring {
    private let table: LockedBox<CookieTable>
    private let now: @Sendable () -> WallInstant

    /// - Parameters:
    ///   - domainLimit: How many cookies the hosts of one registrable domain share, at least 1. §6.1 asks for 50 or
    ///     more.
    ///   - limit: How many cookies there are in all, at least 1. §6.1 asks for 3000 or more.
    ///   - policy: Finds registrable domains.
    ///   - now: The wall clock; expired cookies are neither returned nor kept.
    package init(
        domainLimit: Int = 180, limit: Int = 3_000, policy: CookiePolicy,
        now: @escaping @Sendable () -> WallInstant
    ) {
        table = LockedBox(CookieTable(domainLimit: max(1, domainLimit), limit: max(1, limit), policy: policy))
        self.now = now
    }

    /// The unexpired cookies of the URL's registrable domain, oldest first. Those that match the URL count as used now.
    package func cookies(for url: String) async -> [Cookie] {
        let now = now()
        return table.withLock { $0.cookies(for: url, at: now) }
    }

    package func set(_ cookies: [Cookie]) async {
        let now = now()
        table.withLock { table in
            for cookie in cookies { table.insert(cookie, at: now) }
        }
    }

    package func remove(_ cookies: [Cookie]) async {
        table.withLock { table in
            for cookie in cookies { table.remove(cookie) }
        }
    }

    /// All unexpired cookies, in no particular order.
    package var all: [Cookie] {
        let now = now()
        return table.withLock { $0.all.filter { !$0.isExpired(at: now) } }
    }
}
