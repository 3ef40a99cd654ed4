import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

/// A web view asks this cache before it uses what its own holds, but for names that prove their content.
@Suite("The web view's own cache, above this one", .timeLimit(.minutes(5)))
struct UpperCacheTests {
    private static let hashed = "/assets/app.5d60c2ed348e2db0.js"
    private static let day = 86_400

    private static func context(_ upper: UpperCache = .asks, _ network: Connectivity = .connected) -> ExchangeContext {
        var context = ExchangeContext(connectivity: network)
        context.upperCache = upper
        return context
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var path = "/a"
        var type = "text/javascript"
        var stated: String?
        var rules = RuleList.webViewDefaults
        var upper = UpperCache.asks
        /// `Cache-Control` of every answer.
        var expected: String?

        init(
            _ name: String, path: String = "/a", type: String = "text/javascript", stated: String? = nil,
            rules: RuleList = .webViewDefaults, upper: UpperCache = .asks, expected: String?
        ) {
            (testDescription, self.path, self.type, self.stated) = (name, path, type, stated)
            (self.rules, self.upper, self.expected) = (rules, upper, expected)
        }
    }

    private static let kept = "max-age=\(2 * day), immutable"

    static let rows = [
        Row("no freshness stated", expected: "no-cache"),
        Row("a lifetime", stated: "max-age=600", expected: "max-age=600, no-cache"),
        Row(
            "immutable, by the origin's word alone", stated: "max-age=9, immutable",
            expected: "max-age=9, immutable, no-cache"),
        Row(
            "qualified no-cache is another directive (§5.2.2.4)", stated: "no-cache=\"X\"",
            expected: "no-cache=\"X\", no-cache"),
        Row("no-store stands (§5.2.2.5)", stated: "no-store", expected: "no-store"),
        Row("a name with a content hash", path: hashed, expected: kept),
        Row("the same, private", path: hashed, stated: "private, max-age=1", expected: kept),
        Row("the same, never to be stored", path: hashed, stated: "no-store", expected: "no-store"),
        Row(
            "the same, a page in the file's place", path: hashed, type: "text/html", stated: "max-age=5",
            expected: "max-age=5, no-cache"),
        Row(
            "the same, no rule about names", path: hashed, stated: "max-age=5", rules: .protocolOnly,
            expected: "max-age=5, no-cache"),
        Row(
            "a rule that keeps it for good, by the host's word", stated: "max-age=5",
            rules: RuleList([Rule("all", .permanent)]), expected: "max-age=5, no-cache"),
        Row(
            "a rule that never stores", stated: "max-age=5", rules: RuleList([Rule("all", .neverStore)]),
            expected: "no-store"),
        Row(
            "a rule that passes by", stated: "max-age=5", rules: RuleList([Rule("all", .bypass)]),
            expected: "max-age=5, no-cache"),
        Row("off", path: hashed, stated: "max-age=5", upper: .off, expected: "no-store"),
        Row("as stated", path: hashed, stated: "max-age=5", upper: .asStated, expected: "max-age=5"),
        Row("as stated, nothing", upper: .asStated, expected: nil),
    ]

    /// A miss, a hit from memory, 304, HEAD, a part, and a validated response.
    @Test("its fields are the same on every way to an answer", arguments: rows)
    func ways(_ row: Row) async throws {
        let bench = try Bench(rules: row.rules)
        var fields: HTTPFields = [.eTag: "\"1\"", .contentType: row.type, .acceptRanges: "bytes"]
        fields[.cacheControl] = row.stated
        let own = fields
        bench.transport.on(Bench.base + row.path) { request in
            request.head.headerFields[.ifNoneMatch] == "\"1\""
                ? ScriptedTransport.answer(304, own) : ScriptedTransport.answer(200, own, body: "0123456789")
        }
        let asked: [(HTTPRequest.Method, HTTPFields)] = [
            (.get, [:]), (.get, [:]), (.head, [:]), (.get, [.ifNoneMatch: "\"1\""]), (.get, [.range: "bytes=1-3"]),
            (.get, [.cacheControl: "max-age=0"]), (.get, [.cacheControl: "no-cache"]),
        ]
        for (method, fields) in asked {
            let answer = await bench.send(row.path, fields, method: method, context: Self.context(row.upper))
            _ = try await Bench.read(answer)
            await bench.cache.waitForBackgroundWork()
            #expect(
                answer.head.headerFields[.cacheControl] == row.expected, "\(method) \(fields) \(answer.head.status)")
        }
    }

    @Test("a name that proves its content is asked about again after a day or two, whatever its age")
    func age() async throws {
        let bench = try Bench(rules: .webViewDefaults) { $0.samplesHashedNames = false }
        bench.answer(Self.hashed, 200, [.contentType: "text/javascript", .eTag: "\"1\""], body: "x")
        try await bench.fill(Self.hashed, context: Self.context())
        var age = 0
        for hours in [0, 23, 1, 24, 12, 24 * 365, 1] {
            bench.clock.advance(by: .seconds(hours * 3_600))
            age += hours * 3_600
            let answer = await bench.send(Self.hashed, context: Self.context())
            #expect(answer.head.headerFields[.age] == String(age))
            let lifetime = (age / Self.day + 2) * Self.day
            #expect(answer.head.headerFields[.cacheControl] == "max-age=\(lifetime), immutable")
            #expect((Self.day...2 * Self.day).contains(lifetime - age))
        }
    }

    @Test("clients with and without a cache of their own share a stored response, not its head")
    func mixed() async throws {
        let bench = try Bench(rules: .webViewDefaults)
        bench.answer("/a.css", 200, [.cacheControl: "max-age=600", .contentType: "text/css"], body: "x")
        try await bench.fill("/a.css", context: Self.context())
        for (upper, expected) in [
            (UpperCache.asks, "max-age=600, no-cache"), (.asStated, "max-age=600"), (.off, "no-store"),
        ] {
            for _ in 1...2 {
                let answer = await bench.send("/a.css", context: Self.context(upper))
                #expect(answer.head.headerFields[.cacheControl] == expected)
            }
        }
    }

    @Test("requests that share a transfer are told the same")
    func collapsed() async throws {
        let (bench, gate) = (try Bench(), Gate())
        bench.transport.on(Bench.base + "/a") { _ in
            try await gate.pass()
            return ScriptedTransport.answer(200, [.cacheControl: "max-age=600"], body: "x")
        }
        let answers = await withTaskGroup(of: EngineResponse.self) { group in
            for _ in 1...3 { group.addTask { await bench.send("/a", context: Self.context()) } }
            try? await gate.arrivals(1)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        for answer in answers {
            #expect(answer.head.headerFields[.cacheControl] == "max-age=600, no-cache")
            _ = try await Bench.read(answer)
        }
    }

    struct Condition: Sendable, CustomTestStringConvertible {
        var fields: HTTPFields
        var method = HTTPRequest.Method.get
        var rules = RuleList.webViewDefaults
        var upper = UpperCache.asks
        /// Whether the client has another response.
        var isNews = false
        /// Whether the origin sees the condition.
        var passes: Bool
        var testDescription: String
    }

    static let conditions = [
        Condition(fields: [.ifNoneMatch: "\"1\""], passes: false, testDescription: "If-None-Match"),
        Condition(
            fields: [.ifModifiedSince: "Sun, 06 Nov 1994 08:49:37 GMT"], isNews: true, passes: false,
            testDescription: "If-Modified-Since"),
        Condition(fields: [.ifNoneMatch: "\"0\""], isNews: true, passes: false, testDescription: "another tag"),
        Condition(
            fields: [.ifNoneMatch: "\"1\"", .cacheControl: "max-age=0"], passes: false, testDescription: "a reload"),
        Condition(
            fields: [.ifNoneMatch: "\"1\""], upper: .asStated, passes: true,
            testDescription: "no cache above that is known"),
        Condition(
            fields: [.ifNoneMatch: "\"1\""], rules: RuleList([Rule("all", .bypass)]), passes: true,
            testDescription: "a rule passes by: the web view's cache is the only one"),
        Condition(
            fields: [.ifNoneMatch: "\"1\""], method: .post, passes: true,
            testDescription: "a POST is the page's own matter (RFC 9110 §13.1.2)"),
        Condition(
            fields: [.ifNoneMatch: "\"1\"", .range: "bytes=0-1"], passes: true,
            testDescription: "a part is not the whole"),
    ]

    /// Else the origin's 304 would leave the store empty, and the page would not open without a network.
    @Test("a condition of the web view's cache does not keep a response out of the store", arguments: conditions)
    func condition(_ row: Condition) async throws {
        let bench = try Bench(rules: row.rules)
        let fields: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=60"]
        bench.transport.on(Bench.base + "/a.css") { request in
            let isConditional = ConditionalRequest.isConditional(request.head.headerFields)
            return ScriptedTransport.answer(isConditional ? 304 : 200, fields, body: isConditional ? "" : "x")
        }
        let answer = await bench.send("/a.css", row.fields, method: row.method, context: Self.context(row.upper))
        let text = try await Bench.read(answer)
        await bench.cache.waitForBackgroundWork()
        #expect(answer.head.status == (row.isNews ? .ok : .notModified) && text == (row.isNews ? "x" : ""))
        let offline = await bench.send("/a.css", row.fields, context: Self.context(row.upper, .disconnected))
        #expect((offline.failure == nil) == !row.passes)
    }

    /// RFC 9110 §13.1.2: only the origin's 304 says that the condition was false; this origin was asked, and answers 200.
    @Test("new content under the validator of before reaches a web view that has the old one", arguments: [0, 1, 2])
    func unchangingValidator(_ kind: Int) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        let (validator, condition, value) =
            [
                (HTTPField.Name.eTag, HTTPField.Name.ifNoneMatch, "\"1\""), (.eTag, .ifNoneMatch, "W/\"1\""),
                (.lastModified, .ifModifiedSince, "Sun, 06 Nov 1994 08:49:37 GMT"),
            ][kind]
        for text in ["a", "b", "c"] {
            bench.answer("/a", 200, [validator: value, .cacheControl: "no-cache"], body: text)
            let presented: HTTPFields = text == "a" ? [:] : [condition: value]
            let answer = await bench.send("/a", presented, context: Self.context())
            #expect(answer.head.status == .ok)
            #expect(try await Bench.read(answer) == text)
            await bench.cache.waitForCommits()
        }
    }
}
