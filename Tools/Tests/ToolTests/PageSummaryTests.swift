import CacheEngine
import CacheRules
import CacheTesting
import HTTPTypes
import LarderHost
import ResponseStore
import Testing
import WebVisit

@Suite("What a visit showed, in words")
struct PageSummaryTests {
    @Test("what failed is said once for each address, with how often")
    func failures() async throws {
        let log = ReportLog()
        let cache = ResponseCache(
            store: MemoryResponseStore(), transport: ScriptedTransport(),
            configuration: EngineConfiguration(observer: log))
        for path in ["/a", "/b", "/a", "/a"] {
            let head = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: path)
            let context = ExchangeContext(connectivity: .disconnected)
            let answer = await cache.respond(to: EngineRequest(head: head, context: context))
            let source = answer.body.makeSource()
            while try await source.next() != nil {}
        }
        let text = PageSummary(VisitResult(requestedURL: "https://shop.test/"), log.take().map(ExchangeLine.init))
            .text()
        #expect(text.hasPrefix("https://shop.test/: opened, but without https://shop.test/a and 1 more\n"))
        let failed = text.split(separator: "\n").filter { $0.hasPrefix("  failed ") }
        try #require(failed.count == 2, "\(text)")
        #expect(failed[0].contains("https://shop.test/a: there is no network") && failed[0].hasSuffix("  × 3"))
        #expect(failed[1].contains("https://shop.test/b: ") && !failed[1].contains("×"))
    }

    @Test("what is not stored has a line for each reason")
    func unstored() {
        let lines = [("a", "full"), ("b", nil), ("c", "other"), ("d", "full")].map { name, failure in
            var line = Self.line(
                "https://shop.test/\(name)", status: 200, outcome: failure == nil ? "stored" : "forwarded")
            line.storeFailure = failure
            return line
        }
        let text = PageSummary(VisitResult(requestedURL: "https://shop.test/"), lines).text()
        #expect(
            text.contains(
                "  not stored      /a, /d: full\n  not stored      /c: other"), "\(text)")
        #expect(
            !PageSummary(VisitResult(requestedURL: "https://shop.test/"), [lines[1]]).text().contains("  not stored  "))
    }

    @Test("why a response is not stored, and which files are newer by now")
    func newer() async throws {
        let log = ReportLog()
        let transport = ScriptedTransport()
        let cache = ResponseCache(
            store: MemoryResponseStore(), transport: transport,
            configuration: EngineConfiguration(rules: .webViewDefaults, observer: log))
        func text() async throws -> String {
            for (path, destination) in [("/data", Destination.fetch), ("/style.css", .style)] {
                let head = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: path)
                let answer = await cache.respond(
                    to: EngineRequest(head: head, context: ExchangeContext(destination: destination)))
                let source = answer.body.makeSource()
                while try await source.next() != nil {}
            }
            await cache.waitForBackgroundWork()
            await cache.waitForCommits()
            let visit = VisitResult(requestedURL: "https://shop.test/")
            return PageSummary(visit, log.take().map(ExchangeLine.init)).text()
        }
        transport.on("https://shop.test/data") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "no-store", .contentType: "application/json"], body: "{}")
        }
        transport.on("https://shop.test/style.css") { _ in
            ScriptedTransport.answer(200, [.contentType: "text/css"], body: "a {}")
        }
        let first = try await text()
        #expect(
            first.contains("  not stored      /data: 'Cache-Control: no-store' forbids"), "\(first)")
        #expect(!first.contains("sent anew"))
        let second = try await text()
        #expect(
            second.contains("  sent anew       /style.css: shown as stored, and sent"), "\(second)")
    }

    private static func line(_ url: String, status: Int, outcome: String, detail: String? = nil) -> ExchangeLine {
        ExchangeLine(
            method: "GET", url: url, destination: "document", outcome: outcome, status: status, cacheStatus: "Larder",
            detail: detail, rule: nil, bytes: 0, originBytes: 0, millisecondsToHead: 0, milliseconds: 0,
            breaksHashedName: false, background: false, start: 0)
    }

    @Test("why the stored page was shown is said, and that a page states no freshness")
    func answers() {
        let result = VisitResult(requestedURL: "https://shop.test/")
        var stored = Self.line("https://shop.test/", status: 200, outcome: "stale-hit")
        stored.failure = "'shop.test' did not answer within 3.0 seconds."
        let words = PageSummary(result, [stored]).text()
        #expect(
            words.contains(
                "\n  stored page     'shop.test' did not answer within 3.0 seconds; the stored page was shown\n"))
        stored.detail = "disconnected/time-out"
        #expect(PageSummary(result, [stored]).text().contains("was shown, and no answer had come when this ended"))
        var unstated = Self.line("https://shop.test/", status: 200, outcome: "validated")
        unstated.rule = "html-unstated"
        #expect(
            PageSummary(result, [unstated]).text().contains(
                "asks its server first.\n                  'Cache-Control: no-cache' has all caches"))
        var missing = Self.line("https://shop.test/a.js", status: 504, outcome: "failed", detail: "disconnected")
        missing.past = "It came and was not stored: 'no-store' forbids it."
        #expect(
            PageSummary.words(missing) == "there is no network; it came and was not stored: 'no-store' forbids it")
        let usual = PageSummary(result, [Self.line("https://shop.test/", status: 200, outcome: "hit")]).text()
        #expect(!usual.contains("stored page") && !usual.contains("freshness"))
    }

    @Test("a file that its server refuses has a line with its status; those that stored ones stood in for are counted")
    func files() {
        let result = VisitResult(requestedURL: "https://shop.test/")
        var lines = [
            Self.line("https://shop.test/", status: 200, outcome: "miss"),
            Self.line("https://shop.test/a.js", status: 404, outcome: "miss"),
        ]
        lines += (0..<2).map { Self.line("https://shop.test/\($0).css", status: 200, outcome: "stale-hit") }
        for index in lines.indices.dropFirst() { lines[index].destination = "script" }
        for index in 2...3 { lines[index].failure = "'shop.test' answered 503." }
        (lines[0].repeats, lines[2].repeats) = (1, 3)
        let text = PageSummary(result, lines).text()
        #expect(
            text.contains(
                "\n  status 404      https://shop.test/a.js\n"
                    + "  asked again     /: the connection ended before the answer did\n"
                    + "  asked again     /0.css: the connection ended before the answer did, 3 times\n"
                    + "  stored files    'shop.test' answered 503; shown as stored  × 2"), "\(text)")
        for (outcome, isMixed) in [("stored", true), ("stale-hit", false)] {
            (lines[0].destination, lines[0].outcome) = ("document", outcome)
            #expect(PageSummary(result, lines).text().contains("\n  mixture  ") == isMixed)
        }
        var lost = Self.line("https://shop.test/", status: 404, outcome: "miss")
        lost.rule = "html-unstated"
        #expect(!PageSummary(result, [lost]).text().contains("freshness"))
    }

    @Test("a page that was asked for a password and has come is not missing; one that has not is")
    func password() {
        let result = VisitResult(requestedURL: "https://shop.test/")
        let asked = Self.line("https://shop.test/a", status: 401, outcome: "miss")
        let come = Self.line("https://shop.test/a", status: 200, outcome: "miss")
        #expect(PageSummary(result, [asked, come]).text().hasPrefix("https://shop.test/: opened\n"))
        #expect(PageSummary(result, [asked]).text().hasPrefix("https://shop.test/: opened, but without"))
    }

    @Test(
        "a page that does not open says why and what helps",
        arguments: [
            (
                "origin-certificate",
                "the certificate of shop.test:8443 is not trusted; name its authority with --origin-ca"
            ),
            (
                "origin-unreachable",
                "nothing answers at shop.test:8443; check that the server runs, or give its address with --resolve"
            ), ("origin-error", "what shop.test:8443 answers is no HTTP response"),
            ("disconnected", "there is no network (--offline), and nothing is stored for it"),
            ("offline-page", "there is no network, and nothing is stored for it; the offline page is shown"),
            ("redirect", "it redirects to a file (file:), which is not followed"), ("other", "other"),
        ])
    func reasons(detail: String, words: String) {
        var result = VisitResult(requestedURL: "https://shop.test:8443/")
        result.mainStatus = 504
        let failed = Self.line("https://shop.test:8443/", status: 504, outcome: "failed", detail: detail)
        #expect(PageSummary(result, [failed]).text().hasPrefix("https://shop.test:8443/: not opened: \(words)\n"))
    }

    @Test("where the connection says more than that nothing answers, that is told")
    func failure() {
        var result = VisitResult(requestedURL: "https://shop.test/")
        result.mainStatus = 504
        var failed = Self.line("https://shop.test/", status: 504, outcome: "failed", detail: "origin-unreachable")
        for (failure, words) in [
            ("Nothing answers at 'shop.test'; check that.", "nothing answers at shop.test; check that the server runs"),
            ("'shop.test' closed the connection early.", "'shop.test' closed the connection early\n"),
        ] {
            failed.failure = failure
            let text = PageSummary(result, [failed]).text()
            #expect(text.hasPrefix("https://shop.test/: not opened: \(words)"), "\(text)")
        }
    }

    @Test("where a certificate is for another host, that is told")
    func certificate() {
        var result = VisitResult(requestedURL: "https://shop.test/")
        result.mainStatus = 502
        var failed = Self.line("https://shop.test/", status: 502, outcome: "failed", detail: "origin-certificate")
        failed.failure = "The certificate of 'shop.test' is not trusted: it is for 127.0.0.1; have it."
        let text = PageSummary(result, [failed]).text()
        #expect(
            text.hasPrefix(
                "https://shop.test/: not opened: the certificate of 'shop.test' is not trusted: it is for 127.0.0.1; "
                    + "have it\n"),
            "\(text)")
    }

    @Test("what nobody waited for is counted apart")
    func background() async throws {
        let log = ReportLog()
        let clock = ManualClock()
        let transport = ScriptedTransport()
        transport.on("https://shop.test/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=60, stale-while-revalidate=600"], body: "a")
        }
        let cache = ResponseCache(
            store: MemoryResponseStore(), transport: transport,
            configuration: EngineConfiguration(clock: clock.engineClock, observer: log))
        for _ in 1...2 {
            let head = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: "/a")
            let source = await cache.respond(to: EngineRequest(head: head)).body.makeSource()
            while try await source.next() != nil {}
            await cache.waitForBackgroundWork()
            clock.advance(by: .seconds(90))
        }
        let summary = PageSummary(VisitResult(requestedURL: "https://shop.test/"), log.take().map(ExchangeLine.init))
        #expect(
            summary.text().contains(
                "  requests        3 (1 stored, stale; 2 fetched, stored), 1 of them in the background\n"))
        let json = try summary.json()
        #expect(json.components(separatedBy: "\"background\" : true").count == 2, "\(json)")
        #expect(json.components(separatedBy: "\"background\" : false").count == 3)
    }

    @Test("what the console says again and again is said once, and of much no more than twenty lines")
    func console() throws {
        var result = VisitResult(requestedURL: "https://shop.test/")
        result.console = (1...3).map { _ in ConsoleMessage(level: .error, source: "js", text: "no settings") }
        result.console.append(ConsoleMessage(level: .warning, source: "js", text: "slow"))
        let lines = { (result: VisitResult) in PageSummary(result, []).text().split(separator: "\n") }
        // An error may be why the page is broken, and stands first.
        #expect(
            lines(result)[1] == "  console error   no settings  × 3" && lines(result).last == "  console warning slow")
        result.console += (1...30).map { ConsoleMessage(level: .error, source: "js", text: "number \($0)") }
        #expect(
            lines(result)[20] == "  console error   number 19"
                && lines(result)[21] == "  … and 11 more; --json shows all")
        #expect(try PageSummary(result, []).json().contains("number 30"))
    }

    @Test("a page that the web view refused to open was not opened (WebKit, restricted ports)")
    func refused() {
        var result = VisitResult(requestedURL: "http://shop.test:9/")
        result.finalURL = "about:blank"
        let summary = PageSummary(result, [])
        #expect(!summary.isSuccess)
        #expect(summary.text().hasPrefix("http://shop.test:9/: not opened: the web view refused the address\n"))
        #expect(summary.text().contains("  requests        0\n"))
    }

    @Test("a page that is not opened is named by its address, not by the title of the page that says so")
    func offline() {
        var result = VisitResult(requestedURL: "https://shop.test/")
        (result.title, result.mainStatus) = ("You are offline", 504)
        #expect(PageSummary(result, []).text().hasPrefix("https://shop.test/: not opened: status 504\n"))
    }

    @Test("why there is no picture is said")
    func picture() {
        var result = VisitResult(requestedURL: "https://shop.test/")
        result.scriptError = "The picture cannot be written."
        #expect(PageSummary(result, []).text().hasSuffix("\n  problem         The picture cannot be written."))
    }

    @Test("what got past Larder is said where addresses are turned, in words and as JSON")
    func addresses() throws {
        let result = VisitResult(requestedURL: "https://shop.test/")
        let past = { (report: AddressReport?) in
            PageSummary(result, [], addresses: report).text().split(separator: "\n").filter {
                $0.contains("past Larder")
            }
        }
        #expect(past(nil).isEmpty)
        #expect(past(AddressReport()) == ["  past Larder     0 requests of the page's own host"])
        let report = AddressReport(repaired: 3, escaped: 2, faults: 8, fallbacks: 1)
        #expect(
            past(report) == [
                "  past Larder     2 requests of the page's own host; addresses turned late: 3; faults of the injected scripts: 8; documents left to themselves: 1"
            ])
        #expect(try PageSummary(result, [], addresses: report).json().contains(#""escaped" : 2"#))
    }
}
