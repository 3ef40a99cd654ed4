import CacheTesting
import Foundation
import LarderHost
import Locking
import NIOHTTP1
import Testing
import WebVisit

/// One web view and very many navigations. `LARDER_NAVIGATIONS` sets how many, 10,000 being the full length.
@Suite("a real web view after very many navigations", .serialized, .timeLimit(.minutes(600)))
struct WebViewEnduranceTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private static let navigations =
        ProcessInfo.processInfo.environment["LARDER_NAVIGATIONS"].flatMap { Int($0) }.map { max(100, $0) } ?? 140

    /// How much memory may be in use in the last tenth beyond what was in use in the second one, in KiB: 8 MiB. What
    /// the store keeps in memory, WebKit's list of 100 pages to go back to, and gaps between small pieces grow at
    /// first; in 10,000 navigations 1 KiB each would be seen.
    private static let allowance = 8_192

    @Test(
        "navigations leave no task, no descriptor and no memory behind",
        arguments: [InterceptionMode.appScheme, .httpsScheme])
    func flat(_ mode: InterceptionMode) async throws {
        let site = EnduranceSite()
        let scene = try await SessionScene(
            folder, mode, quietMilliseconds: 0, pendingLimitMilliseconds: 0, { await site.answer($0) })
        let process = ProcessFigures(process: scene.session.processIdentifier)
        var (descriptors, memory): ([Int], [Int]) = ([], [])
        for tenth in 0..<10 {
            var samples: [Int] = []
            for number in 0..<Self.navigations / 10 {
                let page = try await navigate(number, scene)
                let expected = #"["page \#(page)","data,moved,fresh,posted"]"#
                let seen = try await wait(for: expected, scene)
                #expect(seen == expected, "navigation \(tenth) \(number)")
                site.leavePage()
                samples.append(process.residentKibibytes)
            }
            descriptors.append(try await descriptorsAtRest(scene, site, process, atMost: descriptors.first))
            memory.append(samples.min() ?? 0)
            _ = (scene.session.takeExchanges(), scene.session.takeNotices())
        }
        #expect(descriptors.allSatisfy { $0 <= descriptors[0] }, "\(descriptors) \(Self.lasting(process))")
        #expect(memory[9] <= memory[1] + Self.allowance, "\(memory)")
        if ProcessInfo.processInfo.environment["LARDER_NAVIGATIONS"] != nil {
            print("\(mode): \(Self.navigations) navigations; descriptors by tenth \(descriptors), KiB \(memory)")
        }
        await scene.stop()
    }

    /// Goes to a page in one of the ways that there are.
    ///
    /// - Returns: The number of the page.
    private func navigate(_ number: Int, _ scene: SessionScene) async throws -> Int {
        let page = number % 5
        switch number % 7 {
        case 0, 1: try await scene.session.perform(.open(url: "https://shop.test/page/\(page)"))
        case 2: try await scene.session.perform(.open(url: "https://shop.test/start/\(page)"))
        case 3: _ = try await scene.run("document.querySelector('a').href = '/page/\(page)'; go(); return 0")
        case 4:
            try await scene.session.perform(.reload(fromOrigin: false))
            return (number - 1) % 5
        case 5:
            try await scene.session.perform(.open(url: "https://shop.test/page/\(page)?once=\(number)"))
        default:
            // Past the reload, which is no page of its own.
            try await scene.session.perform(.back)
            return (number - 3) % 5
        }
        return page
    }

    /// What the page says once it is the expected one: a step ends when nothing is loading, and after a redirect, or a
    /// click, that can be before the next load begins.
    private func wait(for expected: String, _ scene: SessionScene) async throws -> String {
        var seen = ""
        for _ in 0..<200 where seen != expected {
            seen = try await scene.run("return [document.title, await done]")
        }
        return seen
    }

    /// How many descriptors there are when no page is open and no connection to an origin is kept.
    ///
    /// WebKit tells of what it has stopped with its next messages, and a connection is closed when the origin, which
    /// may be about to answer, has closed it too; so there are some steps of time. What is there for good stays all the
    /// same.
    private func descriptorsAtRest(
        _ scene: SessionScene, _ site: EnduranceSite, _ process: ProcessFigures, atMost limit: Int?
    ) async throws -> Int {
        try await scene.session.perform(.open(url: "about:blank"))
        var openTasks = -1
        for _ in 0..<5_000 {
            site.leavePage()
            // Closes what is idle now.
            try await scene.session.perform(.change(connectivity: .disconnected))
            openTasks = try await scene.session.perform(.run(script: "return 0")).openTasks
            if openTasks == 0, limit.map({ Self.lasting(process).count <= $0 }) ?? true { break }
        }
        #expect(openTasks == 0)
        let descriptors = Self.lasting(process).count
        try await scene.session.perform(.change(connectivity: .connected))
        return descriptors
    }

    /// The open files of a process without those that are opened once, at some later time: WebKit watches the system's
    /// memory after a while, and the index of the store has up to a fixed number of connections.
    private static func lasting(_ process: ProcessFigures) -> [String] {
        process.openFiles.filter { !$0.hasPrefix("/proc/") && !$0.hasPrefix("/sys/") && !$0.contains("/index.sqlite") }
    }
}

/// Five pages with resources of all kinds, redirects, an upload, and loads that are aborted or left open.
private final class EnduranceSite: Sendable {
    /// What the page before left open ends when this is opened.
    private let open = LockedBox(Latch())

    /// The page has been seen; answers that it waits for no more end.
    func leavePage() {
        open.withLock { latch in
            defer { latch = Latch() }
            return latch
        }.open()
    }

    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=600", "Content-Type": "text/javascript"]

    func answer(_ request: PageOrigin.Request) async -> PageOrigin.Answer {
        let latch = open.withLock { $0 }
        let parts = request.path.split(separator: "/").map(String.init)
        switch parts.first {
        case "page":
            return .page(
                "page \(parts.last ?? "")", Self.content,
                ["Cache-Control": "no-cache", "ETag": "\"1\"", "Set-Cookie": "seen=\(request.path.count); Path=/"])
        case "start": return .redirect(302, to: "/page/\(parts.last ?? "")", ["Set-Cookie": "start=1"])
        case "frame": return .page("frame", "<script src=/app.js></script>", ["Cache-Control": "max-age=600"])
        case "app.js": return .init(fields: Self.fresh, body: "window.app = 1")
        case "style.css": return .init(fields: ["Content-Type": "text/css"], body: "body { color: #123 }")
        case "image":
            return .init(fields: ["Cache-Control": "max-age=600", "Content-Type": "image/svg+xml"], body: Self.image)
        case "moved": return .redirect(301, to: "/here")
        case "here": return .init(body: "moved")
        case "fresh": return .init(fields: Self.fresh, body: "fresh")
        case "data": return .init(fields: ["Cache-Control": "no-store"], body: "data")
        case "post": return .init(body: "posted")
        case "hanging":
            await latch.pass()
            return .notFound
        // Storable, and of no length that is known.
        case "endless":
            return .init(fields: Self.fresh, body: "begun") {
                await latch.pass()
                return "ended"
            }
        default: return .notFound
        }
    }

    private static let image =
        #"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><rect width="5" height="4"/></svg>"#

    private static let content = """
        <a href=/>next</a><link rel=stylesheet href=/style.css><script src=/app.js></script><img src=/image/1>
        <img src=/image/2><img src=/missing><iframe src=/frame></iframe>
        <script>
        const go = () => document.querySelector('a').click();
        const text = (url, options) => fetch(url, options).then(answer => answer.text());
        window.done = (async () => {
          const early = new AbortController(), late = new AbortController();
          const refused = fetch('/hanging', {signal: early.signal}).catch(() => 0);
          early.abort();
          await refused;
          const begun = await fetch('/endless', {signal: late.signal});
          await begun.body.getReader().read();
          late.abort();
          const seen = await Promise.all([text('/data'), text('/moved'), text('/fresh'),
            text('/post', {method: 'POST', body: new Blob(['blob'])})]);
          // Left open when the page is left.
          for (const url of ['/hanging', '/endless?' + Math.random()]) fetch(url).then(answer => answer.text(), () => 0);
          new EventSource('/endless');
          return seen.join();
        })();
        </script>
        """
}
