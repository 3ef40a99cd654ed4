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
