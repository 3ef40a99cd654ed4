import Foundation
import HTTPCacheSemantics
import HTTPTypes

/// What a hit costs in floor 0: reading the directives of both messages, matching `Vary`, and deciding.
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

    func measure() -> [Measurement] {
        let count = 200_000
        let terms = ReuseTerms(of: stored, in: .private)
        return [
            Measurement.run("a whole hit: read both, match, decide", count: count) { wholeHit() },
            Measurement.run("the same, stored terms read before", count: count) { preparedHit(terms) },
            Measurement.run("reading the stored response's terms", count: count) {
                ReuseTerms(of: stored, in: .private).isImmutable ? 1 : 0
            },
            Measurement.run("reading the request's terms", count: count) {
                RequestTerms(presented.headerFields).noCache ? 1 : 0
            },
            Measurement.run("matching Vary: Accept-Encoding", count: count) {
                stored.nominatedFields.match(presented.headerFields) ? 1 : 0
            },
            Measurement.run("checking the content coding", count: count) {
                ContentCoding.isAcceptable(stored.fields, to: presented.headerFields) ? 1 : 0
            },
            Measurement.run("the cache key", count: count) { CacheKey(presented)?.uri.utf8.count ?? 0 },
            Measurement.run("Cache-Control", count: count) { CacheControl(stored.fields).directives.count },
            Measurement.run("an HTTP date", count: count) {
                HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT", now: now) == nil ? 0 : 1
            },
        ]
    }

    private func wholeHit() -> Int {
        preparedHit(ReuseTerms(of: stored, in: .private))
    }

    private func preparedHit(_ terms: ReuseTerms) -> Int {
        guard stored.nominatedFields.match(presented.headerFields),
            ContentCoding.isAcceptable(stored.fields, to: presented.headerFields)
        else { return 0 }
        let basis = ReuseDecision.decide(terms, request: RequestTerms(presented.headerFields), at: now)
        return basis.decision == .reuse ? 1 : 2
    }
}
