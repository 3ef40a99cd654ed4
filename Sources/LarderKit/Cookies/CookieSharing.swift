import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A place that keeps cookies.
@MainActor
protocol CookiePlace {
    func cookies() async -> [HTTPCookie]
    func set(_ cookie: HTTPCookie) async
    func remove(_ cookie: HTTPCookie) async
}

/// Web views and the app's own sessions that have the same cookies, until this is let go of or the `Larder`'s account
/// changes; then both places stay as they are.
@MainActor
public final class CookieSharing {
    private let web: any CookiePlace
    private let app: any CookiePlace
    private let sites: [String]
    private let isCurrent: () -> Bool
    private var merge = CookieMerge()
    private var isRunning = false
    private var isAskedAgain = false
    /// Ends the watching of both places; `nil` once it is over.
    private var watching: Watching?

    /// Ends with its owner.
    final class Watching: Sendable {
        private let end: @Sendable () -> Void
        init(end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    /// - Parameters:
    ///   - sites: Domains; cookies of these and of all below are shared.
    ///   - isCurrent: Whether the account is still the one for which it began.
    ///   - watch: Has the closure called after each change at a place.
    init(
        web: any CookiePlace, app: any CookiePlace, sites: [String], isCurrent: @escaping () -> Bool,
        watch: (_ changed: @escaping @MainActor () -> Void) -> Watching
    ) {
        (self.web, self.app, self.isCurrent) = (web, app, isCurrent)
        self.sites = sites.map { $0.lowercased() }
        watching = watch { [weak self] in
            guard let self else { return }
            Task { await self.share() }
        }
    }

    /// Returns once both places have the same, or another call sees to it.
    func share() async {
        guard !isRunning else {
            isAskedAgain = true
            return
        }
        isRunning = true
        defer { isRunning = false }
        repeat {
            isAskedAgain = false
            let (ofWeb, ofApp) = await cookies()
            if !isCurrent() { watching = nil }
            guard watching != nil else { return }
            let changes = merge.step(ofWeb, ofApp)
            await apply(changes.first, to: web)
            await apply(changes.second, to: app)
            let (web, app) = await cookies()
            merge.settle(changes, web, app)
        } while isAskedAgain
    }

    private func cookies() async -> (web: [HTTPCookie], app: [HTTPCookie]) {
        (await web.cookies().filter(isOfSites), await app.cookies().filter(isOfSites))
    }

    private func apply(_ change: CookieMerge.Change, to place: any CookiePlace) async {
        for cookie in change.removed { await place.remove(cookie) }
        // Nobody gets the session of the user before.
        for cookie in change.set where isCurrent() { await place.set(cookie) }
    }

    private func isOfSites(_ cookie: HTTPCookie) -> Bool {
        let domain = cookie.domain.lowercased().drop { $0 == "." }
        return sites.contains { domain == $0 || domain.hasSuffix("." + $0) }
    }
}

/// Cookies of sessions.
struct SessionCookies: CookiePlace {
    let storage: HTTPCookieStorage

    func cookies() -> [HTTPCookie] { storage.cookies ?? [] }
    func set(_ cookie: HTTPCookie) { storage.setCookie(cookie) }
    func remove(_ cookie: HTTPCookie) { storage.deleteCookie(cookie) }
}
