import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("Fetching ahead of need", .timeLimit(.minutes(5)))
struct FetchingTests {
    @Test(
        "Sec-Fetch-Site says how far a file is from the page that will ask (Fetch Metadata §2.3)",
        arguments: [
            ("https://shop.test", "https://shop.test/a", "same-origin"), (nil, "https://shop.test/a", "same-origin"),
            ("https://www.shop.test", "https://shop.test/a", "same-site"),
            ("https://shop.test", "https://shop.test:8443/a", "same-site"),
            ("http://shop.test", "https://shop.test/a", "cross-site"),
            ("https://evil.test", "https://shop.test/a", "cross-site"),
            ("https://evil.co.uk", "https://shop.co.uk/a", "cross-site"),
            ("https://10.0.0.1", "https://20.0.0.1/a", "cross-site"),
            ("https://10.0.0.1", "https://10.0.0.1:81/a", "same-site"),
        ] as [(String?, String, String)])
    func relation(_ origin: String?, _ url: String, _ relation: String) {
        let item = PreloadItem(url: url, destination: .script, origin: origin)
        #expect(item.relation(to: url)?.rawValue == relation)
    }

    @Test("what was fetched answers the page without the network", arguments: PreloadBench.StoreKind.allCases)
    func used(_ kind: PreloadBench.StoreKind) async throws {
        let bench = try PreloadBench(kind)
        let items = [bench.file("/a.js", "a"), bench.file("/b.js", "bb"), PreloadBench.item("/c.js", nil)]
        bench.answer("/c.js", body: "ccc")
        let summary = await bench.preload(items)
        #expect(summary.verified == 3 && summary.isSettled && summary.transferred == ByteCount(6))
        for (path, text) in [("/a.js", "a"), ("/b.js", "bb"), ("/c.js", "ccc")] {
            let answer = await bench.page(path)
            #expect(answer.cacheStatus.isHit)
            #expect(try await bench.text(answer) == text)
        }
        #expect(bench.transport.requests.count == 3)
        let prefix = PreloadBench.base
        #expect(try await bench.uris() == [prefix + "/a.js", prefix + "/b.js", prefix + "/c.js"])
    }

    @Test("a file that says Clear-Site-Data removes nothing: no page has asked for it (Clear Site Data §4.1)")
    func clearSiteData() async throws {
        let bench = try PreloadBench()
        let name = try #require(HTTPField.Name("Clear-Site-Data"))
        let items = [
            bench.file("/a.js", "a"), bench.file("/b.js", "b", [.cacheControl: "max-age=60", name: "\"*\""]),
        ]
        let summary = await bench.preload(items)
        #expect(summary.verified == 2 && summary.isSettled)
        #expect(try await bench.uris() == [PreloadBench.base + "/a.js", PreloadBench.base + "/b.js"])
    }

    @Test("what is stored and verified is not fetched again, by the next process either")
    func difference() async throws {
        let bench = try PreloadBench(.disk)
        let items = (0..<20).map { bench.file("/\($0).js", "file \($0)") }
        await bench.preload(items)
        #expect(bench.transport.requests.count == 20)
        let again = try bench.restarted()
        let more = again.file("/new.js", "new")
        let events = again.queue.events
        let summary = await again.preload(items + [more])
        #expect(summary.verified == 21 && summary.transferred == ByteCount(3))
        #expect(bench.transport.requests.count == 21)
        var sources: [PreloadEvent.Source] = []
        for await event in events {
            if case .verified(_, _, let source, _) = event { sources.append(source) }
            if case .done = event { break }
        }
        #expect(sources.filter { $0 == .store }.count == 20 && sources.filter { $0 == .network }.count == 1)
    }

    @Test("what a page stored counts once its content is verified; the fact stays when the origin confirms it")
    func verifiesStored() async throws {
        let bench = try PreloadBench()
        bench.on("/a.js") { request in
            request.head.headerFields[.ifNoneMatch] == nil
                ? ScriptedTransport.answer(200, [.cacheControl: "max-age=10", .eTag: "\"1\""], body: "good")
                : ScriptedTransport.answer(304, [.cacheControl: "max-age=10", .eTag: "\"1\""])
        }
        _ = try await bench.text(await bench.page("/a.js"))
        let item = PreloadBench.item("/a.js", "good")
        #expect(await bench.preload([item]).verified == 1)
        let tag = VerifiedContent.tag(try #require(item.content?.sha256))
        func tags() async throws -> [String] {
            try await bench.store.entries(for: CacheKey(uri: item.url)).flatMap(\.response.tags)
        }
        #expect(try await tags() == [tag, VerifiedContent.visited])
        bench.clock.advance(by: .seconds(60))
        _ = try await bench.text(await bench.page("/a.js"))
        #expect(bench.transport.requests.count == 2)
        #expect(try await tags() == [tag, VerifiedContent.visited])
        #expect(await bench.preload([item]).verified == 1)
        #expect(bench.transport.requests.count == 2)
    }

    @Test("another content under the same address replaces the old one once it is verified, and not before")
    func replaced() async throws {
        let bench = try PreloadBench()
        await bench.preload([bench.file("/a.js", "old")])
        bench.answer("/a.js", body: "bad")
        let wrong = await bench.preload([PreloadBench.item("/a.js", "new")])
        #expect(wrong.refused == [.hashMismatch: 1])
        #expect(try await bench.text(await bench.page("/a.js")) == "old")
        bench.answer("/a.js", body: "new")
        #expect(await bench.preload([PreloadBench.item("/a.js", "new")]).verified == 1)
        #expect(try await bench.text(await bench.page("/a.js")) == "new")
        #expect(try await bench.uris() == [PreloadBench.base + "/a.js"])
    }

    @Test("boot comes before page and page before lazy; six at once to a host, and so many in all")
    func order() async throws {
        let gate = Gate()
        let bench = try PreloadBench { $0.atOnce = 7 }
        var items: [PreloadItem] = []
        for group in [PreloadGroup.lazy, .page, .boot] {
            for number in 0..<4 {
                let path = "/\(group.rawValue)\(number).js"
                bench.on(path) { _ in
                    try await gate.pass()
                    return ScriptedTransport.answer(200, PreloadBench.fresh, body: path)
                }
                items.append(PreloadBench.item(path, path, group: group))
            }
        }
        bench.transport.on("https://cdn.test/x.js") { _ in
            try await gate.pass()
            return ScriptedTransport.answer(200, PreloadBench.fresh, body: "x")
        }
        items.append(
            PreloadItem(url: "https://cdn.test/x.js", destination: .script, group: .lazy))
        await bench.queue.add(items, set: "app")
        async let summary = bench.queue.run()
        try await bench.transport.requests(atLeast: 7)
        let first = bench.transport.requests.map { $0.head.path ?? "" }
        #expect(Set(first.filter { $0.hasPrefix("/boot") }).count == 4)
        #expect(first.filter { $0.hasPrefix("/page") }.count == 2 && first.contains("/x.js"))
        #expect(bench.transport.concurrentRequests == 7)
        gate.open()
        #expect(await summary.verified == 13)
        #expect(bench.transport.mostConcurrentRequests == 7)
    }

    @Test("the purpose and the urgency are sent, and neither is part of what is stored")
    func purpose() async throws {
        let bench = try PreloadBench()
        let groups: [PreloadGroup] = [.boot, .page, .lazy]
        await bench.preload(groups.map { bench.file("/\($0.rawValue).js", "x", group: $0) })
        for (group, urgency) in zip(groups, ["u=5", "u=6", "u=7"]) {
            let sent = try #require(bench.transport.requests(to: PreloadBench.base + "/\(group.rawValue).js").first)
            #expect(sent.head.headerFields[.priority] == urgency)
            #expect(sent.head.headerFields[try #require(HTTPField.Name("Sec-Purpose"))] == "prefetch")
        }
        #expect(await bench.page("/boot.js").cacheStatus.isHit)
    }

    @Test("redirects on the host are followed, and answer the page as well")
    func redirects() async throws {
        let bench = try PreloadBench()
        bench.answer("/old.js", 301, [.location: "/new.js", .cacheControl: "max-age=60"])
        bench.answer("/temporary.js", 302, [.location: "new.js"])
        bench.answer("/new.js", body: "new")
        let items = [PreloadBench.item("/old.js", "new"), PreloadBench.item("/temporary.js", "new")]
        #expect(await bench.preload(items).verified == 2)
        let answer = await bench.page("/old.js")
        #expect(answer.head.status.code == 301 && answer.cacheStatus.isHit)
        #expect(try await bench.text(await bench.page("/new.js")) == "new")
        // The one that states no lifetime is not stored (RFC 9110 §15.4.3).
        #expect(try await bench.uris() == [PreloadBench.base + "/new.js", PreloadBench.base + "/old.js"])
    }

    @Test("a stale response of which nothing in particular is expected is confirmed, not fetched")
    func confirmed() async throws {
        let bench = try PreloadBench()
        bench.on("/a.js") { request in
            request.head.headerFields[.ifNoneMatch] == nil
                ? ScriptedTransport.answer(200, [.cacheControl: "max-age=10", .eTag: "\"1\""], body: "text")
                : ScriptedTransport.answer(304, [.cacheControl: "max-age=10", .eTag: "\"1\""])
        }
        let item = PreloadBench.item("/a.js", nil)
        await bench.preload([item])
        bench.clock.advance(by: .seconds(60))
        let again = try bench.restarted()
        let events = again.queue.events
        await again.preload([item])
        var sources: [PreloadEvent.Source] = []
        for await event in events {
            if case .verified(_, _, let source, _) = event { sources.append(source) }
            if case .done = event { break }
        }
        #expect(sources == [.validated])
        #expect(await bench.page("/a.js").cacheStatus.isHit)
        #expect(bench.transport.requests.count == 2)
    }

    @Test("a file without content is one as well", arguments: PreloadBench.StoreKind.allCases)
    func empty(_ kind: PreloadBench.StoreKind) async throws {
        let bench = try PreloadBench(kind)
        #expect(await bench.preload([bench.file("/empty.css", "", as: .style)]).verified == 1)
        let answer = await bench.page("/empty.css", PreloadBench.pageFields(.style), destination: .style)
        #expect(answer.cacheStatus.isHit)
    }

    @Test("a rule about keys holds, however the address is written")
    func keyRules() async throws {
        let rules = RuleList([]).keyed(by: KeyRule("campaign", dropsTracking: true))
        let bench = try PreloadBench(.disk, rules: rules)
        bench.answer("/a.js?utm_source=x", body: "a")
        let item = PreloadItem(
            url: "HTTPS://shop.test:443/a.js?utm_source=x", content: PreloadBench.expected(Array("a".utf8)),
            destination: .script)
        #expect(await bench.preload([item]).verified == 1)
        #expect(await bench.page("/a.js?utm_source=y").cacheStatus.isHit)
        #expect(try await bench.store.summaries(of: .everything, after: nil, limit: 10).map(\.pins) == [1])
    }

    @Test("reports say what was fetched ahead of need")
    func reports() async throws {
        let bench = try PreloadBench()
        await bench.preload([bench.file("/a.js", "a")])
        _ = try await bench.text(await bench.page("/a.js"))
        let reports = try await bench.recorder.reports(atLeast: 2)
        #expect(reports.map(\.isPreload) == [true, false])
    }

    @Test("a set that is cancelled stops, and what is verified of it stays")
    func cancelled() async throws {
        let gate = Gate()
        let bench = try PreloadBench { $0.atOnce = 1 }
        let body = ScriptedBody()
        body.send("half")
        bench.on("/b.js") { _ in
            try await gate.pass()
            return ScriptedTransport.answer(
                200, [.eTag: "\"1\"", .cacheControl: "max-age=60"], streaming: body, length: 8)
        }
        let items = [bench.file("/a.js", "a"), PreloadBench.item("/b.js", "half-all"), bench.file("/c.js", "c")]
        await bench.queue.add(items, set: "app")
        async let ended = bench.queue.run()
        try await gate.arrivals(1)
        gate.open()
        try await body.pulls(atLeast: 2)
        await bench.queue.cancel(set: "app")
        let summary = await ended
        #expect(summary.items == 1 && summary.verified == 1)
        #expect(body.isCancelled)
        #expect(try await bench.uris() == [PreloadBench.base + "/a.js"])
    }
}
