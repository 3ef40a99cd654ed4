import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4.1, §4.3.1, §4.3.4: variants", .timeLimit(.minutes(5)))
struct VariantTests {
    /// A response to one language.
    private static func variant(
        _ text: String, tag: String?, maxAge: Int = 60, date: String? = nil, vary: String? = "Accept-Language"
    ) -> @Sendable (TransportRequest) -> TransportResponse {
        var fields: HTTPFields = [.cacheControl: "max-age=\(maxAge)"]
        (fields[.eTag], fields[.vary], fields[.date]) = (tag, vary, date)
        let fixed = fields
        return { _ in ScriptedTransport.answer(200, fixed, body: text) }
    }

    private static func language(_ language: String) -> HTTPFields { [.acceptLanguage: language] }

    /// A store with one variant for each language, tagged with a number from 1.
    private func bench(
        _ languages: [String], tags: [String?] = ["\"1\"", "\"2\"", "\"3\""], kind: Bench.StoreKind = .memory
    ) async throws -> Bench {
        let bench = try Bench(kind)
        for (language, tag) in zip(languages, tags) {
            bench.transport.on(Bench.base + "/a", Self.variant("text in \(language)", tag: tag))
            // The stored tags are not sent, so that each variant arrives as a response of its own.
            try await bench.fill("/a", Self.language(language))
            bench.clock.advance(by: .seconds(1))
        }
        return bench
    }

    @Test("several variants answer side by side", arguments: Bench.StoreKind.allCases)
    func sideBySide(_ kind: Bench.StoreKind) async throws {
        let bench = try await bench(["en", "de", "fr"], kind: kind)
        for language in ["de", "fr", "en"] {
            let seen = try await bench.seen("/a", Self.language(language))
            #expect(seen == Seen(200, "text in \(language)", requests: 0))
        }
        #expect(try await bench.store.usage().entries == 3)
    }

    struct Match: Sendable, CustomTestStringConvertible {
        var stored: [String]
        var presented: [String]
        var matches: Bool
        var source: String
        var testDescription: String { "\(stored) and \(presented): \(matches), as \(source)" }
    }

    @Test(
        "§4.1: when nominated fields match",
        arguments: [
            Match(stored: ["en"], presented: ["en"], matches: true, source: "equal"),
            Match(stored: ["en"], presented: ["de"], matches: false, source: "not equal"),
            Match(stored: ["en, de"], presented: ["en,de"], matches: true, source: "whitespace"),
            Match(stored: ["en, de"], presented: ["en", "de"], matches: true, source: "combining lines"),
            Match(stored: [], presented: [], matches: true, source: "\"only match another request if … also absent\""),
            Match(stored: [], presented: ["en"], matches: false, source: "absent there, present here"),
            Match(stored: ["en"], presented: [], matches: false, source: "present there, absent here"),
        ])
    func matching(_ row: Match) async throws {
        func fields(_ lines: [String]) -> HTTPFields {
            HTTPFields(lines.map { HTTPField(name: .acceptLanguage, value: $0) })
        }
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a", Self.variant("x", tag: nil))
        try await bench.fill("/a", fields(row.stored))
        #expect(try await bench.seen("/a", fields(row.presented)).requests == (row.matches ? 0 : 1))
    }

    @Test(
        "§4.1: of several, one without Vary among them, \"the most recent … with a valid Vary field value\" answers",
        arguments: [
            ("Tue, 14 Nov 2023 22:13:10 GMT", "Tue, 14 Nov 2023 22:13:15 GMT"),
            ("Tue, 14 Nov 2023 22:13:15 GMT", "Tue, 14 Nov 2023 22:13:10 GMT"),
        ])
    func forgottenVary(_ english: String, _ plain: String) async throws {
        let bench = try Bench()
        bench.answers(
            "/a",
            [
                Self.variant("english", tag: "\"1\"", date: english),
                Self.variant("plain", tag: "\"2\"", date: plain, vary: nil),
            ])
        try await bench.fill("/a", Self.language("en"))
        try await bench.fill("/a", Self.language("de"))
        #expect(try await bench.seen("/a", Self.language("en")) == Seen(200, "english", requests: 0))
        #expect(try await bench.seen("/a", Self.language("de")) == Seen(200, "plain", requests: 0))
    }

    @Test("§4.3.1: a vary-miss sends the tags of all, and the 304 selects one", arguments: Bench.StoreKind.allCases)
    func selects(_ kind: Bench.StoreKind) async throws {
        let bench = try await bench(["en", "de"], kind: kind)
        bench.answer(
            "/a", 304, [.eTag: "\"1\"", .vary: "Accept-Language", .cacheControl: "max-age=60"])
        let (response, text) = try await bench.text("/a", Self.language("fr"))
        #expect(response.head.status == .ok && text == "text in en")
        #expect(response.cacheStatus.forward == .varyMiss && response.cacheStatus.forwardStatus == 304)
        let sent = try #require(bench.transport.requests.last).head.headerFields
        let tags = (sent[.ifNoneMatch] ?? "").split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
        #expect(Set(tags.map(String.init)) == ["\"1\"", "\"2\""])
        #expect(sent[.ifModifiedSince] == nil)
        // From now on the request has a variant too, with the confirmed body.
        for (language, text) in [("fr", "text in en"), ("en", "text in en"), ("de", "text in de")] {
            #expect(try await bench.seen("/a", Self.language(language)) == Seen(200, text, requests: 0))
        }
        let usage = try await bench.store.usage()
        #expect(usage.entries == 3 && usage.bodies == 2)
    }

    struct Unnamed: Sendable, CustomTestStringConvertible {
        var tag: String?
        var source: String
        var testDescription: String { "\(tag ?? "no tag"): \(source)" }
    }

    @Test(
        "§4.3.4: a 304 that names no stored variant is followed by a request without conditions",
        arguments: [
            Unnamed(tag: nil, source: "with two stored, it does not say which"),
            Unnamed(tag: "\"9\"", source: "\"MUST NOT use the new response to update any stored responses\""),
            Unnamed(tag: "W/\"9\"", source: "no stored tag matches"),
        ])
    func unnamed(_ row: Unnamed) async throws {
        let bench = try await bench(["en", "de"])
        bench.transport.on(Bench.base + "/a") { request in
            var fields: HTTPFields = [.vary: "Accept-Language", .cacheControl: "max-age=60"]
            fields[.eTag] = row.tag
            return request.head.headerFields[.ifNoneMatch] == nil
                ? ScriptedTransport.answer(200, fields, body: "own") : ScriptedTransport.answer(304, fields)
        }
        #expect(try await bench.seen("/a", Self.language("fr")) == Seen(200, "own", requests: 2))
        #expect(try await bench.seen("/a", Self.language("fr")) == Seen(200, "own", requests: 0))
        #expect(try await bench.seen("/a", Self.language("en")) == Seen(200, "text in en", requests: 0))
    }

    @Test(
        "§4.3.4: a strong tag freshens all that have it of \"those that could have been chosen for that request\"",
        arguments: [
            // The second variant has no Vary, so it could have answered the first request, too.
            (String?.none, 0),
            // The 304 says what the origin selects for "en"; for "de" it may select another one by now.
            ("Accept-Language", 1),
        ])
    func strongFreshensAll(_ vary: String?, _ requests: Int) async throws {
        let bench = try Bench()
        bench.answers("/a", [Self.variant("same", tag: "\"1\""), Self.variant("same", tag: "\"1\"", vary: vary)])
        try await bench.fill("/a", Self.language("en"))
        try await bench.fill("/a", Self.language("de"))
        bench.clock.advance(by: .seconds(100))
        bench.answer("/a", 304, [.eTag: "\"1\"", .cacheControl: "max-age=60"])
        #expect(try await bench.seen("/a", Self.language("en")) == Seen(200, "same", requests: 1))
        #expect(try await bench.seen("/a", Self.language("de")) == Seen(200, "same", requests: requests))
    }

    @Test("§4.3.4: \"for each stored response identified, the cache MUST update its header fields\", also Vary")
    func strongChangesVary() async throws {
        let bench = try Bench()
        bench.answers(
            "/a", [Self.variant("same", tag: "\"1\""), Self.variant("same", tag: "\"1\"", maxAge: 1000, vary: nil)])
        try await bench.fill("/a", Self.language("en"))
        try await bench.fill("/a", Self.language("de"))
        bench.clock.advance(by: .seconds(100))
        bench.answer("/a", 304, [.eTag: "\"1\"", .vary: "Accept", .cacheControl: "max-age=60"])
        #expect(try await bench.seen("/a", Self.language("en")) == Seen(200, "same", requests: 1))
        #expect(try await bench.seen("/a", Self.language("de")) == Seen(200, "same", requests: 0))
        bench.answer("/a", 200, [.vary: "Accept"], body: "other")
        #expect(try await bench.seen("/a", [.accept: "text/plain"]) == Seen(200, "other", requests: 1))
    }

    @Test("§4.3.4: a weak tag freshens the most recent alone")
    func weakFreshensOne() async throws {
        let bench = try await bench(["en", "de"], tags: ["W/\"1\"", "W/\"1\""])
        bench.clock.advance(by: .seconds(100))
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(
                304, [.eTag: "W/\"1\"", .vary: "Accept-Language", .cacheControl: "max-age=60"])
        }
        #expect(try await bench.seen("/a", Self.language("de")) == Seen(200, "text in de", requests: 1))
        #expect(try await bench.seen("/a", Self.language("de")) == Seen(200, "text in de", requests: 0))
        // The other variant was not updated, so it is validated by itself, and has its own content.
        #expect(try await bench.seen("/a", Self.language("en")) == Seen(200, "text in en", requests: 1))
    }

    @Test("a variant without a validator can't be confirmed, so the whole is asked for")
    func withoutValidator() async throws {
        let bench = try await bench(["en"], tags: [nil])
        bench.clock.advance(by: .seconds(100))
        bench.transport.on(Bench.base + "/a", Self.variant("again", tag: nil))
        #expect(try await bench.seen("/a", Self.language("en")) == Seen(200, "again", requests: 1))
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == nil)
    }

    @Test("the client's own condition goes to the origin as it is when no variant is selected")
    func clientCondition() async throws {
        let bench = try await bench(["en", "de"])
        bench.answer("/a", 304, [.eTag: "\"7\"", .vary: "Accept-Language"])
        var fields = Self.language("fr")
        fields[.ifNoneMatch] = "\"7\""
        #expect(try await bench.seen("/a", fields) == Seen(304, "", requests: 1))
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == "\"7\"")
    }

    @Test("a new response to a vary-miss is stored beside the others")
    func stored() async throws {
        let bench = try await bench(["en", "de"])
        bench.transport.on(Bench.base + "/a", Self.variant("text in fr", tag: "\"3\""))
        #expect(try await bench.seen("/a", Self.language("fr")) == Seen(200, "text in fr", requests: 1))
        for language in ["en", "de", "fr"] {
            #expect(try await bench.seen("/a", Self.language(language)).requests == 0)
        }
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var before: String?
        var after: String?
        /// Of the first response.
        var status = 200
        var testDescription: String { "\(status) with Vary \(before ?? "–"), then 200 with \(after ?? "–")" }
    }

    static let changes = [
        Change(before: "Accept-Language", after: nil), Change(before: "Accept-Language", after: ""),
        Change(before: "Accept-Language", after: nil, status: 404),
        Change(before: "Accept-Language", after: "Accept-Encoding"),
        Change(before: "Accept-Language", after: "Accept-Language, Accept-Encoding"),
        Change(before: "Accept-Language, Accept-Encoding", after: "Accept-Language"),
        Change(before: nil, after: "Accept-Language"),
    ]

    private func bench(_ change: Change, _ kind: Bench.StoreKind, control: String) throws -> Bench {
        let bench = try Bench(kind)
        bench.answers(
            "/a",
            [(change.status, change.before, "old"), (200, change.after, "new")].map { status, vary, text in
                { _ in
                    var fields: HTTPFields = [.cacheControl: control, .eTag: "\"\(text)\""]
                    fields[.vary] = vary
                    return ScriptedTransport.answer(status, fields, body: text)
                }
            })
        return bench
    }

    @Test(
        "§4.3.3: a full answer takes the place of all that its request selects, whatever either nominates",
        arguments: changes, Bench.StoreKind.allCases)
    func replaced(_ change: Change, _ kind: Bench.StoreKind) async throws {
        let fields: HTTPFields = [.acceptLanguage: "en", .acceptEncoding: "gzip"]
        let (reload, other) = (ExchangeContext(mode: .reload), Self.language("de"))
        let stale = try bench(change, kind, control: "max-age=10")
        try await stale.fill("/a", fields)
        stale.clock.advance(by: .seconds(100))
        #expect(try await stale.seen("/a", fields) == Seen(200, "new", requests: 1))
        #expect(try await stale.seen("/a", fields) == Seen(200, "new", requests: 0))
        #expect(try await stale.store.usage().entries == 1)
        let fresh = try bench(change, kind, control: "max-age=1000")
        try await fresh.fill("/a", fields)
        fresh.clock.advance(by: .seconds(1))
        #expect(try await fresh.seen("/a", fields, context: reload) == Seen(200, "new", requests: 1))
        #expect(try await fresh.seen("/a", fields) == Seen(200, "new", requests: 0))
        // What other requests select stays.
        let selective = try bench(change, kind, control: "max-age=1000")
        guard change.before?.hasPrefix("Accept-Language") == true, change.status == 200 else { return }
        try await selective.fill("/a", other)
        selective.clock.advance(by: .seconds(1))
        try await selective.fill("/a", fields)
        #expect(try await selective.seen("/a", other) == Seen(200, "old", requests: 0))
    }

    @Test("what the app supplies takes the place of all that its request selects", arguments: Bench.StoreKind.allCases)
    func replacedByApp(_ kind: Bench.StoreKind) async throws {
        let bench = try bench(Change(before: "Accept-Language"), kind, control: "max-age=1000")
        try await bench.fill("/a", Self.language("en"))
        bench.clock.advance(by: .seconds(1))
        let head = HTTPRequest(
            method: .get, scheme: "https", authority: "example.com", path: "/a", headerFields: Self.language("en"))
        try await bench.cache.store(
            HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=1000"]), content: Array("own".utf8),
            for: EngineRequest(head: head))
        #expect(try await bench.seen("/a", Self.language("en")) == Seen(200, "own", requests: 0))
    }

    @Test("a HEAD can select a variant as well")
    func selectedByHead() async throws {
        let bench = try await bench(["en", "de"])
        bench.answer("/a", 304, [.eTag: "\"2\"", .vary: "Accept-Language", .cacheControl: "max-age=60"])
        let (head, text) = try await bench.text("/a", Self.language("fr"), method: .head)
        #expect(head.head.status == .ok && text.isEmpty)
        #expect(head.head.headerFields[.contentLength] == "10" && head.head.headerFields[.eTag] == "\"2\"")
        #expect(try await bench.seen("/a", Self.language("fr")) == Seen(200, "text in de", requests: 0))
    }

    @Test("a variant that can't be stored still answers")
    func storeFails() async throws {
        let bench = try await bench(["en", "de"])
        bench.answer("/a", 304, [.eTag: "\"2\"", .vary: "Accept-Language"])
        bench.store.setFault(.committing)
        #expect(try await bench.seen("/a", Self.language("fr")) == Seen(200, "text in de", requests: 1))
        #expect(try await bench.seen("/a", Self.language("de")) == Seen(200, "text in de", requests: 0))
    }

    @Test("§3.3: a 304 can't select a part that is stored for other nominated fields")
    func partIsNotSelected() async throws {
        let bench = try await bench(["en"])
        let origin = RangeOrigin(
            body: Array("text in en".utf8), tag: "\"1\"",
            fields: [.cacheControl: "max-age=60", .vary: "Accept-Language"])
        bench.transport.on(Bench.base + "/a") { origin.answer($0) }
        var fields = Self.language("de")
        fields[.range] = "bytes=0-3"
        #expect(try await bench.seen("/a", fields) == Seen(206, "text", requests: 1))
        #expect(try await bench.seen("/a", Self.language("fr")) == Seen(200, "text in en", requests: 1))
    }

    @Test("§3, §4.3.4: no-store in a 304 also protects a part that it confirms beside the whole")
    func partIsNotUpdated() async throws {
        let bench = try await bench(["en"])
        let origin = RangeOrigin(body: Array("text in en".utf8), tag: "\"1\"")
        bench.transport.on(Bench.base + "/a") { origin.answer($0) }
        var fields = Self.language("de")
        fields[.range] = "bytes=0-3"
        #expect(try await bench.seen("/a", fields) == Seen(206, "text", requests: 1))
        bench.clock.advance(by: .seconds(100))
        bench.answer("/a", 304, [.eTag: "\"1\"", .cacheControl: "no-store", .vary: "Accept"])
        #expect(try await bench.seen("/a", Self.language("en")) == Seen(200, "text in en", requests: 1))
        let stored = try await bench.store.entries(for: bench.key("/a"))
        #expect(stored.map { $0.response.fields[.cacheControl] } == ["max-age=60", "max-age=60"])
    }

    @Test(
        "Fetch §3.3.5: a request of the own origin is not checked; others need its permission",
        arguments: [("https://example.com", true), ("https://partner.test", true), ("https://other.test", false)])
    func origins(_ origin: String, _ isHit: Bool) async throws {
        let bench = try Bench()
        let fields: HTTPFields = [.cacheControl: "max-age=60", .accessControlAllowOrigin: "https://partner.test"]
        bench.answer("/a", 200, fields, body: "a")
        var context = ExchangeContext()
        context.checksAllowedOrigin = true
        try await bench.fill("/a", context: context)
        #expect(Bench.base == "https://example.com")
        let answer = try await bench.text("/a", [.origin: origin], context: context)
        #expect(answer.response.cacheStatus.isHit == isHit)
    }

    @Test(
        "a 304 changes nothing that web views keep as it came (§3.2, CacheValidation.cpp), and all else",
        arguments: [true, false])
    func fieldsOfNotModified(inWebView: Bool) async throws {
        let bench = try Bench()
        let names: [HTTPField.Name] = [.contentType, .contentSecurityPolicy, .contentDisposition, .xContentTypeOptions]
        func fields(_ value: String) -> HTTPFields {
            HTTPFields((names + [.server]).map { HTTPField(name: $0, value: value) })
        }
        bench.answer("/a", 200, fields("old") + [.cacheControl: "no-cache", .eTag: "\"1\""], body: "a")
        var context = ExchangeContext()
        context.checksAllowedOrigin = inWebView
        try await bench.fill("/a", context: context)
        bench.answer("/a", 304, fields("new") + [.eTag: "\"1\""])
        let answer = try await bench.text("/a", context: context).response.head.headerFields
        #expect(names.map { answer[$0] } == Array(repeating: inWebView ? "old" : "new", count: names.count))
        #expect(answer[.server] == "new")
    }

    @Test("§4.4: an unsafe request invalidates all variants")
    func invalidated() async throws {
        let bench = try await bench(["en", "de"])
        bench.answer("/a", 204, [:])
        _ = try await bench.seen("/a", method: .delete)
        #expect(try await bench.store.usage().entries == 0)
    }
}
