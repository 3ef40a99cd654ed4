import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9110 §12.5.3 Accept-Encoding")
struct ContentCodingTests {
    struct Pair: Sendable, CustomStringConvertible {
        var coding: [String]
        var offers: [String]

        init(_ coding: [String], _ offers: [String]) {
            (self.coding, self.offers) = (coding, offers)
        }

        var description: String { "\(coding) for \(offers)" }
    }

    static let pairs: [Row<Pair, Bool>] = [
        Row(Pair([], []), true, "\"no content coding … acceptable by default\""),
        Row(Pair([], ["gzip"]), true, "\"no content coding … acceptable by default\""),
        Row(Pair(["identity"], ["gzip"]), true, "identity is no coding"),
        Row(Pair([""], ["gzip"]), true, "an empty list of codings"),
        Row(Pair(["gzip"], []), true, "\"If no Accept-Encoding header field is in the request, any content coding\""),
        Row(Pair(["gzip"], [""]), false, "\"an empty field value … does not want any content coding\""),
        Row(Pair(["gzip"], ["gzip"]), true, "\"one of the content codings listed\""),
        Row(Pair(["gzip"], ["deflate, gzip;q=1.0, *;q=0.5"]), true, "the example"),
        Row(Pair(["br"], ["deflate, gzip;q=1.0, *;q=0.5"]), true, "\"*\" matches any not explicitly listed"),
        Row(Pair(["br"], ["gzip, deflate"]), false, "not listed"),
        Row(Pair(["br"], ["gzip", "br"]), true, "§5.3: several lines are one list"),
        Row(Pair(["GZIP"], ["gzip"]), true, "§8.4.1 \"case-insensitive\""),
        Row(Pair(["gzip"], ["GZip"]), true, "§8.4.1 \"case-insensitive\""),
        Row(Pair(["gzip"], ["gzip;q=0"]), false, "\"unless it is accompanied by a qvalue of 0\""),
        Row(Pair(["gzip"], ["gzip ; q=0.000"]), false, "§12.4.2 qvalue = \"0\" [ \".\" 0*3DIGIT ]"),
        Row(Pair(["gzip"], ["gzip;Q=0."]), false, "§12.4.2: weight is case-insensitive"),
        Row(Pair(["gzip"], ["gzip;q=0.001"]), true, "§12.4.2 \"0.001 is the least preferred\""),
        Row(Pair(["gzip"], ["*;q=0"]), false, "\"*;q=0\" excludes"),
        Row(Pair(["gzip"], ["*;q=0, gzip"]), true, "\"*\" matches any not explicitly listed"),
        Row(Pair(["gzip"], ["*, gzip;q=0"]), false, "\"*\" matches any not explicitly listed"),
        Row(Pair(["gzip"], ["identity"]), false, "not listed"),
        Row(Pair(["x-gzip"], ["gzip"]), true, "§8.4.1.3 \"SHOULD consider 'x-gzip' to be equivalent\""),
        Row(Pair(["gzip"], ["x-gzip"]), true, "§8.4.1.3 \"SHOULD consider 'x-gzip' to be equivalent\""),
        Row(Pair(["compress"], ["x-compress"]), true, "§8.4.1.1 \"SHOULD consider 'x-compress' to be equivalent\""),
        Row(Pair(["x-br"], ["br"]), true, "§8.4.1: not registered, so no coding that a client negotiates"),
        Row(Pair(["deflate, gzip"], ["gzip, deflate"]), true, "§8.4: every coding that was applied"),
        Row(Pair(["deflate", "gzip"], ["gzip"]), false, "§8.4: every coding that was applied"),
    ]

    @Test("a stored coding is used only for requests that accept it", arguments: pairs)
    func acceptable(_ row: Row<Pair, Bool>) {
        let response = HTTPFields(row.given.coding.map { HTTPField(name: .contentEncoding, value: $0) })
        let request = HTTPFields(row.given.offers.map { HTTPField(name: .acceptEncoding, value: $0) })
        #expect(ContentCoding.isAcceptable(response, to: request) == row.expected)
    }
}
