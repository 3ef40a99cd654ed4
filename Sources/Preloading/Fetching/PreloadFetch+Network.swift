import CacheEngine
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Fetches from the network, and checks what comes.
extension PreloadFetch {
    /// Fetches under the staged key. A file that is not what its list says is asked for once more, past every cache on
    /// the way: one may have kept the file that had the name before.
    func download(_ hop: inout Hop) async -> Step {
        let step = await downloadOnce(&hop)
        guard item.content != nil, hop.staged.context.mode != .reload, case .ended(.refused(let refusal), _) = step,
            [.hashMismatch, .sizeExceeded, .type].contains(refusal.reason), !terms.isPromoted
        else { return step }
        await cache.discardStaged(hop.staged)
        hop.staged.context.mode = .reload
        return await downloadOnce(&hop)
    }

    /// Asks whether what is stored still holds, and stages what comes in its place.
    func downloadIfChanged(_ hop: inout Hop, _ stored: StoredEntry) async -> Step {
        let validators = ConditionalRequest.validators(of: stored.response)
        for field in validators { hop.staged.head.headerFields[field.name] = field.value }
        hop.confirmed = stored
        let step = await downloadOnce(&hop)
        if case .found(.validated) = step { return step }
        hop.confirmed = nil
        // It may lead to a sign-in, as at the end of a session: the page is asked for again before it is shown.
        if case .redirect = step, item.destination == .document {
            await cache.discardStaged(hop.staged)
            return .ended(.refused(Self.redirected))
        }
        return step
    }

    /// The page is another one now.
    static let redirected = PreloadRefusal(
        .redirectedOffHost, "The server redirects the page now; it is asked for again.")

    private func downloadOnce(_ hop: inout Hop) async -> Step {
        hop.mark = since ?? cache.store.mark()
        await cache.store.recoverInterrupted()
        let time = cache.now
        let response = await respond(to: hop.staged)
        if let failure = response.failure { return .ended(Self.outcome(failure), keepsPart: true) }
        if RedirectChain.isRedirect(response.head) {
            await response.body.finishUnread()
            // A redirect that can't be stored is followed again by the page.
            hop.response = await cache.staged(hop.staged)
            return .redirect(response.head)
        }
        if response.head.status == .notModified, hop.confirmed != nil {
            await response.body.finishUnread()
            // A snapshot answers without being validated.
            if item.snapshot == nil {
                await cache.confirm(hop.request, by: response.head, since: hop.mark, sent: time)
            }
            return .found(.validated)
        }
        do throws(PreloadRefusal) {
            if let delayed = try check(response.head) {
                response.body.makeSource().cancel()
                return .ended(delayed, keepsPart: true)
            }
            try await checkReplacement(response.head, hop)
            let status = response.cacheStatus
            let declared = response.body.length ?? Self.length(response.head)
            if declared == 0, isUnlistedPage { throw Self.emptyPage }
            if let declared, ByteCount(declared) > cache.store.longestBody { throw tooLong(ByteCount(declared)) }
            guard status.isStored || status.isHit || status.isCollapsed else {
                if !cache.canStore {
                    response.body.makeSource().cancel()
                    return .ended(.failed(Self.diskFull), keepsPart: true)
                }
                let obstacle = cache.obstacleToStoring(response.head, for: hop.request)
                let refusal = obstacle.map { PreloadRefusal(.notStorable, $0.words) } ?? .ruled(status.detail)
                // A page asks for it anew each time, and for what it names. A file may have an older one in its place.
                if item.namedBy != nil, item.namedBy == item.url || !hop.replaces {
                    return .ended(.absent(refusal, await seen(response, hop)))
                }
                throw refusal
            }
            var check = try ContentCheck(
                response.head.headerFields, expected: item.content, integrity: item.integrity, declared: declared)
            if let outcome = try await read(response.body, &check, terms) { return .ended(outcome, keepsPart: true) }
            let digest = try check.finish()
            if check.coded == 0, isUnlistedPage { throw Self.emptyPage }
            if let staged = await cache.staged(hop.staged), staged.bodyDigest == digest {
                hop.response = staged
            } else if await inPlace(hop) == nil {
                let isUnended = declared == nil && cache.canStore
                return .ended(.failed(isUnended ? Self.unended : Self.diskFull))
            }
            return .found(terms.receivedBytes > 0 ? .network : .store)
        } catch {
            // Reading it to its end would cost more than the connection.
            response.body.makeSource().cancel()
            if isPageInPlace(response.head.headerFields), [.hashMismatch, .sizeExceeded].contains(error.reason) {
                return .ended(.refused(Self.pageInPlace))
            }
            // A beginning that was stored before is part of the content.
            let isResumed = response.cacheStatus.forward == .partial && response.cacheStatus.forwardStatus == 206
            return .ended(isResumed ? Self.apart(error) : .refused(error))
        }
    }

    /// Asks as a preload does, and once more as a page does where the host refuses all that says `Sec-Purpose`, as some
    /// do for what they do not have at hand. What an app lists is wanted all the same.
    private func respond(to request: EngineRequest) async -> EngineResponse {
        let response = await cache.respond(to: request)
        guard !item.isGuessed, response.failure == nil, Self.mayRefusePurpose(response.head),
            request.context.preload?.leaveOut(FetchField.secPurpose) == true
        else { return response }
        _ = terms.leaveOut(FetchField.secPurpose)
        await response.body.finishUnread()
        await cache.discardStaged(request)
        return await cache.respond(to: request)
    }

    private static func mayRefusePurpose(_ head: HTTPResponse) -> Bool {
        if case .fields(let names) = Vary(head.headerFields), names.contains(FetchField.secPurpose) { return true }
        return [204, 403, 406].contains(head.status.code)
            || head.status.code == 503 && !head.headerFields.contains(.retryAfter)
    }

    private func seen(_ response: EngineResponse, _ hop: Hop) async -> SeenContent? {
        let (fields, limit) = (response.head.headerFields, OfflineCheck.longest)
        guard let coded = try? await response.body.collect(upTo: ByteCount(Int64(limit))) else { return nil }
        return fields.decoded(coded, upTo: limit).map { SeenContent(url: hop.url, fields: fields, content: $0) }
    }

    /// The outcome for content in parts: the parts may be to blame, so all of it is fetched.
    private static func apart(_ refusal: PreloadRefusal) -> Outcome {
        guard [.hashMismatch, .damaged, .sizeExceeded, .bomb].contains(refusal.reason) else { return .refused(refusal) }
        let words = "The parts have the same tag and don't belong together; change the tag with the content."
        return .failed(PreloadRefusal(.validatorChanged, words))
    }

    /// Asks the origin whether what is stored still holds, in its place; reads what comes otherwise.
    func validate(_ hop: Hop) async -> Step {
        // Pages may share this one as it arrives: nothing in particular is expected of it.
        hop.reserved?.end(isStored: false)
        let terms = PreloadTerms(sentFields: terms.sentFields, isStaged: false)
        defer { cache.endPreload(terms) }
        var request = hop.staged
        request.context.preload = terms
        let response = await respond(to: request)
        if let failure = response.failure { return .ended(Self.outcome(failure)) }
        do throws(PreloadRefusal) {
            if let delayed = try check(response.head) {
                response.body.makeSource().cancel()
                return .ended(delayed)
            }
            try await checkReplacement(response.head, hop)
            var check = try ContentCheck(
                response.head.headerFields, expected: nil, integrity: item.integrity,
                declared: response.body.length ?? Self.length(response.head))
            if let outcome = try await read(response.body, &check, terms) { return .ended(outcome) }
            await cache.waitForCommits(hop.key)
            if terms.receivedBytes > 0 { return .found(.network) }
            let status = response.cacheStatus
            guard status.forwardStatus.map({ $0 < 500 }) ?? !status.isHit else {
                return .ended(
                    .failed(
                        PreloadRefusal(
                            .network, "The server did not confirm what is stored, which stays; try again later.")))
            }
            return .found(.validated)
        } catch {
            response.body.makeSource().cancel()
            return .ended(.refused(error))
        }
    }

    private static func length(_ head: HTTPResponse) -> Int64? {
        head.headerFields[.contentLength].flatMap { Int64($0) }
    }

    /// Judges a response by its head; returns an outcome that is no refusal: the server asks for patience.
    private func check(_ head: HTTPResponse) throws(PreloadRefusal) -> Outcome? {
        // draft-ietf-httpbis-pre-denied
        if head.status.reasonPhrase.lowercased() == "purpose declined" {
            throw PreloadRefusal(.declined, "The server declines to be asked ahead of need; pages fetch it themselves.")
        }
        if head.status.code == 429 || head.status.code == 503 {
            return .retryAfter(RetryAfter.delay(head.headerFields, now: cache.now))
        }
        // A server that fails now and then is tried again, like one that is busy.
        if [500, 502, 504].contains(head.status.code) {
            if let delay = RetryAfter.delay(head.headerFields, now: cache.now) { return .retryAfter(delay) }
            let words = "The server answers \(head.status.code) each time; see its log, or take the file off the list."
            var refusal = PreloadRefusal(.status, words)
            refusal.isFinal = false
            return .failed(refusal)
        }
        guard head.status == .ok else {
            let isNameless = head.status == .forbidden && fields.userAgent == nil
            let cure =
                isNameless
                ? "some do where a request has no User-Agent: pass the web view's with -H, or open a page first."
                : "publish the file, or take it off the list."
            throw PreloadRefusal(.status, "The server answers \(head.status.code); \(cure)")
        }
        try checkType(head.headerFields)
        let obstacles = obstacles(in: Vary(head.headerFields))
        guard obstacles.isEmpty else {
            throw PreloadRefusal(
                .varyUnmatchable,
                "The response varies by \(obstacles.joined(separator: ", ")), which nobody knows ahead; leave that "
                    + "out of Vary.")
        }
        return nil
    }

    /// The fields by which no page's later request can select the response, RFC 9111 §4.1; `*` if any may be one.
    ///
    /// An item that nobody has signed is hindered by fields that we alone send. We send no `Cookie`, so that a response
    /// that varies by it answers pages that have none (Django, Drupal and MediaWiki name it with all of their pages).
    private func obstacles(in vary: Vary) -> [String] {
        switch vary {
        case .none: return []
        case .anything: return ["*"]
        case .fields(let names):
            let sent = terms.sentFields
            guard item.content != nil else { return names.filter { sent.contains($0) }.map(\.canonicalName) }
            // Content that is signed by URL and hash is the same for every request, but where it depends on who asks.
            return names.map(\.canonicalName).filter {
                $0 == "authorization" || $0 == "cookie" && item.snapshot == nil
            }
        }
    }

    /// Whether it is a page whose content nobody knows.
    private var isUnlistedPage: Bool { item.destination == .document && item.content == nil }

    private static let unended = PreloadRefusal(
        .truncated,
        "The server states no length and ends the connection without TLS's closure alert, so nobody knows whether the "
            + "content is whole (RFC 9112 §9.8); have it send Content-Length.")

    private static let emptyPage = PreloadRefusal(
        .type, "The server answers with an empty page, as some do when they break down; look into its log.")

    /// - Throws: Where an answer would take the place of a stored one that pages can use, and is of no use to them.
    private func checkReplacement(_ head: HTTPResponse, _ hop: Hop) async throws(PreloadRefusal) {
        guard item.content == nil, hop.replaces, !isUsable(head.headerFields),
            let stored = await cache.stored(for: hop.request)?.entry.response.fields, isUsable(stored)
        else { return }
        let type = head.headerFields[.contentDisposition] ?? head.headerFields.mediaType ?? "none"
        throw PreloadRefusal(
            .type, "The server answers with '\(type)' now, of which pages have no use; what is stored stays.")
    }

    private func isUsable(_ fields: HTTPFields) -> Bool {
        let type = fields.mediaType
        guard isUnlistedPage else { return MediaTypeTolerance.takes(type, as: item.destination, fields, isSVG: false) }
        return !DocumentType.isAttachment(fields)
            && type.map { ["text/html", "application/xhtml+xml"].contains($0) } ?? true
    }

    private static let pageInPlace = PreloadRefusal(
        .type, "The server answers with a page in place of the file; publish the file, or answer 404.")

    private var isPage: Bool { item.destination == .document || item.destination == .iframe }

    /// Whether a server answers with a page, as some do for what they lack, where another file is wanted.
    private func isPageInPlace(_ fields: HTTPFields) -> Bool {
        let isOther = !isPage && item.type.map { $0.lowercased() != "text/html" } ?? false
        return fields.mediaType == "text/html" && (item.destination.isNeverHTML || isOther)
    }

    /// - Throws: Where a page would not take the file under its type.
    func checkType(_ fields: HTTPFields) throws(PreloadRefusal) {
        // The hash tells more than a type at which web views do not look (Fetch §2.9).
        let isSigned = item.content != nil && [.image, .font, .fetch].contains(item.destination)
        if isPageInPlace(fields), !isSigned { throw Self.pageInPlace }
        let type = fields.mediaType
        guard let wanted = item.type?.lowercased(), MediaTypeKind(wanted) != type.map({ MediaTypeKind($0) }),
            // Web views look into a page that states no type.
            isPage
                ? type != nil
                : !MediaTypeTolerance.takes(type, as: item.destination, fields, isSVG: wanted == "image/svg+xml")
        else { return }
        throw PreloadRefusal(
            .type,
            "The response has the type '\(type ?? "none")' and not '\(wanted)', under which a page does not take "
                + "it; correct one of them.")
    }

    /// Reads the content to its end; returns `nil` once all of it is read, why not otherwise.
    private func read(
        _ body: ResponseBody, _ check: inout ContentCheck, _ terms: PreloadTerms
    ) async throws(PreloadRefusal) -> Outcome? {
        let source = body.makeSource()
        var counted: Int64 = 0
        do {
            while let bytes = try await source.next() {
                try check.add(bytes)
                if ByteCount(check.coded) > cache.store.longestBody { throw tooLong(ByteCount(check.coded)) }
                let received = terms.receivedBytes
                let obstacle = await obstacle(received - counted, self.terms.isPromoted || terms.isPromoted)
                counted = received
                if let obstacle {
                    source.cancel()
                    return .waiting(obstacle)
                }
            }
            return nil
        } catch let refusal as PreloadRefusal {
            source.cancel()
            throw refusal
        } catch {
            source.cancel()
            return Self.outcome(EngineError(whileReading: error))
        }
    }

    /// The outcome for an item after a failure of the engine.
    private static func outcome(_ error: EngineError) -> Outcome {
        switch error.code {
        case .cancelled: return .refused(cancelled)
        case .disconnected: return .waiting(PreloadWait(.offline))
        case .originUntrusted: return .refused(PreloadRefusal(.tls, error.message))
        case .storeFailed: return .failed(diskFull)
        case .invalidRequest, .redirectRefused: return .refused(PreloadRefusal(.invalidURL, error.message))
        case .notStored:
            return .refused(PreloadRefusal(.notStorable, "A rule has the store answer alone; let the rule allow it."))
        default: break
        }
        switch (error.cause as? TransportError)?.code {
        case .tlsFailed?: return .refused(PreloadRefusal(.tls, error.message))
        case .connectionFailed?, .nameNotResolved?: return .unreachable(PreloadRefusal(.network, error.message))
        case .timedOut?: return .silent(PreloadRefusal(.network, error.message))
        case .closedEarly?: return .failed(PreloadRefusal(.truncated, error.message))
        default: return .failed(PreloadRefusal(.network, error.message))
        }
    }
}
