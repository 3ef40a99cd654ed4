import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Copies one file of a seed into the store, or finds that it is not needed.
struct SeedCopy: Sendable {
    enum Outcome: Hashable, Sendable {
        case stored
        /// The same content was stored before.
        case held
        /// The stored response is newer, or the URL was invalidated meanwhile.
        case newer
        case refused(PreloadRefusal)
        /// The store can't be written or read.
        case notStored(PreloadRefusal)
        case cancelled
    }

    let entry: SeedEntry
    private let seed: Seed
    private let cache: ResponseCache
    private let request: EngineRequest?
    /// The time at which the response counts as received. Responses that were received later stay.
    private let built: WallInstant

    init(_ entry: SeedEntry, of filling: SeedFilling, site: String, origin: String?) {
        (self.entry, seed, cache) = (entry, filling.seed, filling.cache)
        built = filling.seed.index.built
        let item = PreloadItem(
            url: entry.url, content: entry.content, destination: entry.destination, group: entry.group, origin: origin,
            site: site)
        request = filling.configuration.viewFields.request(for: item, at: entry.url).map { head in
            var context = ExchangeContext(
                partition: filling.configuration.partition, site: site, destination: entry.destination.destination,
                connectivity: filling.configuration.connectivity())
            context.checksAllowedOrigin = true
            return EngineRequest(head: head, context: context)
        }
    }

    /// The key under which pages look it up.
    var key: CacheKey? { request.flatMap { cache.key(for: $0) } }

    /// - Throws: ``SeedError`` where the file can't be read.
    func run() async throws(SeedError) -> Outcome {
        guard let request, let key else {
            return .refused(PreloadRefusal(.invalidURL, "This is no http or https URL; build the seed again."))
        }
        if Task.isCancelled { return .cancelled }
        // Before the first look at the store: whatever is stored after it is newer.
        let mark = cache.store.mark()
        do {
            if await isHeld(request) { return .held }
            let limit = replaceable
            guard try await cache.entries(under: key).allSatisfy({ $0.response.responseTime < limit }) else {
                return .newer
            }
        } catch {
            return .notStored(PreloadFetch.unstorable(error))
        }
        let terms = PreloadTerms(sentFields: [:], isStaged: false)
        // Pages that want the same wait for it. If one is asking the origin already, what that brings comes later.
        let reserved: ReservedKey? =
            if case .reserved(let found) = cache.reserve(key, for: terms) { found } else { nil }
        var isStored = false
        defer { reserved?.end(isStored: isStored) }
        let outcome = try await copy(request, terms, mark)
        isStored = outcome == .stored
        return outcome
    }

    /// The stored response that has the content of this file; `nil` for none.
    func stored() async -> StoredEntry? {
        guard let key, let found = try? await cache.entries(under: key) else { return nil }
        let tag = VerifiedContent.tag(entry.content.sha256)
        return found.first { $0.response.tags.contains(tag) }
    }

    /// Whether a page of the next release asks for it by the same name.
    var isCodeWithoutHash: Bool {
        [.style, .script, .module].contains(entry.destination)
            && HashedName(path: TargetURI.split(entry.url)?.path ?? "") == nil
    }

    /// Responses that were received before this give way to the seed. None does by a clock that is behind the seed.
    private var replaceable: WallInstant {
        built <= cache.now ? built : WallInstant(unixSeconds: -62_135_596_800)
    }

    /// Whether the content is stored, verified now or before.
    private func isHeld(_ request: EngineRequest) async -> Bool {
        guard let (stored, _, _) = await cache.stored(for: request), stored.response.status == .ok else { return false }
        let tag = VerifiedContent.tag(entry.content.sha256)
        if stored.response.tags.contains(tag) { return true }
        guard await ContentCheck.holds(stored, entry.content, in: cache) else { return false }
        // If it can't be written down, it is verified again next time.
        try? await cache.tag(stored, [tag])
        return true
    }

    private func copy(
        _ request: EngineRequest, _ terms: PreloadTerms, _ mark: StoreMark?
    ) async throws(SeedError) -> Outcome {
        let received = min(built, cache.now)
        let head = entry.head(built: received)
        do {
            let pending = try cache.store.makePendingBody()
            let declared = Int64(entry.region.count)
            var check = try ContentCheck(head.headerFields, expected: entry.content, declared: declared)
            var offset: Int64 = 0
            while true {
                do { try await cache.traffic.waitForQuiet { terms.isPromoted } } catch { return .cancelled }
                let piece = try seed.piece(of: entry.region, at: offset)
                if piece.isEmpty { break }
                try check.add(piece)
                try pending.append(piece)
                offset += Int64(piece.count)
                await Task.yield()
            }
            _ = try check.finish()
            let limit = replaceable
            let stored = try await cache.store(
                head, pending, for: request, received: received,
                tags: [VerifiedContent.tag(entry.content.sha256)], since: mark
            ) { $0.responseTime < limit }
            return stored == nil ? .newer : .stored
        } catch let error as SeedError {
            throw error
        } catch let refusal as PreloadRefusal {
            return .refused(refusal)
        } catch let error as EngineError {
            return .refused(PreloadRefusal(.notStorable, error.message))
        } catch {
            return .notStored(PreloadFetch.unstorable(error))
        }
    }
}
