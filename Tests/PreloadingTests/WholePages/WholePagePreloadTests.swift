import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("Whole pages in a hidden web view", .timeLimit(.minutes(5)))
struct WholePagePreloadTests {
    private static let page = PreloadBench.base + "/page"

    /// A queue, and web views that are handed out one after the other.
    private final class Scene: Sendable {
        let bench: PreloadBench
        let traffic: HiddenPageTraffic
        let preload: WholePagePreload
        private let opened: LockedBox<Int>

        init(
            _ pages: ScriptedPage..., marked: [String] = [], budget: Int64? = nil,
            fields: HTTPFields = PreloadBench.fresh
        ) throws {
            let bench = try PreloadBench { $0.budget.bytesPerDay = budget.map { ByteCount($0) } }
            self.bench = bench
            for page in pages {
                page.visit = { url in
                    let path = String(url.dropFirst(PreloadBench.base.count))
                    bench.answer(path, 200, fields, body: "page")
                    _ = try? await bench.text(await bench.page(path, destination: .document))
                }
            }
            let traffic = HiddenPageTraffic(avoiding: try #require(SideEffectPages(paths: marked)))
            let opened = LockedBox(0)
            (self.traffic, self.opened) = (traffic, opened)
            preload = WholePagePreload(queue: bench.queue, traffic: traffic) {
                let next = opened.withLock { count -> Int in
                    count += 1
                    return count - 1
                }
                struct NoMore: Error {}
                guard next < pages.count else { throw NoMore() }
                return pages[next]
            }
        }

        var openedPages: Int { opened.withLock { $0 } }
    }

    @Test("one after the other, in their order, also those of a later call; what came counts, and events tell of it")
    func order() async throws {
        let (first, second, third) = (ScriptedPage(), ScriptedPage(isAtRest: true), ScriptedPage(isAtRest: true))
        let scene = try Scene(first, second, third)
        var events = scene.bench.queue.events.makeAsyncIterator()
        async let one = scene.preload.preload([Self.page + "/1", Self.page + "/2"])
        try await first.end.arrivals(1)
        async let two = scene.preload.preload([Self.page + "/3"])
        for _ in 0..<100 { await Task.yield() }
        #expect(scene.openedPages == 1)
        scene.traffic.received(7)
        first.end.open()
        let (summary, later) = await (one, two)
        #expect(summary.items == 2 && summary.verified == 2 && summary.transferred == ByteCount(7))
        #expect(later.verified == 1 && later.transferred == .zero)
        #expect([first, second, third].map(\.urls) == ["1", "2", "3"].map { [Self.page + "/" + $0] })
        #expect([first, second, third].map(\.stops) == [1, 1, 1])
        #expect(await scene.bench.queue.budget.spent == ByteCount(7))
        func item(_ number: Int) -> PreloadItem { PreloadItem(url: Self.page + "/\(number)", destination: .document) }
        let set = WholePagePreload.set
        let expected: [PreloadEvent] = [
            .queued(set: set, count: 2), .started(item(1), set: set),
            .verified(item(1), set: set, from: .network, transferred: 7), .started(item(2), set: set),
            .verified(item(2), set: set, from: .store, transferred: 0), .queued(set: set, count: 1),
        ]
        for event in expected { #expect(await events.next() == event) }
    }

    struct Never: Sendable, CustomTestStringConvertible {
        var url: String
        var reason: PreloadRefusal.Reason
        var testDescription: String { url }
    }

    @Test(
        "these are never opened",
        arguments: [
            Never(url: PreloadBench.base + "/signout", reason: .sideEffects),
            Never(url: PreloadBench.base + "/x/..//sign%6Fut?a", reason: .sideEffects),
            Never(url: "https://user@shop.test/", reason: .invalidURL),
            Never(url: "https://user:word@shop.test/", reason: .invalidURL),
            Never(url: "ftp://shop.test/", reason: .invalidURL), Never(url: "/page", reason: .invalidURL),
            Never(url: "javascript:alert(1)", reason: .invalidURL),
            Never(url: "https://shop.test/a b", reason: .invalidURL),
        ])
    func never(_ row: Never) async throws {
        let scene = try Scene(marked: ["/signout"])
        #expect(await scene.preload.preload([row.url]).refused == [row.reason: 1])
        #expect(scene.openedPages == 0)
    }

    @Test("a page that goes on loading is stopped at the time limit, and the next one is loaded")
    func time() async throws {
        let (endless, next) = (ScriptedPage(), ScriptedPage(isAtRest: true))
        let scene = try Scene(endless, next)
        async let summary = scene.preload.preload([Self.page, Self.page + "/2"])
        try await scene.bench.clock.sleepers(atLeast: 2)
        scene.bench.clock.advance(by: .seconds(30))
        let end = await summary
        #expect(end.refused == [.timeLimit: 1] && end.verified == 1)
        #expect(endless.stops == 1)
    }

    @Test("a page that takes too much memory is stopped, at the first look or at a later one", arguments: [0, 1, 3])
    func memory(_ looks: Int) async throws {
        let page = ScriptedPage()
        let scene = try Scene(page)
        page.memory = .mebibytes(512)
        if looks == 0 { page.memory = .mebibytes(513) }
        async let summary = scene.preload.preload([Self.page])
        for look in 0..<looks {
            try await scene.bench.clock.sleepers(atLeast: 2 + look)
            if look == looks - 1 { page.memory = .mebibytes(513) }
            scene.bench.clock.advance(by: .milliseconds(250))
        }
        #expect(await summary.refused == [.memoryLimit: 1])
        #expect(page.stops == 1)
    }

    @Test("nothing is opened on a network that is to be spared, or when the day's bytes are spent")
    func admission() async throws {
        for (connectivity, reason) in [
            (.disconnected, .offline), (Connectivity(isConstrained: true), .constrained),
            (Connectivity(isExpensive: true), .expensive), (Connectivity(isLowPower: true), .lowPower),
        ] as [(Connectivity, PreloadRefusal.Reason)] {
            let scene = try Scene()
            scene.bench.connectivity.report(connectivity)
            #expect(await scene.preload.preload([Self.page]).waiting == [reason: 1])
            #expect(scene.openedPages == 0)
        }
        let spent = try Scene(budget: 0)
        #expect(await spent.preload.preload([Self.page]).waiting == [.budget: 1])
        #expect(spent.openedPages == 0)
    }

    @Test(
        "a page under way ends when the day's bytes are spent, or the network is to be spared",
        arguments: [true, false])
    func underWay(_ isBudget: Bool) async throws {
        let page = ScriptedPage()
        let scene = try Scene(page, budget: 10)
        async let summary = scene.preload.preload([Self.page])
        try await scene.bench.clock.sleepers(atLeast: 2)
        if isBudget {
            scene.traffic.received(10)
        } else {
            scene.bench.connectivity.report(Connectivity(isConstrained: true))
        }
        scene.bench.clock.advance(by: .milliseconds(250))
        #expect(await summary.waiting == [isBudget ? .budget : .constrained: 1])
        #expect(page.stops == 1)
    }

    @Test("cancelled: the page ends at once, and the rest is not begun")
    func cancelled() async throws {
        let page = ScriptedPage()
        let scene = try Scene(page)
        let task = Task { await scene.preload.preload([Self.page, Self.page + "/2"]) }
        try await page.end.arrivals(1)
        task.cancel()
        #expect(await task.value.refused == [.cancelled: 2])
        #expect(page.stops == 1 && scene.openedPages == 1)
    }

    @Test(
        "a page that has loaded and may not be stored is not said to be there",
        arguments: [[.cacheControl: "no-store"], [.cacheControl: "max-age=60", .vary: "*"]] as [HTTPFields])
    func unstored(_ fields: HTTPFields) async throws {
        let scene = try Scene(ScriptedPage(isAtRest: true), fields: fields)
        #expect(await scene.preload.preload([Self.page]).refused == [.pageFailed: 1])
    }

    @Test("a page that can't be had has its reason")
    func failures() async throws {
        let results: [(HiddenPageResult, PreloadRefusal.Reason?)] = [
            (HiddenPageResult(url: Self.page, status: 404), .status),
            (HiddenPageResult(url: Self.page, status: 503), .status),
            (HiddenPageResult(url: PreloadBench.base + "/signout", status: 403), .sideEffects),
            (HiddenPageResult(url: Self.page, status: 200, problem: "It crashed."), .pageFailed),
            (HiddenPageResult(url: nil, status: nil, problem: "No host."), .pageFailed),
            (HiddenPageResult(url: Self.page, status: 200), nil),
        ]
        for (result, reason) in results {
            let scene = try Scene(ScriptedPage(result, isAtRest: true), marked: ["/signout"])
            let summary = await scene.preload.preload([Self.page])
            #expect(summary.refused == (reason.map { [$0: 1] } ?? [:]), "\(result)")
        }
        #expect(await (try Scene()).preload.preload([Self.page]).refused == [.pageFailed: 1])
    }

    @Test("a page that sends a form by itself is not said to be the server's fault")
    func sendsByItself() async throws {
        let page = ScriptedPage(HiddenPageResult(url: PreloadBench.base + "/order", status: 403), isAtRest: true)
        let scene = try Scene(page)
        let traffic = scene.traffic
        page.visit = { _ in
            traffic.withhold(
                HTTPRequest(method: .post, scheme: "https", authority: "shop.test", path: "/order"))
        }
        #expect(await scene.preload.preload([Self.page]).refused == [.sideEffects: 1])
    }

    @Test("what a page sends beside itself, such as a count of its visits, has no part in a 403 of the server's")
    func sendsBeside() async throws {
        let page = ScriptedPage(HiddenPageResult(url: Self.page, status: 403), isAtRest: true)
        let scene = try Scene(page)
        scene.traffic.withhold(
            HTTPRequest(method: .post, scheme: "https", authority: "shop.test", path: "/count"))
        #expect(await scene.preload.preload([Self.page]).refused == [.status: 1])
    }
}
