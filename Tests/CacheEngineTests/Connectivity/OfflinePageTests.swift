import CacheRules
import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §5.2.1.7, RFC 9110 §15.6.5: the app's own page in place of a document", .timeLimit(.minutes(5)))
struct OfflinePageTests {
    private static let page: OfflinePage = {
        var page = OfflinePage(Array("<p>& gone</p>".utf8))
        page.reloadsOnReturn = false
        return page
    }()

    private func bench(rules: RuleList = RuleList([Rule.disconnected])) throws -> Bench {
        try Bench(rules: rules) { $0.offlinePage = { $0.path == "/other" ? nil : Self.page } }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var destination = Destination.document
        var method = HTTPRequest.Method.get
        var path = "/a"
        var presented: HTTPFields = [:]
        var connectivity = Connectivity.connected
        /// Why the transport fails, if it is asked.
        var failure = TransportError.Code.connectionFailed
        var isPage: Bool
        var source: String
        var testDescription: String { "\(source): \(isPage)" }
    }

    private static let rows: [Row] =
        [
            Row(connectivity: .disconnected, isPage: true, source: "no network"),
            Row(isPage: true, source: "nobody listens"),
            Row(failure: .nameNotResolved, isPage: true, source: "no address"),
            Row(failure: .timedOut, isPage: true, source: "no answer in time"),
            Row(destination: .iframe, connectivity: .disconnected, isPage: true, source: "a frame is a document"),
            Row(method: .head, connectivity: .disconnected, isPage: true, source: "HEAD has the same fields"),
            Row(method: .post, connectivity: .disconnected, isPage: false, source: "a submitted form is not a page"),
            Row(path: "/other", connectivity: .disconnected, isPage: false, source: "the provider has no page for it"),
            Row(failure: .certificateUntrusted, isPage: false, source: "a bad certificate is never hidden"),
            Row(failure: .tlsFailed, isPage: false, source: "a server that speaks no TLS that we do"),
            Row(failure: .closedEarly, isPage: true, source: "closed without an answer"),
            Row(failure: .malformedResponse, isPage: false, source: "a server answered with something else"),
            Row(
                presented: [.cacheControl: "only-if-cached"], isPage: false,
                source: "§5.2.1.7: the client's directive, not the network"),
        ]
        + [Destination.script, .style, .image, .fetch, .unknown].map {
            Row(destination: $0, connectivity: .disconnected, isPage: false, source: "\($0) is no document")
        }

    @Test("when the page answers, and when it does not", arguments: rows)
    func answers(_ row: Row) async throws {
        let bench = try bench()
        bench.transport.on(Bench.base + row.path) { _ in throw TransportError(code: row.failure, message: "gone") }
        let (response, text) = try await bench.text(
            row.path, row.presented, method: row.method,
            context: ExchangeContext(destination: row.destination, connectivity: row.connectivity))
        #expect(response.failure != nil)
        #expect((response.cacheStatus.detail == "offline-page") == row.isPage)
        let fields = response.head.headerFields
        #expect(fields[.cacheControl] == "no-store")
        if row.isPage {
            #expect(response.head.status == .gatewayTimeout)
            #expect(text == (row.method == .head ? "" : "<p>& gone</p>"))
            #expect(fields[.contentType] == "text/html; charset=utf-8" && fields[.contentLength] == "13")
            #expect(fields[.contentSecurityPolicy] == OfflinePage.defaultPolicy)
        } else {
            #expect(!text.contains("& gone"))
        }
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test("a stored response comes first; one that forbids staleness (§5.2.2.2) gives way to the page")
    func stored() async throws {
        for (cacheControl, rules, expected) in [
            ("max-age=60", RuleList.protocolOnly, "old"),
            ("max-age=60, must-revalidate", .protocolOnly, "<p>& gone</p>"),
            ("max-age=60, must-revalidate", RuleList([Rule.disconnected]), "old"),
        ] {
            let bench = try bench(rules: rules)
            bench.answer("/a", 200, [.cacheControl: cacheControl], body: "old")
            try await bench.fill("/a")
            bench.clock.advance(by: .seconds(100))
            bench.transport.on(Bench.base + "/a") { try Bench.unreachable($0) }
            #expect(try await bench.text("/a", context: ExchangeContext(destination: .document)).text == expected)
            #expect(try await bench.stored("/a") == "old")
        }
    }

    @Test("the page has the fields that the app chose")
    func fields() {
        var fields = OfflinePage([], contentType: "text/plain", contentSecurityPolicy: nil).answer.head.headerFields
        #expect(fields.removeValue(for: .contentType) == ["text/plain"])
        #expect(fields == [.cacheControl: "no-store", .contentLength: "0"])
    }
}

extension HTTPFields {
    fileprivate mutating func removeValue(for name: HTTPField.Name) -> [String] {
        defer { self[name] = nil }
        return self[values: name]
    }

    @Test(
        "a newer copy in the web view's own cache does not hide the older page that answers, as by RFC 9110 §13.1.3",
        arguments: [false, true])
    func olderThanOwnCopy(_ isWebView: Bool) async throws {
        let bench = try Bench(rules: isWebView ? .webViewDefaults : .protocolOnly)
        let stored: HTTPFields = [.lastModified: "Tue, 01 Jan 2019 00:00:02 GMT", .cacheControl: "max-age=600"]
        bench.answer("/a", 200, stored, body: "2")
        #expect(try await bench.text("/a").text == "2")
        for second in [2, 3] {
            let fields: HTTPFields = [.ifModifiedSince: "Tue, 01 Jan 2019 00:00:0\(second) GMT"]
            let isOther = isWebView && second == 3
            let answer = try await bench.text("/a", fields)
            #expect(answer.response.head.status.code == (isOther ? 200 : 304) && answer.text == (isOther ? "2" : ""))
        }
        #expect(bench.transport.requests.count == 1)
    }
}
