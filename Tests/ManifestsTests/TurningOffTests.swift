import Manifests
import Testing

@Suite("What a signed head turns off is remembered with its serial, and nothing else turns it off or on")
struct TurningOffTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func turning(off names: [String], _ serial: Int64) -> ManifestHead {
        Scene.head(serial) { $0.turnsOff = names }
    }

    @Test("it is remembered, until a head with a higher serial says otherwise; an older one is refused")
    func remembered() throws {
        let names = ["proxy", "shop.example", "*.cdn.example", "*"]
        let off = try scene.accept(scene.published(turning(off: names, 2))).state
        #expect(try off.turnsOff == names && Scene.state(Scene.text(of: off)) == off)
        #expect(scene.refusal(try scene.published(turning(off: [], 1)), off) == .serialOlder)
        #expect(scene.refusal(try scene.published(turning(off: [], 2)), off) == .serialReused)
        let on = try scene.accept(scene.published(turning(off: [], 3)), off).state
        #expect(try on.turnsOff.isEmpty && Scene.state(Scene.text(of: on)) == on)
    }

    @Test("without a pinned key nothing is turned off, and nothing on: whoever writes the server's files must not")
    func unsigned() throws {
        var scene = scene
        let off = try scene.accept(scene.published(turning(off: ["proxy"], 1))).state
        scene.app.trust = .server
        let head = turning(off: ["*"], 1)
        #expect(try scene.accept(head.payload).state.turnsOff.isEmpty)
        #expect(try scene.accept(turning(off: [], 2).payload, off).state.turnsOff == ["proxy"])
    }

    @Test("a head that turns nothing off is as it was: readers of before accept it, and its signature stays")
    func unchanged() throws {
        #expect(!String(decoding: Scene.head(1).payload, as: UTF8.self).contains("turnsOff"))
    }

    @Test(
        "names that can't be a mode or a host are refused, not passed over",
        arguments: [[""], ["a b"], ["https://shop.example"], ["a,b"], ["a\n"], [String(repeating: "a", count: 254)]])
    func names(names: [String]) throws {
        #expect(scene.refusal(try scene.published(turning(off: names, 1))) == .malformed)
    }

    @Test("at most 64 names")
    func count() throws {
        let names = (1...64).map { "h\($0).example" }
        #expect(scene.refusal(try scene.published(turning(off: names, 1))) == nil)
        #expect(scene.refusal(try scene.published(turning(off: names + ["x"], 1))) == .malformed)
    }

    @Test("a damaged name makes the whole state damaged")
    func damaged() throws {
        let text = try Scene.text(of: scene.accept(scene.published(turning(off: ["proxy"], 1))).state)
        #expect(text.contains("proxy") && Scene.state(text.replacing("proxy", with: "pro xy")) == nil)
    }
}
