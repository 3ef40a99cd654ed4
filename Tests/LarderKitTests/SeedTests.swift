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

/// The order in docs/guides/bundled-site.md.
@Suite("Larder, filled from a seed", .timeLimit(.minutes(5)))
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

    @Test("a seed is for the current account alone, or for nobody")
    func account() async throws {
        let scene = try Scene()
        #expect(try await fill(scene, ["a.js"]).stored == 1)
        let larder = try scene.larder()
        #expect(try await larder.isAvailableOffline(Scene.url("a.js")))
        larder.account = "anna"
        #expect(try await !larder.isAvailableOffline(Scene.url("a.js")))
        #expect(try await larder.preload(seed: seed(scene, ["a.js"])).stored == 1)
        #expect(try await larder.isAvailableOffline(Scene.url("a.js")))
        larder.account = "ben"
        #expect(try await !larder.isAvailableOffline(Scene.url("a.js")))
    }

    @Test("a file that is no seed, or that is missing, says so")
    func refused() async throws {
        let scene = try Scene()
        let file = scene.directory.path + "/Shop.seed"
        let larder = try scene.larder()
        await #expect { try await larder.preload(seed: URL(fileURLWithPath: file)) } throws: {
            ($0 as? SeedError)?.code == .unreadable
        }
        try Data("no seed".utf8).write(to: URL(fileURLWithPath: file))
        await #expect { try await larder.preload(seed: URL(fileURLWithPath: file)) } throws: {
            ($0 as? SeedError)?.code == .notASeed
        }
    }

    @Test("a task that is cancelled copies nothing more, and the next call goes on")
    func cancelled() async throws {
        let scene = try Scene()
        let (larder, file) = (try scene.larder(), try seed(scene, ["a.js", "b.js"]))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await larder.preload(seed: file)
        }
        let summary = try await task.value
        #expect(summary.stopped?.reason == .cancelled && summary.stored == 0)
        #expect(try await larder.preload(seed: file).stored == 2)
    }

    @Test("with a manifest its keys have to have signed the seed's own, and bad keys are refused")
    func manifest() async throws {
        let scene = try Scene()
        let (larder, file) = (try scene.larder(), try seed(scene, ["a.js"]))
        // A seed without a manifest is taken as it is.
        #expect(try await larder.preload(seed: file, manifest: scene.manifest).stored == 1)
        var manifest = scene.manifest
        manifest.keys = ["none"]
        await #expect(throws: ManifestUpdateError.self) { try await larder.preload(seed: file, manifest: manifest) }
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
        try await scene.larder().preload(seed: seed(scene, paths, of: content))
    }

    private func seed(_ scene: Scene, _ paths: [String], of content: (String) -> String = { $0 }) throws -> URL {
        var index = SeedIndex(id: "shop", built: scene.clock.now, files: [])
        var end: Int64 = 0
        for path in paths {
            let bytes = Array(content(path).utf8)
            let digest = BodyDigest(of: bytes)
            index.files.append(
                SeedEntry(
                    url: Scene.shop + path, content: ExpectedContent(sha256: digest, size: ByteCount(bytes.count)),
                    region: end..<end + Int64(bytes.count), destination: path.isEmpty ? .document : .script,
                    fields: [.contentType: path.isEmpty ? "text/html" : "text/javascript"]))
            end += Int64(bytes.count)
        }
        let file = URL(fileURLWithPath: scene.directory.path + "/Shop.seed")
        try Data(try index.prologue() + paths.flatMap { Array(content($0).utf8) }).write(to: file)
        return file
    }
}
