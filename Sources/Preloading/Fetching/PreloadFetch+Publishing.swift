import CacheEngine
import HTTPCacheSemantics
import HTTPTypes
import Manifests
import ResponseStore

extension PreloadFetch {
    /// As ``publish(_:in:)``, unless the server has another release by now, whose files would be among these.
    ///
    /// - Parameters:
    ///   - hasFiles: Whether there are more than these: those that replace nothing are in their places.
    ///   - lacksFiles: Whether the server does not have some that it may have had before.
    static func publishIfCurrent(
        _ all: [(fetch: PreloadFetch, staged: StagedResponse)], hasFiles: Bool, lacksFiles: Bool,
        in cache: ResponseCache
    ) async -> [Outcome] {
        guard lacksFiles || hasFiles && all.contains(where: { $0.staged.hops.contains { $0.response != nil } }) else {
            return await publish(all, in: cache)
        }
        for (fetch, staged) in all where await fetch.isOvertaken(staged) {
            var outcomes: [Outcome] = []
            for (fetch, staged) in all {
                outcomes.append(await fetch.dropping(staged.hops, .refused(overtaken)))
            }
            return outcomes
        }
        return await publish(all, in: cache)
    }

    /// Whether a page that was fetched with its files is another one now. Nobody can tell where each answer differs.
    private func isOvertaken(_ staged: StagedResponse) async -> Bool {
        guard item.isOfPage, item.destination == .document, let hop = staged.hops.last,
            let page = hop.response ?? hop.confirmed
        else { return false }
        let known = version(page.response.fields)
        guard let newer = await version(hop, page, byContent: known == nil),
            newer != known ?? page.bodyDigest.description
        else { return false }
        return await version(hop, page, byContent: known == nil) == newer
    }

    /// The version of a page that its server has instead; `nil` if it has the same, or does not say.
    private func version(_ hop: Hop, _ page: StoredEntry, byContent: Bool) async -> String? {
        var request = hop.request
        for field in ConditionalRequest.validators(of: page.response) {
            request.head.headerFields[field.name] = field.value
        }
        request.context.mode = .noStore
        // It is no page that asks.
        let terms = PreloadTerms(sentFields: terms.sentFields, isStaged: false)
        defer { cache.endPreload(terms) }
        request.context.preload = terms
        let answer = await cache.respond(to: request)
        guard answer.failure == nil, answer.head.status == .ok else {
            answer.body.makeSource().cancel()
            return nil
        }
        if !byContent, let version = version(answer.head.headerFields) {
            answer.body.makeSource().cancel()
            return version
        }
        let longest = ByteCount(Int64(OfflineCheck.longest))
        return (try? await answer.body.collect(upTo: longest)).map { BodyDigest(of: $0).description }
    }

    /// The tag, or a date that is older than the response, as RFC 9110 §8.8.2.2 wants it.
    private func version(_ fields: HTTPFields) -> String? {
        if let tag = fields[.eTag].flatMap({ EntityTag($0) }) { return tag.opaque }
        guard let text = fields[.lastModified], let modified = HTTPDate.parse(text, now: cache.now),
            let sent = fields[.date].flatMap({ HTTPDate.parse($0, now: cache.now) })
        else { return nil }
        return sent - modified > .seconds(60) ? text : nil
    }

    private static let overtaken = PreloadRefusal(
        .validatorChanged, "The server got another release while this one was fetched; preload it again.")

    /// Puts what was fetched in its place, with the redirects that lead to it: all in one change, so that a page finds
    /// all of it or none, whenever the process ends.
    ///
    /// - Returns: The outcomes, in their order. If one can't be put in its place, the others are staged as before.
    static func publish(
        _ all: [(fetch: PreloadFetch, staged: StagedResponse)], in cache: ResponseCache
    ) async -> [Outcome] {
        var all = all
        var changed: Set<Int> = []
        var failure: Outcome?
        for _ in 0..<3 where changed.isEmpty && failure == nil {
            var (placed, places) = ([(placement: Placement, owner: Int)](), [CacheKey: Int]())
            for (owner, one) in all.enumerated() {
                for new in one.fetch.placements(of: one.staged) {
                    // Two that lead to one address have staged it twice; the later one is there still.
                    guard let known = places[new.key] else {
                        places[new.key] = placed.count
                        placed.append((new, owner))
                        continue
                    }
                    let isLater = placed[known].placement.entry.id.rawValue < new.entry.id.rawValue
                    if isLater { placed[known] = (new, owner) }
                }
            }
            do {
                let missing = try await cache.publish(placed.map(\.placement))
                if missing.isEmpty {
                    // Some may be left, such as a redirect that a newer one has replaced.
                    for hop in all.flatMap(\.staged.hops) { await cache.discardStaged(hop.staged) }
                    return all.map { .verified($0.staged.hops.map(\.key), $0.staged.source) }
                }
                for place in missing.map({ placed[$0].owner }) {
                    let last = all[place].staged.hops.count - 1
                    if all[place].fetch.item.snapshot == nil,
                        let entry = await all[place].fetch.inPlace(all[place].staged.hops[last])
                    {
                        all[place].staged.hops[last].confirmed = entry
                    } else {
                        changed.insert(place)
                    }
                }
            } catch {
                failure = .failed(unstorable(error))
            }
        }
        if changed.isEmpty { changed = [0] }
        var outcomes: [Outcome] = []
        // A page has fetched it meanwhile, or has changed it by a request of another method.
        let meanwhile = PreloadRefusal(.truncated, "It was changed while it was fetched; it is tried again.")
        for (place, one) in all.enumerated() {
            // Nothing newer gives way to a snapshot.
            let isSnapshot = one.fetch.item.snapshot != nil
            if !changed.contains(place) {
                outcomes.append(.staged(one.staged))
            } else if let failure, !isSnapshot, one.fetch.item.content != nil {
                // Content that is verified by its hash is found again.
                outcomes.append(failure)
            } else {
                let failed = failure ?? (isSnapshot ? .refused(Self.changed) : .failed(meanwhile))
                outcomes.append(await one.fetch.dropping(one.staged.hops, failed))
            }
        }
        return outcomes
    }

    private func placements(of staged: StagedResponse) -> [Placement] {
        staged.hops.enumerated().compactMap { place, hop in
            let isContent = place == staged.hops.count - 1
            // A confirmed response is in its place.
            if item.isOfPage, hop.confirmed != nil { return nil }
            guard let entry = hop.confirmed ?? hop.response else { return nil }
            return Placement(
                entry, as: hop.key, for: hop.request, tags: isContent ? tags : [], ignoring: item.ignoredParameters,
                since: hop.confirmed == nil ? hop.mark : cache.store.mark(), isOptional: !isContent)
        }
    }
}

/// A response that was fetched and verified, and does not take its place yet.
struct StagedResponse: Sendable {
    /// When a verified response takes its place.
    enum Hold: Hashable, Sendable {
        case never
        /// Later, if it takes the place of another response.
        case replacementsOnly
        case always
    }

    var hops: [PreloadFetch.Hop]
    var source: PreloadEvent.Source
    /// Bytes that came from the network for it.
    var received = ByteCount.zero

    /// Whether another response is in its place.
    var replaces: Bool { hops.contains { $0.replaces } }
}
