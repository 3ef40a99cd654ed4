import Foundation
import Testing

@testable import EvictionBench

@Suite("Traces: recordings, file lists and the visitor who comes back")
struct TraceTests {
    private func entry(_ url: String, _ more: String = "", type: String, status: Int = 200, method: String = "GET")
        -> String
    {
        """
        {"pageref": "p", "startedDateTime": "2022-02-02T10:00:00.000Z", "timings": {"wait": 40, "receive": 2.5},
         "request": {"method": "\(method)", "url": "\(url)"},
         "response": {"status": \(status), "content": {"size": 500, "mimeType": "\(type)"}, \(more) "headers": []}}
        """
    }

    private func recording(_ entries: [String]) -> Data {
        Data("{\"log\": {\"entries\": [\(entries.joined(separator: ","))]}}".utf8)
    }

    @Test("a recording says what a page asks for, how large it is and what it cost")
    func recording() throws {
        let template = try SiteTemplate(
            har: recording([
                entry("https://www.shop.test/", type: "text/html"),
                entry("https://cdn.shop.test/a.css", "\"bodySize\": 120,", type: "text/css"),
                entry("https://fonts.test/f.woff2", type: "font/woff2"),
                entry("https://www.shop.test/t.gif?x=1643796000123", type: "image/gif"),
                entry("https://www.shop.test/t.gif?x=1243796000123", type: "text/plain"),
                entry("https://www.shop.test/gone", type: "text/html", status: 503),
                entry("https://www.shop.test/sent", type: "text/html", method: "POST"),
                entry("data:text/plain,x", type: "text/plain"),
            ]))
        let files = try #require(template.pages.first)
        #expect(files.map(\.naming) == [.page, .site, .shared, .once, .page])
        #expect(files.map { $0.response.size - TracedResponse.headSize } == [500, 120, 500, 500, 500])
        #expect(files.allSatisfy { $0.response.cost == 42.5 })
    }

    @Test("anything but a recording is an error")
    func noRecording() {
        #expect(throws: (any Error).self) { try SiteTemplate(har: Data("{}".utf8)) }
    }

    @Test("a list of files gives sizes, and costs of 60 ms and 12 Mbit/s; other lines are left out")
    func fileList() throws {
        let template = SiteTemplate(fileList: "3000\tlab/index.html\n0\tlab/a.css\nx\ty\n-1\tz.js\n\n")
        let files = try #require(template.pages.first)
        #expect(files.map(\.name) == ["lab/index.html", "lab/a.css"])
        #expect(files.map(\.response.cost) == [62, 60])
        #expect(SiteTemplate(fileList: "").pages.isEmpty)
    }

    private static let template = SiteTemplate(pages: [
        [
            .init(name: "a", response: TracedResponse(size: 10, cost: 1), naming: .site),
            .init(name: "b", response: TracedResponse(size: 20, cost: 1), naming: .once),
        ]
    ])

    @Test("the same seed gives the same trace, another one another")
    func seeds() {
        var model = BrowsingModel()
        model.sessions = 100
        let first = model.trace(of: [Self.template]).steps
        #expect(first == model.trace(of: [Self.template]).steps)
        model.seed = 2
        #expect(first != model.trace(of: [Self.template]).steps)
    }

    @Test("what is named by the moment never comes back; what is the site's does until a deploy")
    func names() {
        var model = BrowsingModel()
        model.sites = 1
        model.sessions = 50
        model.deployChance = 0
        let trace = model.trace(of: [Self.template])
        let visits = trace.steps.count / 2
        #expect(trace.responses.count == 1 + visits)
        model.deployChance = 1
        model.deployShare = 1
        #expect(model.trace(of: [Self.template]).responses.filter { $0.size == 10 }.count == 50)
    }

    @Test("a preload brings as many files as it says, at its time")
    func preloads() {
        var model = BrowsingModel()
        model.sessions = 20
        model.sessionsPerPreload = 10
        model.filesPerPreload = 70
        let preloaded = model.trace(of: [Self.template]).steps.filter { if case .preload = $0 { true } else { false } }
        #expect(preloaded.count == 140 && Set(preloaded).count == 140)
    }

    @Test("nothing comes of nothing")
    func nothing() {
        #expect(BrowsingModel().trace(of: []).steps.isEmpty)
        #expect(EvictionComparison(model: BrowsingModel(), seeds: [1], inMemory: false).run([]).results.isEmpty)
    }

    @Test("counts the requests after the warm-up, and no preloads")
    func counting() {
        let responses = [TracedResponse(size: 100, cost: 3), TracedResponse(size: 50, cost: 5)]
        // The first of ten steps warms the store.
        let steps: [Trace.Step] = [0, 0, 1, 0].map { .request($0) } + Array(repeating: .preload(1), count: 6)
        let counts = EvictionSimulation.run(
            Trace(responses: responses, steps: steps), LeastRecentlyUsed(budget: 400), budget: 400)
        #expect(counts.requests == 3 && counts.hits == 2)
        #expect(counts.bytes == 250 && counts.hitBytes == 200)
        #expect(counts.cost == 11 && counts.hitCost == 6)
        #expect(counts.largest == 150)
    }

    @Test("the memory tier holds the head alone of what is over 64 KiB")
    func inMemory() {
        let trace = Trace(responses: [TracedResponse(size: 66_560, cost: 9), TracedResponse(size: 66_561, cost: 9)])
        #expect(
            trace.inMemory.responses == [TracedResponse(size: 66_560, cost: 1), TracedResponse(size: 1_024, cost: 1)])
    }

    @Test("what can't be read is told, by its path")
    func told() {
        var told: [String] = []
        let read = SiteTemplate.read(["/nowhere/a.har"]) { told.append($0) }
        #expect(read.recordings.isEmpty && read.applications.isEmpty)
        #expect(told == ["No recording and no file list at '/nowhere/a.har'; going on without it."])
    }

    @Test("a table has a row for each policy and a column for each budget")
    func table() {
        let results = ["LRU", "LFU"].flatMap { policy in
            EvictionComparison.shares.map {
                EvictionResult(
                    policy: policy, budget: 1, share: $0, hitRatio: 0.5, byteHitRatio: $0, costHitRatio: 1)
            }
        }
        let rows = EvictionTable.text(results, withCost: true).split(separator: "\n")
        #expect(rows.count == 4)
        #expect(rows[0] == "| policy | 1 % | 5 % | 10 % | 25 % | 50 % |")
        #expect(rows[2].hasPrefix("| LRU | 50.0 · 1.0 · 100.0 | 50.0 · 5.0 · 100.0 |"))
        #expect(EvictionTable.text(results, withCost: false).contains("| LFU | 50.0 · 1.0 | 50.0 · 5.0 |"))
    }
}
