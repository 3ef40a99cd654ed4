import CacheEngine
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Other addresses of listed documents.
///
/// The host's answer there is found out with the first release; later ones take it as known, so that an update costs
/// no request for each of them. Pages that are opened online ask the host as ever.
extension PreloadFetch {
    /// - Parameter stored: The response at the other address.
    /// - Returns: `nil` where nothing is known, or the file is not there yet: then the origin is asked.
    func knownAnswer(_ hop: inout Hop, _ stored: StoredEntry?) async -> Step? {
        guard let url = item.otherAddressOf, hop.url == self.hop(to: item.url)?.url, let file = self.hop(to: url)
        else { return nil }
        let inPlace = await cache.stored(for: file.request)?.entry
        guard let stored else {
            // A page that a visit had stored may be of no earlier release.
            guard let tags = inPlace?.response.tags, tags.contains(where: VerifiedContent.isTag),
                !tags.contains(VerifiedContent.visited)
            else { return nil }
            return .ended(
                .refused(PreloadRefusal(.status, "The host did not answer there with the file of an earlier release.")))
        }
        guard stored.response.status == .ok, stored.response.tags.contains(where: VerifiedContent.isTag) else {
            return nil
        }
        for source in [await cache.staged(file.staged), inPlace] {
            if let source, await copy(source, to: &hop) { return .found(.store) }
        }
        return nil
    }

    static let elsewhere = PreloadRefusal(.status, "The host answers there with a redirect to something else.")

    /// Whether a redirect is followed: from another address, to the file alone, in any spelling, as what is staged
    /// behind any other one belongs to that.
    func mayLead(to next: Hop) async -> Bool {
        guard let url = item.otherAddressOf, let file = hop(to: url)?.url,
            PercentEncoding.decoded(next.url.utf8) != PercentEncoding.decoded(file.utf8)
        else { return true }
        for entry in [await cache.staged(next.staged), await cache.stored(for: next.request)?.entry] {
            if let entry, await holds(entry) { return true }
        }
        return false
    }

    private func holds(_ entry: StoredEntry) async -> Bool {
        guard let expected = item.content else { return false }
        return await ContentCheck.holds(entry, expected, in: cache)
    }

    /// - Returns: Whether it is staged then. Not if it is another content than what is wanted, or can't be stored.
    private func copy(_ source: StoredEntry, to hop: inout Hop) async -> Bool {
        let response = source.response
        guard response.status == .ok, await holds(source), let content = try? await cache.store.open(source) else {
            return false
        }
        hop.mark = cache.store.mark()
        do {
            let pending = try cache.store.makePendingBody()
            guard try content.forEachPiece({ try pending.append($0) }) else { return false }
            let head = HTTPResponse(status: response.status, headerFields: response.fields)
            _ = try await cache.store(
                head, pending, for: hop.staged, received: response.responseTime, tags: [], since: hop.mark
            ) { _ in true }
        } catch {
            return false
        }
        hop.response = await cache.staged(hop.staged)
        return hop.response != nil
    }
}
