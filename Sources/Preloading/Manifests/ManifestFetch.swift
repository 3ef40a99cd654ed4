import CacheEngine
import CacheRules
import Decoding
import Fetching
import HTTPCacheSemantics
import HTTPTypes

/// Fetches heads, lists and preload pages, which are no part of any page, through the cache.
struct ManifestFetch: Sendable {
    struct Answer: Sendable {
        /// Without content codings.
        var content: [UInt8]
        /// `Date`, where it just came over TLS.
        var date: WallInstant?
        var fields: HTTPFields
    }

    /// How long anything may take, however short; longer content gets a second more for each ``octetsPerSecond``.
    static let shortest = Duration.seconds(60)
    /// The least speed at which content has to come.
    static let octetsPerSecond = 16_384

    let cache: ResponseCache
    let configuration: PreloadConfiguration
    /// `Accept`.
    var types = "application/json, */*;q=0.1"

    /// Gets the content of a URL. A fetch that takes too long is given up, also where a byte comes now and then.
    ///
    /// - Parameters:
    ///   - limit: In octets, without codings. What is longer is cut off one octet behind it.
    ///   - mode: `.reload` for what may be newer than what is stored: no condition is sent. Where all files of a server
    ///     have one time, its tags are the same for all contents of one length.
    ///   - what: Names it in errors.
    func get(
        _ url: String, limit: Int, mode: CacheMode, what: String
    ) async throws(ManifestUpdateError) -> Answer {
        let longest = Self.shortest + .seconds(limit / Self.octetsPerSecond)
        let result = await withTaskGroup(of: Result<Answer, ManifestUpdateError>.self) { group in
            group.addTask {
                do throws(ManifestUpdateError) {
                    return .success(try await request(url, limit: limit, mode: mode, what: what))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await cache.sleep(longest)
                let late = "did not come within \(longest.components.seconds) seconds"
                return .failure(
                    ManifestUpdateError(
                        .unavailable, "The \(what) \(late); it is asked for later.",
                        cause: TransportError(code: .timedOut, message: "It \(late).")))
            }
            let first = await group.next()
            group.cancelAll()
            return first
        }
        if case .success(let answer)? = result { return answer }
        guard case .failure(let error)? = result, !Task.isCancelled else {
            throw ManifestUpdateError(.cancelled, "It was cancelled; what was accepted before stays.")
        }
        throw error
    }

    private func request(
        _ url: String, limit: Int, mode: CacheMode, what: String
    ) async throws(ManifestUpdateError) -> Answer {
        let connectivity = configuration.connectivity()
        guard connectivity.hasNetwork else {
            throw ManifestUpdateError(.offline, "There is no network; the \(what) is asked for later.")
        }
        guard !connectivity.isConstrained else {
            throw ManifestUpdateError(.constrained, "The user wants little traffic; the \(what) is asked for later.")
        }
        guard let parts = TargetURI.split(url) else { throw unavailable(what, "'\(url)' is no https URL") }
        let codings = ContentCodings.acceptEncoding(for: [:], isSecure: parts.scheme == "https")
        var fields: HTTPFields = [.accept: types, .acceptEncoding: codings]
        configuration.viewFields.add(to: &fields)
        // Content is read here without the codings that a caller may name.
        (fields[.accept], fields[.acceptEncoding]) = (types, codings)
        let head = HTTPRequest(
            method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path, headerFields: fields)
        var context = ExchangeContext(
            partition: configuration.partition, destination: .fetch, connectivity: connectivity, mode: mode)
        let sent = PreloadFetch.terms(for: .boot, login: configuration.viewFields.login(at: parts.authority)).sentFields
        // Ahead of need, so that pages come first; not staged, as what comes is verified each time that it is used.
        let terms = PreloadTerms(sentFields: sent, isStaged: false)
        // Hosts that refuse what is fetched ahead refuse this as well.
        _ = terms.leaveOut(FetchField.secPurpose)
        defer { cache.endPreload(terms) }
        context.preload = terms
        let response = await cache.respond(to: EngineRequest(head: head, context: context))
        if let failure = response.failure {
            response.body.discard()
            throw ManifestUpdateError(
                failure.code == .disconnected ? .offline : .unavailable,
                "The \(what) can't be had: \(failure.message)", cause: failure)
        }
        guard response.head.status == .ok else {
            response.body.discard()
            let code = response.head.status.code
            throw unavailable(
                what,
                response.head.headerFields.contains(.location)
                    ? "the server redirects it with \(code), which is not followed" : "the server answers \(code)")
        }
        // A rule may answer for a server that is gone; that is no news of it.
        if mode == .reload, response.cacheStatus.isHit {
            response.body.discard()
            throw unavailable(what, "the server does not answer")
        }
        let content = try await content(of: response, limit: limit, what)
        let isFresh = !response.cacheStatus.isHit && parts.scheme == "https"
        let date = isFresh ? response.head.headerFields[.date].flatMap { HTTPDate.parse($0, now: cache.now) } : nil
        return Answer(content: content, date: date, fields: response.head.headerFields)
    }

    private func content(
        of response: EngineResponse, limit: Int, _ what: String
    ) async throws(ManifestUpdateError) -> [UInt8] {
        guard let decoded = DecodedHead(response.head) else {
            response.body.discard()
            throw unavailable(what, "its content has a coding that was not asked for")
        }
        let source = decoded.decode(response.body).makeSource()
        var content: [UInt8] = []
        do {
            while content.count <= limit, let piece = try await source.next() { content += piece }
        } catch {
            throw ManifestUpdateError(
                .unavailable, "The \(what) broke off, or its coding is damaged; it is asked for later.", cause: error)
        }
        source.cancel()
        return Array(content.prefix(limit + 1))
    }

    private func unavailable(_ what: String, _ reason: String) -> ManifestUpdateError {
        ManifestUpdateError(.unavailable, "The \(what) can't be had: \(reason).")
    }
}
