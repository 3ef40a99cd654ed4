import CacheRules
import CacheTesting
import Foundation
import HTTPTypes
import Preloading
import Testing
import ViewCare

@testable import LarderKit

@Suite("What a publisher turns off from afar", .timeLimit(.minutes(5)))
struct TurningOffTests {
    private typealias Scene = PreloadScene

    struct Row: Sendable, CustomTestStringConvertible {
        var off: [String]
        var isHostOff: Bool
        var modes: [InterceptionMode]
        var testDescription: String { off.joined(separator: " ") }
    }

    @Test(
        "hosts are asked for past the store, modes are not used: at once, in the next process, until a newer head",
        arguments: [
            Row(off: ["shop.example"], isHostOff: true, modes: []),
            Row(off: ["*.example", "appScheme"], isHostOff: true, modes: [.appScheme]),
            Row(off: ["other.example"], isHostOff: false, modes: []),
            Row(off: ["proxy", "httpsScheme"], isHostOff: false, modes: [.proxy, .httpsScheme]),
            Row(off: ["a-mode-of-tomorrow"], isHostOff: false, modes: []),
            Row(off: ["*"], isHostOff: true, modes: [.proxy, .appScheme, .httpsScheme]),
        ])
    func table(row: Row) async throws {
        let scene = try Scene()
        try scene.publish(1, [("app.js", .boot)])
        scene.on("page.js", "of the first visit")
        let larder = try scene.larder()
        try await larder.preload(manifest: scene.manifest)
        #expect(try await larder.text(Scene.shop + "page.js") == "of the first visit")
        scene.on("page.js", "of the server")
        #expect(try await larder.text(Scene.shop + "page.js") == "of the first visit")
        // The app's own rules stay as they are, and come into force again.
        let own = larder.rules.names
        try scene.publish(2, [("app.js", .boot)], turnsOff: row.off)
        // Fetching ahead of need waits for visible traffic to be over.
        scene.clock.advance(by: .seconds(10))
        try await larder.preload(manifest: scene.manifest)
        for larder in [larder, try scene.larder()] {
            #expect(
                try await larder.text(Scene.shop + "page.js")
                    == (row.isHostOff ? "of the server" : "of the first visit"))
            #expect(larder.rules.names == own)
            for mode in [InterceptionMode.proxy, .appScheme, .httpsScheme] {
                #expect((larder.policy.turnedOff.fault(of: mode) != nil) == row.modes.contains(mode))
            }
        }
        let explained = try await larder.explain(Scene.url("page.js"))
        #expect(explained.steps.contains { $0.finding.contains("turned-off") } == row.isHostOff)
        larder.rules = RuleList([Rule("own", .cacheFirst)])
        #expect(larder.rules.names == ["own"])
        #expect(
            try await larder.text(Scene.shop + "page.js") == (row.isHostOff ? "of the server" : "of the first visit"))
        try scene.publish(3, [("app.js", .boot)])
        scene.clock.advance(by: .seconds(10))
        try await larder.preload(manifest: scene.manifest)
        #expect(larder.policy.turnedOff == TurnedOff() && larder.rules.names == ["own"])
        #expect(try await larder.text(Scene.shop + "page.js") == "of the first visit")
        #expect(try scene.larder().policy.turnedOff == TurnedOff())
    }

    @Test("a head that is refused, or a state that is damaged, turns nothing off and nothing on")
    func refused() async throws {
        let scene = try Scene()
        let larder = try scene.larder()
        try scene.publish(2, [("app.js", .boot)], turnsOff: ["proxy"])
        try await larder.preload(manifest: scene.manifest)
        try scene.publish(1, [("app.js", .boot)], turnsOff: ["*"])
        await #expect(throws: (any Error).self) { try await larder.preload(manifest: scene.manifest) }
        #expect(larder.policy.turnedOff.names == ["proxy"])
        var stranger = scene.manifest
        stranger.keys = [try Scene().manifest.keys[0]]
        try scene.publish(3, [("app.js", .boot)], turnsOff: ["*"])
        await #expect(throws: (any Error).self) { try await larder.preload(manifest: stranger) }
        #expect(larder.policy.turnedOff.names == ["proxy"])
        let folder = scene.statePath("")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try "garbage\u{0}".write(toFile: folder + name, atomically: true, encoding: .utf8)
        }
        let next = try scene.larder()
        #expect(next.policy.turnedOff.names.isEmpty)
        #expect(try await next.text(Scene.shop + "app.js") == "app.js")
    }

    @Test("a self-test's objections are those of one build of the system, and damaged ones are none")
    func measured() throws {
        let files = PreloadStateFiles(folder: try Scene().directory.store)
        #expect(files.modeFaults(onBuild: "26.1 (23B85)").isEmpty)
        try files.keep(modeFaults: ["proxy": "It carries\nno script."], onBuild: "26.1 (23B85)")
        #expect(files.modeFaults(onBuild: "26.1 (23B85)") == ["proxy": "It carries\nno script."])
        #expect(files.modeFaults(onBuild: "26.1 (23B86)").isEmpty)
        try files.keep(modeFaults: ["appScheme": "It does not work."])
        #expect(files.modeFaults() == ["appScheme": "It does not work."])
        for garbage in ["", "{", "\u{0}\n\n", "{\"build\":1,\"faults\":{}}", "[]"] {
            try garbage.write(toFile: files.folder + "/modes", atomically: true, encoding: .utf8)
            #expect(files.modeFaults().isEmpty)
        }
    }
}
