import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes

@testable import CacheEngine

/// Validation by HEAD first: a stale response, an origin, and what it is asked.
enum HeadFirst {
    static let rules = RuleList([Rule("slow", .followProtocol, validation: .head)])
    static let modified = "Tue, 14 Nov 2023 10:00:00 GMT"
    static let stored: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\"", .lastModified: modified]

    /// Results of ``sent(_:since:)`` where the HEAD was enough, where a GET for the whole followed, and one with
    /// conditions.
    static let saved = ["HEAD?"]
    static let fetched = ["HEAD?", "GET"]
    static let validated = ["HEAD?", "GET?"]

    /// Answers HEAD as told, and GET with `new` whatever its conditions, like an origin that HEAD first is meant for.
    static func origin(
        _ status: Int, _ fields: HTTPFields, get: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"2\""]
    ) -> ScriptedTransport.Handler {
        { request in
            guard request.head.method == .head else { return ScriptedTransport.answer(200, get, body: "new") }
            return TransportResponse(
                head: HTTPResponse(status: .init(code: status), headerFields: fields), body: ScriptedBody([]),
                bodyLength: 0)
        }
    }

    /// A store with `old` under `/a`, stale.
    static func bench(
        _ fields: HTTPFields = stored, rules: RuleList = rules, kind: Bench.StoreKind = .memory,
        origin: @escaping ScriptedTransport.Handler
    ) async throws -> Bench {
        let bench = try Bench(kind, rules: rules)
        bench.answer("/a", 200, fields, body: "old")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        bench.transport.on(Bench.base + "/a", origin)
        return bench
    }

    /// The methods sent after the store was filled, each with a `?` if the request had conditions.
    static func sent(_ bench: Bench, since count: Int = 1) -> [String] {
        bench.transport.requests.dropFirst(count).map { request in
            request.head.method.rawValue + (ConditionalRequest.isConditional(request.head.headerFields) ? "?" : "")
        }
    }
}
