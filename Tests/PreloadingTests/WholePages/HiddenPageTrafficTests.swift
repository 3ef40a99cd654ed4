import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("The requests of hidden pages", .timeLimit(.minutes(5)))
struct HiddenPageTrafficTests {
    /// A cache for hidden pages beside the one of the bench, over the same store.
    private struct Scene {
        let bench: PreloadBench
        let traffic: HiddenPageTraffic
        let hidden: ResponseCache

        init(marked: String...) throws {
            bench = try PreloadBench(.disk)
            traffic = HiddenPageTraffic(avoiding: try #require(SideEffectPages(paths: marked)))
            hidden = ResponseCache(
                store: bench.store, transport: traffic.transport(over: bench.transport),
                configuration: EngineConfiguration(
                    rules: traffic.rules(before: .protocolOnly), clock: bench.clock.engineClock))
        }

        func ask(
            _ path: String, _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = PreloadBench.pageFields()
        ) async throws -> (response: EngineResponse, text: String) {
            let response = await hidden.respond(
                to: EngineRequest(
                    head: HTTPRequest(
                        method: method, scheme: "https", authority: "shop.test", path: path, headerFields: fields)))
            let text = try await bench.text(response)
            await hidden.waitForCommits()
            return (response, text)
        }
    }

    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .cookie }

    @Test("they say what they are, carry nothing of a user, and what they store answers a visit")
    func sent() async throws {
        let scene = try Scene()
        scene.bench.answer("/a.js", 200, [.cacheControl: "max-age=60", .setCookie: "id=1"], body: "script")
        let fields = PreloadBench.pageFields {
            ($0[.cookie], $0[.authorization]) = ("id=1", "Basic YTpi")
        }
        let answer = try await scene.ask("/a.js", .get, fields)
        #expect(answer.text == "script" && !answer.response.head.headerFields.contains(.setCookie))
        let request = try #require(scene.bench.transport.requests.first)
        #expect(request.head.headerFields[Self.name("Sec-Purpose")] == "prefetch" && request.yields)
        #expect(!request.head.headerFields.contains(.cookie) && !request.head.headerFields.contains(.authorization))
        #expect(scene.traffic.received == ByteCount(6))
        #expect(await scene.bench.page("/a.js").cacheStatus.isHit)
        #expect(scene.bench.transport.requests.count == 1)
    }

    @Test("only GET, HEAD and OPTIONS leave", arguments: ["POST", "PUT", "DELETE", "PATCH", "PROPFIND"])
    func methods(_ method: String) async throws {
        let scene = try Scene()
        scene.bench.answer("/form", 200, body: "sent")
        let answer = try await scene.ask("/form", try #require(HTTPRequest.Method(method)))
        #expect(answer.response.head.status == .forbidden && scene.bench.transport.requests.isEmpty)
        let withheld = scene.traffic.withheld.map { "\($0.method.rawValue) \($0.targetURL)" }
        #expect(withheld == "\(method) \(PreloadBench.base)/form")
        for harmless in [HTTPRequest.Method.head, .options, .get] { _ = try await scene.ask("/form", harmless) }
        #expect(scene.bench.transport.requests.count == 3)
    }

    @Test("what is marked is neither asked for nor answered from the store, and stays stored for visits")
    func marked() async throws {
        let scene = try Scene(marked: "/signout")
        scene.bench.answer("/signout", body: "bye")
        _ = try await scene.bench.text(await scene.bench.page("/signout"))
        await scene.bench.cache.waitForCommits()
        #expect(try await scene.ask("/signout").response.head.status == .forbidden)
        #expect(scene.bench.transport.requests.count == 1)
        #expect(await scene.bench.page("/signout").cacheStatus.isHit)
        scene.traffic.avoided = SideEffectPages()
        #expect(try await scene.ask("/signout").text == "bye")
    }

    @Test(
        "a response that a visit would not get is not stored",
        arguments: [
            ("Sec-Purpose", nil, false), ("Accept", nil, true), ("Purpose", nil, true),
            // Pages of Django, Drupal and MediaWiki, for those who have no cookie yet.
            ("Cookie", nil, true), ("Accept, Authorization", nil, true),
            // A script has set it, and it was left out: the server has not answered to it.
            ("Cookie", .cookie, false), ("Accept, Authorization", .authorization, false),
        ] as [(String, HTTPField.Name?, Bool)])
    func vary(_ value: String, _ has: HTTPField.Name?, _ isStored: Bool) async throws {
        let scene = try Scene()
        scene.bench.answer("/a.js", 200, [.cacheControl: "max-age=60", .vary: value], body: "script")
        let fields = PreloadBench.pageFields { fields in has.map { fields[$0] = "id=1" } }
        #expect(try await scene.ask("/a.js", .get, fields).text == "script")
        #expect(await scene.bench.page("/a.js", fields).cacheStatus.isHit == isStored)
    }

    @Test("nothing of a site is cleared")
    func clearing() async throws {
        let scene = try Scene()
        scene.bench.answer("/a.js", body: "script")
        _ = try await scene.bench.text(await scene.bench.page("/a.js"))
        await scene.bench.cache.waitForCommits()
        scene.bench.answer("/b", 200, [Self.name("Clear-Site-Data"): "\"cache\""])
        _ = try await scene.ask("/b")
        #expect(await scene.bench.page("/a.js").cacheStatus.isHit)
    }
}
