import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §3 Storing Responses in Caches")
struct StoreDecisionTests {
    struct Exchange: Sendable, CustomStringConvertible {
        var method: HTTPRequest.Method = .get
        var request: [String] = []
        var status = 200
        var response: [String] = []
        var kind = CacheKind.private

        var description: String {
            "\(method) \(request) answered \(status) \(response) in a \(kind.rawValue) cache"
        }
    }

    static func decide(_ exchange: Exchange) -> StoreDecision {
        let request = HTTPRequest(
            method: exchange.method, scheme: "https", authority: "example.org", path: "/",
            headerFields: HTTPFields(lines: exchange.request))
        return StoreDecision.decide(
            request: request, status: .init(code: exchange.status), fields: HTTPFields(lines: exchange.response),
            in: exchange.kind)
    }

    static let conditions: [Row<Exchange, StoreDecision>] = [
        Row(Exchange(), .store, "\"a status code that is defined as heuristically cacheable\""),
        Row(Exchange(kind: .shared), .store, "\"a status code that is defined as heuristically cacheable\""),
        Row(
            Exchange(method: .head), .doNotStore(.methodNotStored), "\"the request method is understood by the cache\""),
        Row(
            Exchange(method: .post, response: ["Cache-Control: max-age=60"]), .doNotStore(.methodNotStored),
            "RFC 9110 §9.3.3: without a Content-Location"),
        Row(
            Exchange(method: .post, response: ["Cache-Control: max-age=60", "Content-Location: https://example.org"]),
            .store, "RFC 9110 §9.3.3: \"the same value as the POST's target URI\""),
        Row(
            Exchange(method: .post, response: ["Expires: Sun, 06 Nov 2044 08:49:37 GMT", "Content-Location: /"]),
            .store, "RFC 9110 §9.3.3: \"explicit freshness information\""),
        Row(
            Exchange(method: .post, response: ["Content-Location: /"]), .doNotStore(.methodNotStored),
            "RFC 9110 §9.3.3: without \"explicit freshness information\""),
        Row(
            Exchange(method: .post, response: ["Cache-Control: max-age=60", "Content-Location: /other"]),
            .doNotStore(.methodNotStored), "RFC 9110 §9.3.3: another URI"),
        Row(
            Exchange(method: .post, status: 201, response: ["Cache-Control: max-age=60", "Content-Location: /"]),
            .doNotStore(.methodNotStored), "RFC 9110 §9.3.3: \"a 200 (OK) response\""),
        Row(
            Exchange(method: .put, response: ["Cache-Control: max-age=60", "Content-Location: /"]),
            .doNotStore(.methodNotStored), "RFC 9110 §9.3.4: \"Responses to the PUT method are not cacheable\""),
        Row(Exchange(status: 103), .doNotStore(.statusNotFinal), "\"the response status code is final\""),
        Row(
            Exchange(status: 100, response: ["Cache-Control: max-age=60"]), .doNotStore(.statusNotFinal),
            "\"the response status code is final\""),
        Row(
            Exchange(status: 206, response: ["Content-Range: bytes 0-4/10", "Cache-Control: max-age=60"]), .store,
            "§3.3: a cache that supports Range and Content-Range may store partial responses"),
        Row(
            Exchange(status: 206, response: ["Content-Type: multipart/byteranges; boundary=x", "ETag: \"a\""]),
            .doNotStore(.partialContent), "RFC 9110 §15.3.7.2: several parts, none of whose places is in the head"),
        Row(
            Exchange(status: 206, response: ["Content-Range: bytes 4-2/10", "Cache-Control: max-age=60"]),
            .doNotStore(.partialContent), "RFC 9110 §14.4: an invalid Content-Range must not be recombined"),
        Row(
            Exchange(status: 304, response: ["Cache-Control: max-age=60"]), .doNotStore(.notModified),
            "\"if … 206 or 304 …: the cache understands the response status code\""),
        Row(
            Exchange(status: 416, response: ["Content-Range: bytes */10", "Cache-Control: max-age=60"]),
            .doNotStore(.conditionalRequest), "RFC 9110 §15.5.17: about the Range of one request"),
        Row(
            Exchange(request: ["If-None-Match: *"], status: 412, response: ["Cache-Control: max-age=60"]),
            .doNotStore(.conditionalRequest), "RFC 9110 §15.5.13: about the conditions of one request"),
        Row(
            Exchange(response: ["Content-Range: bytes 0-4/10"]), .store,
            "RFC 9110 §14.4 \"has no meaning for status codes that do not explicitly describe its semantic\""),
        Row(Exchange(response: ["Cache-Control: no-store"]), .doNotStore(.noStoreInResponse), "§5.2.2.5"),
        Row(Exchange(response: ["Cache-Control: No-Store, max-age=60"]), .doNotStore(.noStoreInResponse), "§5.2.2.5"),
        Row(
            Exchange(response: ["Cache-Control: max-age=60", "Cache-Control: no-store=\"x\""]),
            .doNotStore(.noStoreInResponse), "§5.2.2.5, with an argument it does not have"),
        Row(
            Exchange(response: ["Cache-Control: x=\"no-store\", max-age=60"]), .store,
            "RFC 9110 §5.6.4: inside a quoted-string"),
        Row(
            Exchange(request: ["Cache-Control: no-store"], response: ["Cache-Control: max-age=60"]),
            .doNotStore(.noStoreInRequest),
            "§5.2.1.5 \"MUST NOT store any part of either this request or any response\""),
        Row(
            Exchange(request: ["Pragma: no-cache"], response: ["Cache-Control: max-age=60"]), .store,
            "§5.4: Pragma no-cache is about reuse"),
        Row(Exchange(response: ["Cache-Control: no-cache"]), .store, "§5.2.2.4 forbids reuse, not storage"),
        Row(
            Exchange(response: ["Cache-Control: max-age=60", "Vary: *"]), .doNotStore(.variesOnEverything),
            "§4.1 \"always fails to match\""),
        Row(
            Exchange(response: ["Cache-Control: max-age=60", "Vary: Cookie", "Vary: *"]),
            .doNotStore(.variesOnEverything), "§4.1 \"always fails to match\""),
        Row(
            Exchange(response: ["Cache-Control: max-age=60", "Set-Cookie: a=1"]), .store,
            "§7.3: Set-Cookie does not inhibit caching"),
    ]

    @Test("each condition can refuse", arguments: conditions)
    func checkConditions(_ row: Row<Exchange, StoreDecision>) {
        #expect(Self.decide(row.given) == row.expected)
    }

    static let mustUnderstand: [Row<Exchange, StoreDecision>] = [
        Row(
            Exchange(response: ["Cache-Control: must-understand, no-store"]), .store,
            "§5.2.2.3 \"SHOULD ignore the no-store directive\""),
        Row(
            Exchange(status: 299, response: ["Cache-Control: must-understand, no-store, max-age=60"]),
            .doNotStore(.statusNotUnderstood), "§5.2.2.3 \"limits caching … to a cache that understands\""),
        Row(
            Exchange(status: 299, response: ["Cache-Control: must-understand, max-age=60"]),
            .doNotStore(.statusNotUnderstood), "§5.2.2.3 \"limits caching … to a cache that understands\""),
        Row(
            Exchange(request: ["Cache-Control: no-store"], response: ["Cache-Control: must-understand, no-store"]),
            .doNotStore(.noStoreInRequest), "§5.2.2.3 speaks of the response's no-store only"),
        Row(
            Exchange(status: 299, response: ["Cache-Control: max-age=60"]), .store,
            "§3: \"the max-age response directive\""),
    ]

    @Test("must-understand outweighs no-store where the status is understood", arguments: mustUnderstand)
    func checkMustUnderstand(_ row: Row<Exchange, StoreDecision>) {
        #expect(Self.decide(row.given) == row.expected)
    }

    static let shared: [Row<Exchange, StoreDecision>] = [
        Row(
            Exchange(response: ["Cache-Control: private, max-age=60"], kind: .shared),
            .doNotStore(.privateInSharedCache),
            "§5.2.2.7 \"a shared cache MUST NOT store the response\""),
        Row(
            Exchange(response: ["Cache-Control: private, max-age=60"]), .store, "§5.2.2.7 \"a private cache MAY store\""
        ),
        Row(
            Exchange(response: ["Cache-Control: private=\"X-User\", max-age=60"], kind: .shared),
            .doNotStore(.privateInSharedCache), "§5.2.2.7: the listed fields would have to go; not storing is allowed"),
        Row(
            Exchange(request: ["Authorization: Basic eA=="], response: ["Cache-Control: max-age=60"], kind: .shared),
            .doNotStore(.authenticatedInSharedCache), "§3.5 \"A shared cache MUST NOT use a cached response\""),
        Row(
            Exchange(request: ["Authorization: Basic eA=="], response: ["Cache-Control: max-age=60"]), .store,
            "§3.5 is about shared caches"),
        Row(
            Exchange(request: ["Authorization: Basic eA=="], response: ["Cache-Control: public"], kind: .shared),
            .store,
            "§3.5 \"must-revalidate …, public …, and s-maxage\""),
        Row(
            Exchange(request: ["Authorization: x"], response: ["Cache-Control: must-revalidate"], kind: .shared),
            .store,
            "§3.5 \"must-revalidate …, public …, and s-maxage\""),
        Row(
            Exchange(request: ["Authorization: x"], response: ["Cache-Control: s-maxage=0"], kind: .shared), .store,
            "§3.5 \"must-revalidate …, public …, and s-maxage\""),
        Row(
            Exchange(request: ["Authorization: x"], response: ["Cache-Control: public, private"], kind: .shared),
            .doNotStore(.privateInSharedCache), "§4.2.1 \"the most restrictive directive should be honored\""),
    ]

    @Test("a shared cache keeps other people's responses out", arguments: shared)
    func checkShared(_ row: Row<Exchange, StoreDecision>) {
        #expect(Self.decide(row.given) == row.expected)
    }

    /// RFC 9110 §15.1, 206 aside.
    static let heuristic = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 451, 501]

    @Test(
        "final statuses are stored without a word only where RFC 9110 §15.1 or RFC 7725 §3 says so",
        arguments: 200...599)
    func statuses(code: Int) {
        let isStored = Self.decide(Exchange(status: code)) == .store
        #expect(isStored == Self.heuristic.contains(code))
    }

    static let explicit: [Row<Exchange, StoreDecision>] = [
        Row(Exchange(status: 302), .doNotStore(.notCacheable), "none of the listed"),
        Row(Exchange(status: 302, response: ["Cache-Control: max-age=0"]), .store, "\"a max-age response directive\""),
        Row(Exchange(status: 500, response: ["Cache-Control: public"]), .store, "\"a public response directive\""),
        Row(Exchange(status: 302, response: ["Expires: 0"]), .store, "\"an Expires header field\", whatever it says"),
        Row(
            Exchange(status: 302, response: ["Cache-Control: private"]), .store,
            "\"a private response directive, if the cache is not shared\""),
        Row(
            Exchange(status: 302, response: ["Cache-Control: s-maxage=60"], kind: .shared), .store,
            "\"if the cache is shared: an s-maxage response directive\""),
        Row(
            Exchange(status: 302, response: ["Cache-Control: s-maxage=60"]), .doNotStore(.notCacheable),
            "\"if the cache is shared: an s-maxage response directive\""),
        Row(
            Exchange(status: 302, response: ["ETag: \"a\""]), .doNotStore(.notCacheable),
            "a validator is none of the listed"),
        Row(
            Exchange(status: 302, response: ["Cache-Control: must-revalidate"]), .doNotStore(.notCacheable),
            "must-revalidate is none of the listed"),
    ]

    @Test("other statuses need one of the listed permissions", arguments: explicit)
    func checkExplicit(_ row: Row<Exchange, StoreDecision>) {
        #expect(Self.decide(row.given) == row.expected)
    }
}
