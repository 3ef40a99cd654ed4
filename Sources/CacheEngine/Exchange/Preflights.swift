import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// CORS preflights that servers have allowed (Fetch §4.8), for scripts that ask without a network for what is stored: a
/// GET with a field of its own, such as `X-Requested-With`, is sent only once its preflight is answered.
///
/// OPTIONS is not cacheable (RFC 9110 §9.3.7), so the stored response to the GET has a tag that says what its preflight
/// allowed. That answers the preflight when the server can't be reached: nothing is allowed that the server did not
/// allow before.
final class Preflights: Sendable {
    private static let prefix = "cors-preflight:"
    /// How many are known here.
    private static let most = 256
    /// Longer ones are not noted.
    private static let longest = 4_096
    private static let names: [HTTPField.Name] = [
        .accessControlAllowOrigin, .accessControlAllowCredentials, .accessControlAllowHeaders,
        .accessControlAllowMethods,
    ]

    private let known = LockedBox(RecentCache<String, String>(budget: most))

    static func isTag(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// The origin that asks; `nil` for what is no preflight of a GET or HEAD.
    static func origin(of request: HTTPRequest) -> String? {
        guard request.method == .options,
            ["GET", "HEAD"].contains(request.headerFields[.accessControlRequestMethod])
        else { return nil }
        return request.headerFields[.origin]
    }

    /// Notes what a server has answered to a preflight.
    func note(_ answer: HTTPResponse, to request: HTTPRequest) {
        guard let origin = Self.origin(of: request) else { return }
        guard answer.status.kind == .successful else {
            return known.withLock { $0.remove(origin + " " + request.url) }
        }
        let values = [origin] + Self.names.map { answer.headerFields[$0] ?? "" }
        let tag = Self.prefix + values.joined(separator: "\n")
        guard tag.utf8.count <= Self.longest else { return }
        known.withLock { $0.set(tag, for: origin + " " + request.url) }
    }

    /// The tag of the response to a request; `nil` for one without a preflight.
    func tag(for request: HTTPRequest) -> String? {
        request.headerFields[.origin].flatMap { origin in
            known.withLock { $0.value(for: origin + " " + request.url) }
        }
    }

    /// The fields of the answer that a tag keeps for an origin.
    fileprivate static func fields(_ tag: String, for origin: String) -> HTTPFields? {
        guard isTag(tag) else { return nil }
        let values = tag.dropFirst(prefix.count).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        guard values.count == names.count + 1, values[0] == origin else { return nil }
        var fields = HTTPFields()
        for (name, value) in zip(names, values.dropFirst()) where !value.isEmpty { fields[name] = value }
        return fields
    }
}

extension RunningExchange {
    /// The answer to a preflight whose server can't be asked; `nil` where it has allowed none before for a response
    /// that is stored.
    func storedPreflight(after error: EngineError) async -> EngineResponse? {
        guard [.disconnected, .originUnreachable].contains(error.code), let key,
            let origin = Preflights.origin(of: head)
        else { return nil }
        let tags = ((try? await cache.store.entries(for: key)) ?? []).flatMap(\.response.tags)
        guard var fields = tags.lazy.compactMap({ Preflights.fields($0, for: origin) }).first else { return nil }
        // The next one is asked again: it may be for another method.
        fields[.accessControlMaxAge] = "0"
        (fields[.cacheControl], fields[.vary]) = ("no-store", "Origin")
        fields[.date] = HTTPDate.print(cache.now)
        var status = CacheStatus()
        (status.isHit, status.detail) = (true, "preflight")
        report(.hit, status: 204, bytes: 0, fields: fields, cacheStatus: status)
        return EngineResponse(
            head: HTTPResponse(status: .noContent, headerFields: fields), body: .empty, cacheStatus: status)
    }
}
