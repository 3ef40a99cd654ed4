import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

/// RFC 9110 §15.4.5: 304 says that a condition was false; without a condition it says nothing.
@Suite("A 304 that nobody asked for", .timeLimit(.minutes(5)))
struct UnaskedNotModifiedTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var method = HTTPRequest.Method.get
        var fields: HTTPFields = [:]
        /// Sent to the client; 502 is §15.6.3, "an invalid response from an inbound server".
        var status: Int
        var testDescription: String { "\(method) \(fields.map(\.description)): \(status)" }
    }

    private static let notModified: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=60"]

    @Test(
        "is the origin's error, and never stored; one that the client's own condition asked for is passed on",
        arguments: [
            Row(status: 502), Row(method: .head, status: 502),
            // §13.1.1, §13.1.4: where these are false the answer is 412. §13.1.5: where this is false, it is 200.
            Row(fields: [.ifMatch: "\"1\""], status: 502),
            Row(fields: [.ifUnmodifiedSince: "Tue, 14 Nov 2023 22:15:00 GMT"], status: 502),
            Row(fields: [.range: "bytes=0-1", .ifRange: "\"1\""], status: 502),
            // §15.4.5 is about GET and HEAD.
            Row(method: .post, status: 304), Row(method: .options, status: 304),
            // §13.1.2, §13.1.3.
            Row(fields: [.ifNoneMatch: "\"1\""], status: 304),
            Row(fields: [.ifModifiedSince: "Tue, 14 Nov 2023 22:15:00 GMT"], status: 304),
            Row(method: .head, fields: [.ifNoneMatch: "\"1\""], status: 304),
        ])
    func nothingStored(_ row: Row) async throws {
        let bench = try Bench()
        bench.answer("/a", 304, Self.notModified)
        #expect(try await bench.seen("/a", row.fields, method: row.method) == Seen(row.status, "", requests: 1))
        #expect(try await bench.stored("/a") == nil)
        let report = try #require(bench.recorder.reports.first)
        #expect(report.outcome == (row.status == 502 ? .failed : .forwarded))
        #expect(!report.cacheStatus.isStored && report.status == row.status)
        if row.status == 502 {
            #expect(report.cacheStatus.forwardStatus == 304 && report.cacheStatus.detail == "origin-error")
        }
    }

    @Test("a stored response without a validator answers in its place where it may answer for errors (RFC 5861 §4)")
    func staleInstead() async throws {
        for (terms, expected) in [
            ("max-age=1, stale-if-error=60", Seen(200, "one", requests: 1)),
            ("max-age=1, must-revalidate", Seen(502, "", requests: 1)),
        ] {
            let bench = try Bench()
            bench.answers(
                "/a",
                [
                    { _ in ScriptedTransport.answer(200, [.cacheControl: terms], body: "one") },
                    { _ in ScriptedTransport.answer(304, Self.notModified) },
                ])
            try await bench.fill("/a")
            bench.clock.advance(by: .seconds(10))
            #expect(try await bench.seen("/a") == expected, "\(terms)")
        }
    }

    @Test("in place of the rest of a response, the whole is asked for")
    func restOfPart() async throws {
        let bench = try Bench()
        bench.answers(
            "/a",
            [
                { _ in
                    ScriptedTransport.answer(
                        206, [.contentRange: "bytes 0-1/4", .eTag: "\"1\"", .cacheControl: "max-age=60"], body: "ab")
                },
                { _ in ScriptedTransport.answer(304, Self.notModified) },
                { _ in ScriptedTransport.answer(200, [.eTag: "\"2\"", .cacheControl: "max-age=60"], body: "wxyz") },
            ])
        try await bench.fill("/a", [.range: "bytes=0-1"])
        #expect(try await bench.seen("/a") == Seen(200, "wxyz", requests: 2))
    }
}
