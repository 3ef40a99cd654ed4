import CacheRules
import CacheTesting
import Fetching
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("A page that is fetched ahead with its files, between visits and deploys", .timeLimit(.minutes(5)))
struct PageDeployTests {
    private let bench: PreloadBench

    init() throws {
        bench = try PreloadBench(.disk, rules: .webViewDefaults)
    }

    private func preload() async -> PreloadSummary {
        await bench.queue.add([PreloadItem(url: PreloadBench.base + "/").withFiles()], set: "page")
        return await bench.queue.runUntilSettled(set: "page", patience: .zero)
    }

    private func page() async throws -> String { try await bench.offlinePage() }

    @Test(
        "a page that was fetched ahead opens, though the one visited before had a script more",
        arguments: [true, false])
    func dropped(hasFiles: Bool) async throws {
        bench.answer("/", 200, [.contentType: "text/html", .eTag: "\"1\""], body: "1<script src=/old.js></script>")
        bench.answer("/old.js", 200, [.contentType: "text/javascript"], body: "old")
        for (path, destination) in [("/", PreloadDestination.document), ("/old.js", .script)] {
            let item = PreloadItem(url: PreloadBench.base + path, destination: destination)
            var request = EngineRequest(head: try #require(ViewFields().request(for: item, at: item.url)))
            request.context.destination = destination.destination
            if path != "/" { request.head.headerFields[.referer] = PreloadBench.base + "/" }
            _ = try await bench.cache.respond(to: request).body.collect(upTo: .mebibytes(1))
            await bench.cache.waitForCommits()
            await bench.cache.waitForBackgroundWork()
        }
        bench.clock.advance(by: .seconds(60))
        bench.answer("/", 200, [.contentType: "text/html", .eTag: "\"2\""], body: "2")
        let page = PreloadItem(url: PreloadBench.base + "/")
        await bench.queue.add([hasFiles ? page.withFiles() : page], set: "page")
        await bench.queue.runUntilSettled(set: "page", patience: .zero)
        #expect(try await self.page() == "2")
    }

    @Test("a deploy between a page and its files leaves the version before; a tag of each answer's own tells nothing")
    func overtaken() async throws {
        let (version, asked) = (LockedBox(1), LockedBox(0))
        func publish(hasTag: Bool) {
            bench.on("/") { _ in
                let tag =
                    hasTag
                    ? version.withLock { $0 }
                    : asked.withLock {
                        $0 += 1; return $0
                    }
                return ScriptedTransport.answer(
                    200, [.contentType: "text/html", .eTag: "\"\(tag)\""],
                    body: "\(version.withLock { $0 })<link rel=stylesheet href=/s.css>")
            }
        }
        bench.on("/s.css") { _ in
            let number = version.withLock { number in
                if number == 2 { number = 3 }
                return number
            }
            return ScriptedTransport.answer(200, [.contentType: "text/css", .eTag: "\"\(number)\""], body: "\(number)")
        }
        publish(hasTag: true)
        _ = await preload()
        version.withLock { $0 = 2 }
        #expect(await preload().refused[.validatorChanged] == 2)
        #expect(try await page().hasPrefix("1"))
        _ = await preload()
        #expect(try await page().hasPrefix("3"))
        publish(hasTag: false)
        version.withLock { $0 = 4 }
        _ = await preload()
        #expect(try await page().hasPrefix("4"))
    }
}
