import HTTPCacheSemantics
import Manifests
import Testing

@Suite("Order is by serial alone; expiry stops accepting, and never removes")
struct OrderAndTimeTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("a rollback is a higher serial that names the older list")
    func rollback() throws {
        let new = Release(name: "11.4", list: .init(digest: BodyDigest(of: [2]), size: ByteCount(1)))
        let first = try scene.accept(scene.published(Scene.head(1)))
        let second = try scene.accept(scene.published(Scene.head(2) { $0.releases.append(new) }), first.state)
        #expect(second.release == new)
        let third = try scene.accept(scene.published(Scene.head(3)), second.state)
        #expect(third.release == first.release)
        #expect(
            scene.refusal(try scene.published(Scene.head(2) { $0.releases.append(new) }), third.state) == .serialOlder)
    }

    @Test("an earlier `issued` with a higher serial is newer: clocks of publishers do not order")
    func issuedDoesNotOrder() throws {
        let first = try scene.accept(scene.published(Scene.head(1))).state
        let earlier = Scene.head(2, at: Scene.issued + .seconds(-3_600))
        let second = try scene.accept(scene.published(earlier), first)
        #expect(second.state.serial == 2)
    }

    @Test("the same head again is accepted, and is no change")
    func again() throws {
        let head = try scene.published(Scene.head(1))
        let first = try scene.accept(head)
        #expect(!first.isUnchanged)
        let again = try scene.accept(head, first.state)
        #expect(again.isUnchanged && again.state == first.state)
    }

    @Test("signing the same payload with another key is no change")
    func signedAnew() throws {
        let state = try scene.accept(scene.published(Scene.head(1))).state
        #expect(try scene.accept(Scene.sign(Scene.head(1).payload, scene.next), state).isUnchanged)
    }

    @Test("a serial below the one that the app was built with is refused, whatever is remembered")
    func builtIn() throws {
        var scene = scene
        scene.app.minimumSerial = 5
        #expect(scene.refusal(try scene.published(Scene.head(4))) == .serialOlder)
        #expect(scene.refusal(try scene.published(Scene.head(5))) == nil)
    }

    struct Clock: Sendable, CustomTestStringConvertible {
        var what: String
        /// Days since the head was issued; it expires after 30.
        var clock: Int
        var learned: Int? = nil
        var responseDate: Int? = nil
        var isAccepted: Bool
        var testDescription: String { what }
    }

    @Test(
        "the time is the later of clock and a response's Date, which makes nothing earlier; earlier heads say nothing",
        arguments: [
            Clock(what: "in time", clock: 1, isAccepted: true),
            Clock(what: "before it was issued: a slow clock is no reason", clock: -400, isAccepted: true),
            Clock(what: "expired, within the slack of a day", clock: 31, isAccepted: true),
            Clock(what: "expired", clock: 32, isAccepted: false),
            Clock(
                what: "the builder's clock was ahead once: right heads are not kept out for as long", clock: 1,
                learned: 4_000, isAccepted: true),
            Clock(
                what: "expired, and the head before came from a clock ahead", clock: 32, learned: 40, isAccepted: false),
            Clock(what: "a frozen clock that nothing contradicts", clock: -9_000, isAccepted: true),
            Clock(
                what: "expired 100 days ago, and a date of before: whoever writes the CDN could hold a device back",
                clock: 130, responseDate: 20, isAccepted: false),
            Clock(
                what: "a fast clock, and the server's date, which nobody has signed", clock: 4_000, responseDate: 2,
                isAccepted: false),
            Clock(what: "in time, and an old date", clock: 1, responseDate: -400, isAccepted: true),
            Clock(what: "a slow clock, and the server's date", clock: 2, responseDate: 40, isAccepted: false),
        ])
    func time(_ row: Clock) throws {
        func instant(_ days: Int) -> WallInstant { Scene.issued + Scene.day * days }
        var state = ManifestState()
        if let learned = row.learned {
            state = try scene.accept(scene.published(Scene.head(1, at: instant(learned))), clock: instant(learned))
                .state
        }
        let head = try scene.published(Scene.head(2))
        let accepted = try? scene.accept(
            head, state, clock: instant(row.clock), responseDate: row.responseDate.map(instant))
        #expect((accepted != nil) == row.isAccepted)
        if !row.isAccepted {
            #expect(throws: ManifestRefusal.self) {
                try scene.accept(head, state, clock: instant(row.clock), responseDate: row.responseDate.map(instant))
            }
        }
    }

    @Test("paused and off are accepted, so that an older active head can't undo them")
    func killSwitch() throws {
        let active = try scene.published(Scene.head(1))
        let first = try scene.accept(active)
        let paused = try scene.accept(scene.published(Scene.head(2) { $0.state = .paused }), first.state)
        guard case .nothing(let reason) = paused.choice else { return #expect(Bool(false), "\(paused.choice)") }
        #expect(reason.code == .paused)
        let off = try scene.accept(scene.published(Scene.head(3) { $0.state = .off }), paused.state)
        guard case .unpin(let reason) = off.choice else { return #expect(Bool(false), "\(off.choice)") }
        #expect(reason.code == .off)
        #expect(scene.refusal(active, off.state) == .serialOlder)
        #expect(try scene.accept(scene.published(Scene.head(4)), off.state).release != nil, "and on again")
    }

    @Test("the state is kept as JSON, and any other is refused")
    func kept() throws {
        let first = try scene.accept(scene.published(Scene.head(7)))
        let id = try #require(scene.current.publicKey?.id)
        let second = try scene.accept(
            Scene.sign(Scene.head(8) { $0.revokes = [id] }.payload, scene.recovery), first.state)
        var third = second.state
        third.noteShown(9)
        #expect(third.shown == 0, "it is of no head that was accepted")
        third.noteShown(8)
        #expect(third.shown == 8)
        for state in [ManifestState(), first.state, second.state, third] {
            let text = try Scene.text(of: state)
            #expect(Scene.state(text) == state, "\(text)")
            for key in ["serial", "payload", "keys", "revoked", "shown", "turnsOff"] {
                #expect(Scene.state(text.replacing("\"\(key)\":", with: "\"other\":")) == nil, "\(key)")
            }
            #expect(Scene.state(String(text.dropLast())) == nil)
        }
        #expect(Scene.state("") == nil)
        let text = try Scene.text(of: third)
        let digest = try #require(third.payload).description
        for (right, wrong) in [
            ("\"serial\":8", "\"serial\":-8"), ("\"serial\":8", "\"serial\":9007199254740992"),
            ("\"shown\":8", "\"shown\":-1"), (digest, String(digest.dropLast())), ("\"\(id)\"", "\"a b\""),
        ] {
            #expect(text.contains(right) && Scene.state(text.replacing(right, with: wrong)) == nil, "\(wrong)")
        }
    }
}
