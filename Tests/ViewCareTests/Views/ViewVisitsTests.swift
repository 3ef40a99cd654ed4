import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine
@testable import ViewCare

@Suite("Which web view and visit a request was for")
struct ViewVisitsTests {
    private let visits = ViewVisits()
    private static let shop = "https://shop.test/"

    private func report(
        _ uri: String, view: String = ViewVisits.someView, document: String? = nil, referrer: String? = nil,
        _ destination: Destination = .image, at seconds: Int
    ) -> ExchangeReport {
        ExchangeReport(
            method: .get, uri: uri, view: view, document: document, visit: nil, referrer: referrer,
            destination: destination, outcome: .hit, status: 200,
            cacheStatus: CacheStatus(), rule: nil, notStored: nil, breaksHashedName: false,
            isBackground: false, isPreload: false, start: .seconds(seconds), timeToHead: .zero, duration: .zero,
            bodyBytes: 0, originBytes: 0, network: nil, isComplete: true)
    }

    /// `web view 1, visit 2, https://…`, or what the report said before.
    private func found(_ report: ExchangeReport) -> String {
        let done = visits.completed(report)
        return [done.view, done.visit.map { "\($0)" } ?? "-", done.document ?? "-"].joined(separator: " ")
    }

    /// A whole visit.
    private func show(_ url: String, in view: String, at seconds: Int) {
        visits.announce(url, in: view, at: .seconds(seconds))
        visits.begin(in: view, at: .seconds(seconds))
        visits.commit(url, in: view, at: .seconds(seconds))
    }

    @Test(
        "a scheme handler's report has the last visit of its document; what an old page still asks for is the old page's"
    )
    func named() {
        let view = visits.addView()
        #expect(view == "web view 1" && visits.visit(in: view) == nil)
        show("app-cache-https://shop.test/#top", in: view, at: 10)
        show("app-cache-https://shop.test/b", in: view, at: 20)
        #expect(visits.visit(in: view) == 2)
        #expect(
            found(report("https://x.test/", view: view, document: Self.shop, at: 21)) == "web view 1 1 \(Self.shop)")
        #expect(
            found(report("https://x.test/", view: view, document: Self.shop + "b", at: 21))
                == "web view 1 2 \(Self.shop)b")
        // The page's own address has changed without a load.
        #expect(
            found(report("https://x.test/", view: view, document: Self.shop + "c", at: 21))
                == "web view 1 2 \(Self.shop)c")
        #expect(found(report(Self.shop, view: view, .document, at: 10)) == "web view 1 1 \(Self.shop)")
        #expect(found(report("https://x.test/", view: view, at: 9)) == "web view 1 - -")
        for other in ["web view 7", "port 1", "", "web view x"] {
            #expect(found(report("https://x.test/", view: other, at: 21)) == "\(other) - -")
        }
    }

    @Test("a redirect and a second attempt are of the same visit; a load that overtakes is another one")
    func continued() {
        let view = visits.addView()
        visits.announce(Self.shop, in: view, at: .seconds(1))
        visits.begin(in: view, at: .seconds(1))
        visits.announce(Self.shop + "b", in: view, at: .seconds(2))
        // Before anybody has said that it is a redirect.
        #expect(found(report(Self.shop + "b", .document, at: 2)) == "web view 1 1 \(Self.shop)")
        visits.goOn(in: view)
        visits.commit(Self.shop + "b", in: view, at: .seconds(3))
        #expect(found(report(Self.shop + "b", .document, at: 2)) == "web view 1 1 \(Self.shop)b")
        visits.announce(Self.shop + "c", in: view, at: .seconds(4))
        visits.begin(in: view, at: .seconds(4))
        visits.announce(Self.shop + "d", in: view, at: .seconds(5))
        visits.begin(in: view, at: .seconds(5))
        #expect(visits.visit(in: view) == 3)
        visits.fail(in: view)
        #expect(found(report("https://x.test/", referrer: Self.shop + "b", at: 6)) == "web view 1 1 \(Self.shop)b")
    }

    @Test("what was announced and never begun is no visit")
    func download() {
        let view = visits.addView()
        show(Self.shop, in: view, at: 1)
        visits.announce(Self.shop + "file.zip", in: view, at: .seconds(2))
        #expect(visits.visit(in: view) == 1)
        #expect(found(report("https://x.test/", at: 3)) == "web view 1 1 \(Self.shop)")
        show(Self.shop + "b", in: view, at: 4)
        #expect(visits.visit(in: view) == 2)
    }

    /// Two views are open, one at `shop.test/`, one at `other.test/a`; a style sheet of the second was reported.
    struct Row: Sendable, CustomTestStringConvertible {
        var uri = "https://cdn.test/x"
        var referrer: String?
        var destination = Destination.image
        var seen: String
        var testDescription: String { "\(uri) of \(referrer ?? "nobody")" }
    }

    nonisolated static let rows = [
        Row(uri: "https://shop.test/", destination: .document, seen: "web view 1 1"),
        Row(uri: "https://other.test/a", destination: .document, seen: "web view 2 1"),
        Row(uri: "https://third.test/", destination: .document, seen: "web views -"),
        Row(referrer: "https://shop.test/", seen: "web view 1 1"),
        Row(referrer: "https://other.test/a", seen: "web view 2 1"),
        // RFC 9110 §10.1.3 and Referrer Policy: only the origin, to another one.
        Row(referrer: "https://other.test/", seen: "web view 2 1"),
        Row(
            uri: "https://cdn.test/f.woff2", referrer: "https://cdn.test/a.css", destination: .font,
            seen: "web view 2 1"),
        Row(referrer: "https://elsewhere.test/", seen: "web views -"),
        Row(referrer: "no address", seen: "web views -"),
        Row(seen: "web views -"),
    ]

    @Test("behind a proxy Referer says whose it was; what fits several views stays as it is", arguments: rows)
    func inferred(_ row: Row) {
        let (first, second) = (visits.addView(), visits.addView())
        show(Self.shop, in: first, at: 1)
        show("https://other.test/a", in: second, at: 1)
        _ = visits.completed(report("https://cdn.test/a.css", referrer: "https://other.test/a", .style, at: 2))
        let seen = found(report(row.uri, referrer: row.referrer, row.destination, at: 3))
        #expect(seen.hasPrefix(row.seen))
    }

    @Test("two views of one page are told apart by the order of their documents, and else not")
    func samePage() {
        let (first, second) = (visits.addView(), visits.addView())
        visits.announce(Self.shop, in: first, at: .seconds(1))
        visits.announce(Self.shop, in: second, at: .seconds(2))
        for view in [first, second] { visits.begin(in: view, at: .seconds(3)) }
        #expect(found(report(Self.shop, .document, at: 4)) == "web view 1 1 \(Self.shop)")
        #expect(found(report(Self.shop, .document, at: 4)) == "web view 2 1 \(Self.shop)")
        #expect(found(report("https://x.test/", referrer: Self.shop, at: 5)) == "web views - -")
        visits.removeView(first, at: .seconds(6))
        #expect(found(report("https://x.test/", referrer: Self.shop, at: 7)) == "web view 2 1 \(Self.shop)")
    }

    @Test("a view alone has what nobody else can have asked for")
    func alone() {
        let view = visits.addView()
        show(Self.shop, in: view, at: 1)
        #expect(found(report("https://x.test/", at: 2)) == "web view 1 1 \(Self.shop)")
        #expect(found(report("https://x.test/", view: "", at: 2)) == " - -")
    }

    @Test("no number of views, visits and redirects takes more room than a few")
    func bounded() {
        for _ in 0..<1_000 { visits.removeView(visits.addView(), at: .zero) }
        let view = visits.addView()
        for second in 0..<1_000 {
            visits.announce(Self.shop + "\(second)", in: view, at: .seconds(second))
            visits.begin(in: view, at: .seconds(second))
            for step in 0..<50 {
                visits.announce(Self.shop + "\(second)/\(step)", in: view, at: .seconds(second))
                visits.goOn(in: view)
            }
            _ = visits.completed(report(Self.shop + "\(second).css", .style, at: second))
        }
        let views = visits.state.withLock { $0.views.mapValues(\.visits) }
        #expect(visits.visit(in: view) == 1_000 && views.count <= ViewVisits.mostViews)
        #expect(views.values.allSatisfy { $0.count <= ViewVisits.mostVisits })
        #expect(views.values.joined().allSatisfy { $0.urls.count <= ViewVisits.mostAddresses })
    }

    @Test("100,000 orders: a report is for a view that has begun a visit before it, and a view's visits only count up")
    func orders() {
        for seed in 0..<100_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let visits = ViewVisits()
            var views: [String: Int] = [:]
            for second in 0..<Int.random(in: 1...20, using: &random) {
                let url = Self.shop + ["", "b", "c"][Int.random(in: 0..<3, using: &random)]
                let now = Duration.seconds(second)
                let view = views.keys.sorted().randomElement(using: &random) ?? ""
                switch Int.random(in: 0..<9, using: &random) {
                case 0: views[visits.addView()] = 0
                case 1, 2: visits.announce(url, in: view, at: now)
                case 3: visits.begin(in: view, at: now)
                case 4: visits.commit(url, in: view, at: now)
                case 5: visits.goOn(in: view)
                case 6: visits.fail(in: view)
                case 7: visits.removeView(view, at: now)
                default:
                    let asker = Bool.random(using: &random) ? ViewVisits.someView : view
                    let kinds: [Destination] = [.document, .style, .image]
                    let given = report(
                        url, view: asker, referrer: Bool.random(using: &random) ? url : nil,
                        kinds.randomElement(using: &random) ?? .image, at: second)
                    let done = visits.completed(given)
                    let isKnown = done.visit.map { $0 >= 1 && views[done.view] != nil } ?? (done.view == asker)
                    if !isKnown || asker == view && done.view != view {
                        Issue.record("seed \(seed): \(done.view) \(done.visit ?? 0)")
                        return
                    }
                }
                for (name, last) in views {
                    let count = visits.visit(in: name) ?? 0
                    if count < last || count > last + 1 {
                        return #expect(Bool(false), "seed \(seed): \(last) to \(count)")
                    }
                    views[name] = count
                }
            }
        }
    }
}
