import Foundation
import HTTPCacheSemantics
import HTTPTypes

/// The cost of a hit in floor 0: reading both messages' directives, matching `Vary`, deciding.
struct DecisionBench {
    private let presented: HTTPRequest
    private let stored: StoredResponse
    private let now: WallInstant

    init() {
        now = WallInstant(unixSeconds: 1_790_000_000)
        presented = HTTPRequest(
            method: .get, scheme: "https", authority: "shop.test", path: "/assets/app.3f9c2b1a.js",
            headerFields: [
                .accept: "*/*", .acceptEncoding: "gzip, deflate, br", .acceptLanguage: "en-GB,en;q=0.9",
                .userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4",
                .referer: "https://shop.test/", .cookie: "session=4f2c9b; theme=dark", .cacheControl: "max-age=3600",
            ])
        let fields: HTTPFields = [
            .date: HTTPDate.print(now + .seconds(-600)), .contentType: "text/javascript; charset=utf-8",
            .contentLength: "12288", .cacheControl: "public, max-age=31536000, immutable",
            .eTag: "\"5d8c72a5edda8d6a\"", .lastModified: HTTPDate.print(now + .seconds(-86_400)),
            .vary: "Accept-Encoding", .contentEncoding: "br", .server: "nginx", .acceptRanges: "bytes",
            .strictTransportSecurity: "max-age=63072000",
        ]
        stored = StoredResponse(
            nominatedFields: NominatedFields(presented.headerFields, vary: Vary(fields)), status: .ok, fields: fields,
            requestTime: now + .seconds(-600), responseTime: now + .seconds(-600))
    }

    /// - Parameters:
    ///   - only: The name of one operation; `nil` for all.
    ///   - count: Operations a round.
    func measure(only: String? = nil, count: Int = 200_000) -> [Measurement] {
        operations.filter { only == nil || $0.name == only }.map {
            Measurement.run($0.name, count: count, $0.operation)
        }
    }

    /// Each returns something that depends on its work, so that none of it can be left out.
    private var operations: [(name: String, operation: () -> Int)] {
        let terms = FreshnessInfo(of: stored, in: .private)
        return [
            ("a whole hit: read both, match, decide", { wholeHit() }),
            ("the same, stored terms read before", { preparedHit(terms) }),
            ("reading the stored response's terms", { FreshnessInfo(of: stored, in: .private).isImmutable ? 1 : 0 }),
            ("reading the request's terms", { RequestDirectives(presented.headerFields).noCache ? 1 : 0 }),
            ("matching Vary: Accept-Encoding", { stored.nominatedFields.match(presented.headerFields) ? 1 : 0 }),
            (
                "checking the content coding",
                { ContentCoding.isAcceptable(stored.fields, to: presented.headerFields) ? 1 : 0 }
            ),
            ("the cache key", { CacheKey(presented)?.uri.utf8.count ?? 0 }),
            ("Cache-Control", { CacheControl(stored.fields).directives.count }),
            ("an HTTP date", { HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT", now: now) == nil ? 0 : 1 }),
            ("printing an HTTP date", { HTTPDate.print(now).utf8.count }),
        ]
    }

    private func wholeHit() -> Int {
        preparedHit(FreshnessInfo(of: stored, in: .private))
    }

    private func preparedHit(_ terms: FreshnessInfo) -> Int {
        guard stored.nominatedFields.match(presented.headerFields),
            ContentCoding.isAcceptable(stored.fields, to: presented.headerFields)
        else { return 0 }
        let basis = ReuseDecision.decide(terms, request: RequestDirectives(presented.headerFields), at: now)
        return basis.decision == .reuse ? 1 : 2
    }
}
