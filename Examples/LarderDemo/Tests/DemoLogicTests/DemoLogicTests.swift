import CacheTesting
import DemoLogic
import LarderKit
import Testing

@Suite("The example without its screens")
struct DemoLogicTests {
    @Test("the list is as it was after a launch, and what can't be read is the first launch's")
    func pageList() throws {
        var list = PageList(nil)
        #expect(list.pages.map(\.address) == ["https://example.com/"])
        list.pages.append(DemoPage("shop.example", mode: .proxy))
        #expect(PageList(list.encoded) == list)
        #expect(PageList(Data("{".utf8)).pages.count == 1)
    }

    @Test("a manifest needs an address, an id and a key")
    func manifestForm() {
        var form = ManifestForm()
        form.address = "shop.example/larder/head.json"
        form.id = "shop"
        #expect(form.manifest == nil)
        form.key = "ed25519:00"
        #expect(form.manifest?.url.absoluteString == "https://shop.example/larder/head.json")
        #expect(form.manifest?.keys == ["ed25519:00"])
    }

    @Test("the log counts what the store answered, and names each decision")
    func log() async throws {
        let directory = try TemporaryDirectory()
        let transport = ScriptedTransport()
        transport.on("https://shop.example/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=600", .contentType: "text/plain"], body: "hello")
        }
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        configuration.connectivitySource = nil
        let larder = try Larder(configuration, transport: transport)
        var events = larder.events.makeAsyncIterator()
        var log = ExchangeLog()
        let url = try #require(URL(string: "https://shop.example/a"))
        for _ in 1...2 {
            _ = try await larder.data(from: url)
            log.add(try #require(await events.next()))
        }
        let visit = try #require(log.visits.first)
        #expect(log.visits.count == 1 && visit.id == "the app")
        #expect(visit.rows.map(\.url) == [url.absoluteString, url.absoluteString])
        #expect(visit.rows.map(\.decision) == ["200 stored", "200 hit"])
        #expect(visit.rows.map(\.bytes) == [5, 5])
        #expect(visit.rows.map(\.id) == [1, 2])
        #expect(log.summary(of: "") == "2 requests, 1 from the store, 5 bytes from origins")
        #expect(log.summary(of: "web view 1") == "nothing was asked for yet")
    }

    @Test("progress counts the set that is followed, each URL once")
    func preloadProgress() {
        let item = PreloadItem(url: "https://shop.example/a.js")
        let other = PreloadItem(url: "https://shop.example/b.js")
        var progress = PreloadProgress(set: "demo")
        #expect(progress.fraction == 0)
        progress.add(.queued(set: "demo", count: 2))
        progress.add(.queued(set: "another", count: 9))
        progress.add(.waiting(item, set: "demo", PreloadWait(.offline)))
        #expect(progress.waiting == [item.url: "offline"])
        progress.add(.verified(item, set: "demo", from: .network, transferred: 12))
        progress.add(.verified(item, set: "demo", from: .store, transferred: 0))
        progress.add(.verified(other, set: "another", from: .network, transferred: 7))
        #expect(progress.fraction == 0.5)
        progress.add(.refused(other, set: "demo", PreloadRefusal(.status, "404")))
        #expect(progress.fraction == 1)
        #expect(progress.summary == "1 of 2 verified, 1 refused, 0 waiting, 12 bytes")
    }

    @Test("an app-scheme page names its host and no other")
    func modes() throws {
        let url = try #require(URL(string: "https://shop.example:8443/x"))
        #expect(PageMode.appScheme.webViewMode(for: url).hosts == ["shop.example:8443"])
        #expect(PageMode.appScheme.configurationName(for: url) == "appScheme shop.example:8443")
        #expect(PageMode.proxy.configurationName(for: url) == "proxy")
        #expect(InstalledMode(.navigation, reason: "no proxy").text == "navigation: no proxy")
    }

    @Test("two web views and two visits of one are apart, and the last one comes first")
    func visits() async throws {
        let directory = try TemporaryDirectory()
        let transport = ScriptedTransport()
        transport.on("https://shop.example/a") { _ in ScriptedTransport.answer(200, [:], body: "a") }
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        configuration.connectivitySource = nil
        let larder = try Larder(configuration, transport: transport)
        var events = larder.events.makeAsyncIterator()
        _ = try await larder.data(from: try #require(URL(string: "https://shop.example/a")))
        var report = try #require(await events.next())
        var log = ExchangeLog()
        for (view, visit) in [("web view 1", 1), ("web view 2", 1), ("web view 1", 2), ("web views", nil)]
            as [(String, Int?)]
        {
            (report.view, report.visit) = (view, visit)
            log.add(report)
        }
        #expect(
            log.visits.map(\.id) == ["web views", "web view 1, visit 2", "web view 2, visit 1", "web view 1, visit 1"])
        (report.view, report.visit) = ("web view 2", 1)
        log.add(report)
        #expect(log.visits.first?.count == 2 && log.visits.count == 4)
        for number in 0..<100 {
            report.view = "web view \(number)"
            log.add(report)
        }
        #expect(log.visits.count == ExchangeLog.mostVisits)
    }

    @Test("measured modes are sent as JSON that is read again, with those that could not be measured")
    func measured() throws {
        let report = try #require(CapabilityReport("script\tworks\nform\tempty"))
        let modes = [
            MeasuredMode(mode: "appScheme", system: "Version 26", report: report),
            MeasuredMode(mode: "proxy", system: "Version 26", problem: "It could not be started."),
        ]
        #expect(modes.map(\.summary) == ["appScheme: 1 of 2 kinds", "proxy: not measured. It could not be started."])
        let json = Data(MeasuredMode.json(modes).utf8)
        #expect(try JSONDecoder().decode([MeasuredMode].self, from: json) == modes)
    }
}
