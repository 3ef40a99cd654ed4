import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Redirects that a page is told of by the injected script", .timeLimit(.minutes(5)))
struct RedirectMarkTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var url = "https://page.test/a"
        var mark: String? = "moved-1"
        var location: String?
        /// What the status text is.
        var text: String
    }

    private static let rows = [
        Row(testDescription: "no redirect", text: ""),
        Row(testDescription: "a redirect", location: "/b?c", text: "moved-1 https://page.test/b?c ="),
        Row(
            testDescription: "one with a fragment, Fetch §5.5", location: "/b#d", text: "moved-1 https://page.test/b ="),
        Row(
            testDescription: "to another origin", location: "https://api.test/b",
            text: "moved-1 https://api.test/b ="),
        Row(
            testDescription: "at the app-cache scheme, the page's own host", url: "app-cache-https://page.test/a",
            location: "/b", text: "moved-1 app-cache-https://page.test/b ="),
        Row(
            testDescription: "at the app-cache scheme, another host", url: "app-cache-https://page.test/a",
            location: "https://api.test/b", text: "moved-1 https://api.test/b ="),
        Row(testDescription: "a request that the script has not seen", mark: nil, location: "/b", text: ""),
    ]

    @Test(
        "the address behind redirects stands before the status text, where the script has seen the request",
        arguments: rows)
    func address(_ row: Row) async throws {
        let bench = ResponderBench()
        if let location = row.location { bench.on("https://page.test/a", 302, [.location: location]) }
        for url in ["https://page.test/a", "https://page.test/b", "https://page.test/b?c", "https://api.test/b"]
        where row.location == nil || !url.hasSuffix("/a") {
            bench.on(url, 200, [.accessControlAllowOrigin: "*"], body: "done")
        }
        var observed = RequestEvidence(
            method: .get, url: row.url,
            fields: [
                FetchField.secFetchMode: "cors", .secFetchDest: "empty",
                FetchField.secFetchSite: "same-origin", .origin: "https://page.test",
            ], topLevelURL: "https://page.test/", navigation: RequestEvidence.Navigation.none)
        observed.redirectMark = row.mark
        let outcome = await bench.responder.answer(observed).outcome()
        let head = try outcome.get().head
        #expect(head.status.code == 200 && head.status.reasonPhrase == row.text)
        #expect(!head.headerFields.contains { $0.value.contains("moved-1") })
    }

    @Test("a hit tells the address without the password of the request as a miss does (Fetch §4.6; issue 28)")
    func passwords() async throws {
        let bench = ResponderBench()
        bench.on("https://page.test/a", 200, [.cacheControl: "max-age=600"], body: "done")
        for isHit in [false, true] {
            var observed = RequestEvidence(
                method: .get, url: "https://user:pw@page.test/a",
                fields: [
                    FetchField.secFetchMode: "cors", .secFetchDest: "empty",
                    FetchField.secFetchSite: "same-origin", .origin: "https://page.test",
                ], topLevelURL: "https://page.test/", navigation: RequestEvidence.Navigation.none)
            observed.redirectMark = "moved-1"
            let answer = bench.responder.answer(observed)
            if case .ready = answer { #expect(isHit) } else { #expect(!isHit) }
            let response = try await answer.outcome().get()
            #expect(response.head.status.reasonPhrase == "moved-1 https://page.test/a =")
            #expect(try await response.body.collect(upTo: .kibibytes(1)) == Array("done".utf8))
            await bench.cache.waitForBackgroundWork()
        }
    }
}
