import CacheEngine
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import PageSyntax
import Preloading

/// Fetching ahead of need, so that pages find what they ask for.
///
/// There is one queue and one budget (``LarderConfiguration/preloadBytesPerDay``). Requests come in
/// sets with names; a set that is preloaded again has its list replaced. A response that is stored
/// already and still right is not fetched again. Pages come first. On an expensive network and in
/// low-power mode only ``Preloading/PreloadGroup/boot`` is fetched, on a constrained one nothing.
/// Everything is fetched without cookies, for the current ``account`` alone: changing it ends
/// fetching for the one before. Call `preload` again after changing ``account``.
///
/// Each `preload` returns when all of its set is verified or refused, or when only another network or another day would
/// help. What waits for that goes on by itself while the ``Larder`` lives. When its task is cancelled, the set rests
/// until it is preloaded again, which goes on where it broke off: so run it in the task of a background task of the
/// system, and cancel that task when the system's time is up.
extension Larder {
    /// Fetches URLs ahead of need. What each is for is guessed by its extension; one without is a document.
    ///
    /// - Parameters:
    ///   - set: Its name; `app:urls` unless set. Of earlier URLs of the same set, those that are not listed any more
    ///     lose their pins.
    ///   - withFiles: Whether all is fetched as well that pages among them name in HTML, style sheets, modules and
    ///     `Link` fields (RFC 8288), up to 1,000 files; no unless set. Nothing runs, so what scripts fetch is left. A
    ///     page that replaces a stored one is put in place with its files in one change.
    ///   - screen: The size of the web view in points, and its `displayScale`: of an image's candidates (`srcset`,
    ///     `picture`, HTML §4.8.4.2) the one is fetched that it will ask for. All are fetched unless set.
    /// - Returns: How far it has come. URLs that are neither http nor https are among those refused.
    @discardableResult
    public func preload(
        _ urls: [URL], group: PreloadGroup = .page, set: String = "app:urls", withFiles: Bool = false,
        screen: (width: Double, height: Double, density: Double)? = nil
    ) async -> PreloadOutcome {
        let screen = screen.map { PageScreen(width: $0.width, height: $0.height, density: $0.density) }
        let items = urls.map { PreloadItem(url: Self.text($0), group: group).withFiles(withFiles, for: screen) }
        return await preloads.current().preload(items, set: set)
    }

    /// Fetches what a plain list names, a URL a line, see ``Preloading/PreloadList``.
    ///
    /// - Parameter set: Its name; `app:list` unless set.
    /// - Throws: `PreloadListError` for a list that can't be read.
    @discardableResult
    public func preload(
        list: Data, group: PreloadGroup = .page, set: String = "app:list"
    ) async throws -> PreloadOutcome {
        let items = try PreloadList.read(Array(list), group: group)
        return await preloads.current().preload(items, set: set)
    }

    /// Fetches what a page of preload links (`<link rel=preload>`) names, see ``Preloading/PreloadPage``. The set has
    /// the page's URL as its name.
    ///
    /// - Parameter page: https, or http on loopback. Redirects are not followed.
    /// - Throws: `PreloadPageError` for a page that can't be had, or that holds more than preload links.
    @discardableResult
    public func preload(linksOf page: URL, group: PreloadGroup = .page) async throws -> PreloadOutcome {
        let (url, session) = (Self.text(page), await preloads.current())
        return await session.preload(try await session.queue.items(ofPage: url, group: group), set: url)
    }

    /// Looks for a newer manifest, and fetches what the release for this installation lists. The set has its
    /// ``LarderManifest/id`` as its name. What the head turns off (`larder manifest change --turn-off`), modes of web
    /// views and hosts, is turned off from then on, and at each later start.
    ///
    /// - Throws: `ManifestUpdateError`: the head or its list can't be had or is refused. What was accepted before stays
    ///   in force, and is still fetched.
    @discardableResult
    public func preload(manifest: LarderManifest) async throws -> PreloadOutcome {
        try await preloads.current().preload(manifest)
    }

    /// Copies the responses of a seed into the store, without a network, for the current ``account``. Call it at each
    /// start: what is stored already is not copied again, and what the store has that is newer than the seed stays.
    /// Copied files are pinned.
    ///
    /// - Parameters:
    ///   - seed: A file as `larder seed build` makes it, such as one in the app's bundle. It stays as it is.
    ///   - manifest: The one that updates the same files. The manifest in the seed then has to be signed by its keys,
    ///     and no head that is older is accepted from then on. `nil` does not look at the manifest in the seed.
    /// - Returns: How many files were copied, and which were not, and why. Copying ends early where the disk is full,
    ///   where the task is cancelled and where ``account`` changes: `SeedSummary.stopped` says so, and the next call
    ///   goes on.
    /// - Throws: `SeedError` for a file that can't be read, or whose manifest is refused; `ManifestUpdateError` for a
    ///   `manifest` without a usable key. Nothing that was stored before is lost.
    @discardableResult
    public func preload(seed: URL, manifest: LarderManifest? = nil) async throws -> SeedSummary {
        let opened = try Seed(path: seed.path)
        return try await preloads.current().fill(from: opened, manifest)
    }

    /// Says that the user will probably open a page, such as when its link comes into view. Returns at once, and may be
    /// called often: the same page counts once a minute, and the last 16 are kept in mind.
    ///
    /// The page's resources, by the manifests that this ``Larder`` has preloaded, are fetched next,
    /// after those that every page needs. The document itself is fetched too. It is kept if its
    /// `Cache-Control` and ``rules`` let it be stored, and if it does not vary by cookies.
    ///
    /// The request is a GET like a page's own, but without cookies and with
    /// `Sec-Purpose: prefetch`. So name no URL whose GET changes something, such as one that signs
    /// out, unless a manifest that was preloaded marks it (`sideEffects`), and none whose document
    /// differs for a signed-in user without saying so in `Vary` or `Cache-Control`.
    ///
    /// - Parameter url: Others than http and https are ignored.
    public func willProbablyOpen(_ url: URL) {
        guard (try? HTTPRequest(getting: url)) != nil else { return }
        let (page, preloads) = (Self.text(url), preloads)
        guard preloads.shouldExpect(page) else { return }
        let account = account ?? ""
        Task {
            let session = await preloads.current()
            // The user may have changed since.
            if session.account == account { await session.expect(page) }
        }
    }

    // MARK: Watching and ending

    /// The ``Preloading/ManifestUpdate/serial`` of the release that pages see, such as for an app's metrics. A newer
    /// one takes its place once all that its pages can reach is there.
    ///
    /// - Parameter manifest: Its ``LarderManifest/id`` counts alone.
    /// - Returns: `nil` before the first release, and after the publisher has turned it off or the app has removed it.
    /// - Throws: `StoreError` where the state of preloading is damaged.
    public func serialInForce(of manifest: LarderManifest) throws -> Int64? {
        try preloads.files.manifestState(of: manifest.id).flatMap { $0.shown > 0 ? $0.shown : nil }
    }

    /// The events of fetching ahead of need, from now on, for all sets and accounts. Each call
    /// makes a sequence of its own; one that is read too slowly loses the oldest events.
    public var preloadEvents: AsyncStream<PreloadEvent> { preloads.events.stream() }

    /// The bytes spent today of ``LarderConfiguration/preloadBytesPerDay``, and the limit.
    public var preloadBudget: PreloadBudget {
        get async { await preloads.current().queue.budget }
    }

    /// Stops fetching a set. What has wholly arrived stays, pinned in its name; a beginning does not.
    public func cancelPreloads(set: String) async {
        await preloads.current().queue.cancel(set: set)
    }

    /// Stops fetching a set and ends its pins. The content stays until the space is needed.
    ///
    /// - Throws: `StoreError` when the store can't be written.
    public func removePreloads(set: String) async throws {
        try await preloads.current().remove(set)
    }

    /// Without user, password and fragment.
    private static func text(_ url: URL) -> String {
        guard let head = try? HTTPRequest(getting: url), let scheme = head.scheme, let authority = head.authority else {
            return url.absoluteString
        }
        return TargetURI.normalized(scheme: scheme, authority: authority, path: head.path ?? "/")
    }
}
