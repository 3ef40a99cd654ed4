import HTTPCacheSemantics
import HTTPTypes
import Testing

/// What a server or a page may send to make a cache slow or wrong. Quadratic work on these sizes takes hours.
///
/// One after the other: each has the limit to itself, however many cores there are.
@Suite("Hostile input costs time in proportion to its length", .serialized, .timeLimit(.minutes(5)))
struct HostileInputTests {
    /// One piece, repeated. The row prints the piece, not the whole.
    struct Repetition: Sendable, CustomTestStringConvertible {
        var piece: String
        var source: String

        init(_ piece: String, _ source: String) {
            (self.piece, self.source) = (piece, source)
        }

        var testDescription: String { "\(piece.debugDescription) without end, \(source)" }
        var value: String { "x" + String(repeating: piece, count: 40_001) }
    }

    static let repetitions = [
        Repetition("\"\\", "RFC 9110 §5.6.4: escaped quotes, and none that ends"),
        Repetition("=\"\\", "RFC 9110 §5.6.4: arguments that never end"),
        Repetition("\"", "RFC 9110 §5.6.4: an odd number of quotes"),
        Repetition("\\", "RFC 9110 §5.6.4: backslashes"),
        Repetition(",", "RFC 9110 §5.6.1.2: empty elements"),
        Repetition(" ", "RFC 9110 §5.6.3: white space"),
        Repetition("a,", "RFC 9110 §5.6.1: many members"),
        Repetition("a", "RFC 9110 §5.6.2: a long token"),
        Repetition("9", "RFC 9111 §1.2.2: digits"),
        Repetition("/", "RFC 3986 §3.3: empty segments"),
        Repetition("../", "RFC 3986 §5.2.4: dot segments"),
        Repetition("@:", "RFC 3986 §3.2: delimiters of an authority"),
        Repetition("0-1,", "RFC 9110 §14.1.1: many ranges"),
        Repetition("\u{301}", "one character of many octets"),
    ]

    @Test("every reader comes to an end", arguments: repetitions)
    func readers(_ repetition: Repetition) {
        let value = repetition.value
        let fields = HTTPFields([
            HTTPField(name: .cacheControl, value: value), HTTPField(name: .vary, value: value),
            HTTPField(name: .connection, value: value), HTTPField(name: .acceptEncoding, value: value),
            HTTPField(name: .contentEncoding, value: value), HTTPField(name: .ifNoneMatch, value: value),
            HTTPField(name: .eTag, value: value), HTTPField(name: .age, value: value),
            HTTPField(name: .expires, value: value), HTTPField(name: .lastModified, value: value),
            HTTPField(name: .range, value: value), HTTPField(name: .cookie, value: value),
        ])
        let response = StoredResponse(
            status: .ok, fields: StorableFields.select(from: fields), requestTime: .sample, responseTime: .sample)
        _ = ReuseDecision.decide(
            FreshnessInfo(of: response, in: .shared), request: RequestDirectives(fields), at: .sample)
        _ = ConditionalRequest.isSatisfied(by: response, presented: fields)
        _ = ConditionalRequest.isSatisfied(by: .sample(["ETag: \"a\""]), presented: fields)
        _ = ContentCoding.isAcceptable(fields, to: fields)
        _ = NominatedFields(fields, vary: .fields([.cookie, .acceptEncoding])).match(fields)
        _ = Freshening.freshen(response, with: fields, answering: fields, requestTime: .sample, responseTime: .sample)
        _ = ByteRange([.range: "bytes=" + value.dropFirst()])?.resolve(length: 10)
        _ = ContentRange("bytes " + value)
        _ = DeltaSeconds.parse(value)
        _ = TargetURI.resolve(value, against: "https://example.org/" + value)
        _ = TargetURI.split("https://" + value)
    }

    static let structuredRepetitions = [
        Repetition(";a", "RFC 9651 §4.2.3.2: many parameters"),
        Repetition(";a=\"", "RFC 9651 §4.2.5: strings that start and end anywhere"),
        Repetition("=(a ", "RFC 9651 §4.2.1.2: inner lists that never end"),
        Repetition(":=", "RFC 9651 §4.2.7: byte sequences"),
        Repetition("%\"", "RFC 9651 §4.2.10: display strings"),
        Repetition("%25", "URL §1.3: octets that are encoded again"),
        Repetition("%", "URL §1.3: percent signs without digits"),
        Repetition("&=", "URL §5.1: parameters of nothing"),
        Repetition("127.", "RFC 3986 §3.2.2: an address without end"),
        Repetition("[]", "RFC 3986 §3.2.2: brackets"),
        Repetition("\"\\", "RFC 9651 §4.2.5: escaped quotes, and none that ends"),
        Repetition(",", "RFC 9651 §4.2.1: commas"),
        Repetition("a,", "RFC 9651 §4.2.1: many members"),
        Repetition("\u{301}", "one character of many octets"),
    ]

    @Test("every reader and printer of structured fields comes to an end", arguments: structuredRepetitions)
    func structuredReaders(_ repetition: Repetition) {
        let value = repetition.value
        for field in [value, "a=(" + value, "a;key=\"" + value] {
            let targeted = [HTTPField(name: .cdnCacheControl, value: field)]
            _ = TargetedCacheControl.directives(HTTPFields(targeted), names: [.cdnCacheControl])
        }
        _ = CacheControl(CacheControl(lines: [value]).directives + [.init(name: "x", argument: value)]).description
        _ = ClearSiteData.clearsCache(HTTPFields(lines: ["Clear-Site-Data: " + value]))
        _ = TrustworthyOrigin.isPotentiallyTrustworthy(origin: "http://" + value)
        for field in [value, "key-order, params=(\"\(value)\")"] { _ = NoVarySearch(lines: [field]) }
        let config = NoVarySearch(ignoresKeyOrder: true, parameters: .allBut([Array(value.utf8)]))
        #expect(config.match("https://example.com/?" + value, "https://example.com/?" + value + "&"))
    }

    /// Names that differ, `count` of them.
    private static func names(_ count: Int) -> [String] {
        (0..<count).map { "x\($0)" }
    }

    @Test("fields and the names that nominate them are matched in one pass")
    func manyFields() {
        let names = Self.names(30_000)
        var fields = HTTPFields(lines: names.map { $0 + ": 1" })
        fields[.connection] = names.joined(separator: ",")
        #expect(StorableFields.select(from: fields).isEmpty)
        fields[.connection] = nil
        fields[.cacheControl] = "no-cache=\"\(names.joined(separator: ","))\""
        #expect(StorableFields.select(from: fields).count == 1)
        fields[.cacheControl] = nil
        let nominated = NominatedFields(fields, vary: Vary([.vary: names.joined(separator: ",")]))
        #expect(nominated.values.count == names.count)
        #expect(nominated.match(fields))
    }

    @Test("a 304 with many fields updates in one pass")
    func manyUpdates() {
        let fields = HTTPFields(lines: Self.names(30_000).map { $0 + ": 1" })
        let response = StoredResponse(status: .ok, fields: fields, requestTime: .sample, responseTime: .sample)
        let updated = Freshening.freshen(response, with: fields, requestTime: .sample, responseTime: .sample)
        #expect(updated.fields.count == fields.count + 1)
    }

    @Test("many codings against many offers are matched in one pass")
    func manyCodings() {
        let names = Self.names(30_000)
        let response: HTTPFields = [.contentEncoding: names.joined(separator: ",")]
        let request: HTTPFields = [.acceptEncoding: names.reversed().joined(separator: ",")]
        #expect(ContentCoding.isAcceptable(response, to: request))
    }

    @Test("many keys of a Dictionary, and of parameters, are told apart in one pass")
    func manyKeys() {
        let keys = Self.names(100_000)
        let targeted: HTTPFields = [.cdnCacheControl: (keys + keys).joined(separator: ",")]
        #expect(TargetedCacheControl.directives(targeted, names: [.cdnCacheControl])?.directives.count == keys.count)
        let parameters: HTTPFields = [.cdnCacheControl: "a;" + (keys + keys).joined(separator: ";")]
        #expect(TargetedCacheControl.directives(parameters, names: [.cdnCacheControl])?.directives.count == 1)
    }

    @Test("many parameters of a query, and many names that do not matter, are sorted and matched")
    func manyQueryParameters() {
        let names = Self.names(20_000)
        let strings = names.map { "\"\($0)\"" }.joined(separator: " ")
        func uri(_ names: [String]) -> String { "https://example.com/?" + names.joined(separator: "&") }
        let ignoring = NoVarySearch(lines: ["key-order, params=(\(strings))"])
        #expect(ignoring.match(uri(names), "https://example.com/"))
        let sorting = NoVarySearch(ignoresKeyOrder: true)
        #expect(sorting.match(uri(names), uri(names.reversed())))
        #expect(!sorting.match(uri(names), uri(names.reversed() + ["x0"])))
        // The same name again and again, and names that differ at their ends only.
        let same = Array(repeating: "a", count: 50_000)
        #expect(sorting.match(uri(same), uri(same + [""])))
        let long = Self.names(100).map { String(repeating: "a", count: 2_000) + $0 }
        #expect(sorting.match(uri(long), uri(long.reversed())))
    }

    @Test("many ranges, types and lines are read in one pass")
    func manyMembers() {
        let ranges: HTTPFields = [.range: "bytes=" + (0..<50_000).map { "\($0)-" }.joined(separator: ",")]
        #expect(ByteRange(ranges) == nil)
        let lines = Array(repeating: "Clear-Site-Data: \"cookies\"", count: 30_000)
        #expect(ClearSiteData.clearsCache(HTTPFields(lines: lines + ["Clear-Site-Data: \"cache\""])))
    }

    @Test("moments at the ends of the clock do not overflow", arguments: [Int64.min / 1_000, -1, 0, Int64.max / 1_000])
    func moments(seconds: Int64) {
        let moment = WallInstant(unixSeconds: seconds)
        #expect(!HTTPDate.print(moment).isEmpty)
        _ = HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: moment)
        let response = StoredResponse(
            status: .ok, fields: HTTPFields(lines: ["Age: 99999999999", StoredResponse.sampleDate]),
            requestTime: moment,
            responseTime: moment)
        for now in [Int64.min / 1_000, 0, Int64.max / 1_000] {
            let basis = ReuseDecision.decide(
                FreshnessInfo(of: response, in: .private), request: RequestDirectives([:]),
                at: WallInstant(unixSeconds: now))
            #expect(basis.currentAge >= .zero)
        }
    }
}
