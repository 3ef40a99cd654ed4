import CacheEngine
import CacheRules
import CacheTesting
import Foundation
import HTTPCacheSemantics
import LarderKit
import Manifests
import Preloading
import ResponseStore
import Testing

/// The order in docs/guides/bundled-site.md: the store is filled, let go of, and then opened by a Larder.
@Suite("Larder, over a store that a seed has filled", .timeLimit(.minutes(5)))
struct SeedTests {
    private typealias Scene = PreloadScene

    @Test("what a seed brought before the start answers without a network, and with one where a rule says so")
    func filled() async throws {
        let scene = try Scene()
        #expect(try await fill(scene, ["", "a.js"]).stored == 2)
        let offline = try scene.larder()
        offline.connectivityOverride = .disconnected
        for path in ["", "a.js"] { #expect(try await offline.text(Scene.shop + path) == path) }
        let bundled = try scene.larder { configuration in configuration.rules = Self.rules }
        for path in ["", "a.js"] { #expect(try await bundled.text(Scene.shop + path) == path) }
        #expect(scene.asked.isEmpty)
    }

    @Test("a second run copies nothing; after the store was emptied it brings everything back")
    func again() async throws {
        let scene = try Scene()
        #expect(try await fill(scene, ["", "a.js"]).stored == 2)
        let second = try await fill(scene, ["", "a.js"])
        #expect(second.held == 2 && second.stored == 0)
        _ = try await scene.larder().removeAll()
        #expect(try await fill(scene, ["", "a.js"]).stored == 2)
    }

    @Test("an account does not find what a seed has brought for nobody")
    func account() async throws {
        let scene = try Scene()
        #expect(try await fill(scene, ["a.js"]).stored == 1)
        let larder = try scene.larder()
        #expect(try await larder.isAvailableOffline(Scene.url("a.js")))
        larder.account = "anna"
        #expect(try await !larder.isAvailableOffline(Scene.url("a.js")))
    }

    @Test("the first update of the manifest fetches its head, its list and what the seed lacks")
    func update() async throws {
        let scene = try Scene()
        #expect(try await fill(scene, ["a.js", "b.js"]).stored == 2)
        try scene.publish(7, [("a.js", .boot), ("b.js", .boot), ("c.js", .boot)])
        let larder = try scene.larder { configuration in configuration.rules = Self.rules }
        #expect(try await larder.preload(manifest: scene.manifest).isReady)
        let files = scene.asked.filter { !$0.hasPrefix("/larder/") }
        #expect(files == ["/c.js"])
        #expect(scene.asked.count == 3)
    }

    @Test("an update replaces what the seed brought, though a rule has the store answer")
    func changed() async throws {
        let scene = try Scene()
        #expect(try await fill(scene, ["a.js"], of: { "the first \($0)" }).stored == 1)
        try scene.publish(7, [("a.js", .boot)])
        let larder = try scene.larder { configuration in configuration.rules = Self.rules }
        #expect(try await larder.text(Scene.shop + "a.js") == "the first a.js")
        #expect(try await larder.preload(manifest: scene.manifest).isReady)
        #expect(try await larder.text(Scene.shop + "a.js") == "a.js")
        #expect(
            try await fill(scene, ["a.js"], of: { "the first \($0)" }).newer == 1, "the next start takes nothing back")
        #expect(try await larder.text(Scene.shop + "a.js") == "a.js")
    }

    private static let rules = RuleList {
        RuleList.webViewSafeguards
        Rule("bundled", .cacheFirst, when: .all(.host("shop.example"), .not(.pathPrefix("/api/"))))
        RuleList.webViewDefaults
    }

    /// - Parameter content: The path itself unless given, as in ``PreloadScene/publish(_:_:pages:)``.
    private func fill(
        _ scene: Scene, _ paths: [String], of content: (String) -> String = { $0 }
    ) async throws -> SeedSummary {
        var index = SeedIndex(id: "shop", built: scene.clock.now, files: [])
        var end: Int64 = 0
        for path in paths {
            let bytes = Array(content(path).utf8)
            let digest = try #require(BodyDigest(ContentDigest(of: bytes).bytes))
            index.files.append(
                SeedEntry(
                    url: Scene.shop + path, content: ExpectedContent(sha256: digest, size: ByteCount(bytes.count)),
                    region: end..<end + Int64(bytes.count), destination: path.isEmpty ? .document : .script,
                    fields: [.contentType: path.isEmpty ? "text/html" : "text/javascript"]))
            end += Int64(bytes.count)
        }
        let file = scene.directory.path + "/Shop.seed"
        try Data(try index.prologue() + paths.flatMap { Array(content($0).utf8) }).write(to: URL(fileURLWithPath: file))
        let store = try DiskResponseStore(directory: scene.directory.store)
        let cache = ResponseCache(
            store: store, transport: scene.transport,
            configuration: EngineConfiguration(rules: Self.rules, clock: scene.clock.engineClock))
        return try await SeedFilling(try Seed(path: file), cache: cache).run()
    }
}
