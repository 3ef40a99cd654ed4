import HTTPCacheSemantics
import Manifests
import Testing

@Suite("Keys are rotated without an app update, and revoked by the recovery key alone")
struct KeyRotationTests {
    private let scene: Scene
    private let ids: (current: String, next: String, recovery: String)

    init() throws {
        scene = try Scene()
        ids = (
            try #require(scene.current.publicKey?.id), try #require(scene.next.publicKey?.id),
            try #require(scene.recovery.publicKey?.id)
        )
    }

    @Test("the next key signs as the current one does, and both may")
    func rotation() throws {
        let first = try scene.accept(scene.published(Scene.head(1))).state
        let second = try scene.accept(Scene.sign(Scene.head(2).payload, scene.current, scene.next), first).state
        #expect(second.keys == [ids.current, ids.next])
        let third = try scene.accept(Scene.sign(Scene.head(3).payload, scene.next), second).state
        #expect(third.keys == [ids.next] && third.serial == 3)
        #expect(scene.refusal(try scene.published(Scene.head(2)), third) == .serialOlder)
    }

    @Test("a revoked key signs nothing any more")
    func revoked() throws {
        let first = try scene.accept(scene.published(Scene.head(1))).state
        let revoking = Scene.head(2) { $0.revokes = [ids.current] }
        let second = try scene.accept(Scene.sign(revoking.payload, scene.recovery), first).state
        #expect(second.revoked == [ids.current])
        #expect(scene.refusal(try scene.published(Scene.head(3)), second) == .revokedKey)
        // Beside another key it neither helps nor harms.
        let both = try Scene.sign(Scene.head(3).payload, scene.current, scene.next)
        #expect(try scene.accept(both, second).state.keys == [ids.next])
        // And it stays revoked when later heads no longer say so.
        let third = try scene.accept(Scene.sign(Scene.head(3).payload, scene.next), second).state
        #expect(scene.refusal(try scene.published(Scene.head(4)), third) == .revokedKey)
    }

    @Test("what a thief raised through the revoked key counts no more")
    func fastForward() throws {
        let honest = try scene.accept(scene.published(Scene.head(7))).state
        let far = Scene.head(9_007_199_254_740_991, at: Scene.issued + Scene.day * 20_000)
        let stolen = try scene.accept(scene.published(far), honest).state
        #expect(scene.refusal(try Scene.sign(Scene.head(8).payload, scene.next), stolen) == .serialOlder)
        let saved = try scene.accept(
            Scene.sign(Scene.head(8) { $0.revokes = [ids.current] }.payload, scene.recovery), stolen)
        #expect(saved.state.serial == 8)
        #expect(try scene.accept(Scene.sign(Scene.head(9).payload, scene.next), saved.state).state.serial == 9)
        #expect(scene.refusal(try scene.published(far), saved.state) == .revokedKey)
    }

    @Test("serials that another key has signed as well stay")
    func otherKeys() throws {
        let state = try scene.accept(Scene.sign(Scene.head(7).payload, scene.current, scene.next)).state
        let revoking = Scene.head(6) { $0.revokes = [ids.current] }
        #expect(scene.refusal(try Scene.sign(revoking.payload, scene.recovery), state) == .serialOlder)
    }

    @Test("revoking resets to the serial that the app was built with, not to zero")
    func floorStays() throws {
        var scene = scene
        scene.app.minimumSerial = 5
        let state = try scene.accept(scene.published(Scene.head(7))).state
        let revoking = { serial in Scene.head(serial) { $0.revokes = [ids.current] }.payload }
        #expect(scene.refusal(try Scene.sign(revoking(4), scene.recovery), state) == .serialOlder)
        #expect(try scene.accept(Scene.sign(revoking(5), scene.recovery), state).state.serial == 5)
    }

    @Test("two signatures are needed where the app wants two")
    func threshold() throws {
        let scene = try Scene(threshold: 2)
        #expect(scene.refusal(try scene.published(Scene.head(1))) == .threshold)
        #expect(scene.refusal(try Scene.sign(Scene.head(1).payload, scene.current, scene.stranger)) == .threshold)
        #expect(try scene.accept(Scene.sign(Scene.head(1).payload, scene.current, scene.next)).state.serial == 1)
    }

    @Test("a key that a head revokes does not count towards the signatures of that head")
    func revokedCoSigner() throws {
        let scene = try Scene(threshold: 2)
        let id = try #require(scene.current.publicKey?.id)
        let revoking = Scene.head(1) { $0.revokes = [id] }.payload
        #expect(scene.refusal(try Scene.sign(revoking, scene.recovery, scene.current)) == .threshold)
        #expect(try scene.accept(Scene.sign(revoking, scene.recovery, scene.next)).state.revoked == [id])
    }

    @Test("a serial that was learned through a key which an app update no longer pins does not bind")
    func droppedKey() throws {
        let state = try scene.accept(scene.published(Scene.head(99))).state
        var updated = scene
        updated.app.trust = .pinned(PinnedKeys([try #require(scene.next.publicKey)]))
        let next = try Scene.sign(Scene.head(3).payload, scene.next)
        #expect(scene.refusal(next, state) == .serialOlder)
        #expect(try updated.accept(next, state).state.serial == 3)
    }

    @Test("a serial that was learned without signatures does not bind once keys are pinned")
    func pinnedLater() throws {
        var open = scene.app
        open.trust = .server
        let state = try open.accept(Scene.head(99).payload, state: .init(), clock: Scene.issued).state
        #expect(state.keys.isEmpty && state.serial == 99)
        #expect(try scene.accept(scene.published(Scene.head(3)), state).state.serial == 3)
    }

    @Test("without pinned keys the server is believed, signed or not, and nothing is revoked")
    func server() throws {
        var open = scene.app
        open.trust = .server
        #expect(try open.accept(Scene.head(1).payload, state: .init(), clock: Scene.issued).release != nil)
        #expect(try open.accept(scene.published(Scene.head(1)), state: .init(), clock: Scene.issued).release != nil)
        let revoking = Scene.head(1) { $0.revokes = [ids.current] }
        #expect(throws: ManifestRefusal.self) {
            try open.accept(revoking.payload, state: .init(), clock: Scene.issued)
        }
    }

    @Test("keys are read as they are printed, in one spelling")
    func texts() throws {
        let key = try #require(scene.current.publicKey)
        #expect(ManifestKey(key.description) == key)
        #expect(ManifestKey(key.description.uppercased()) == nil)
        #expect(ManifestKey(String(key.description.dropLast(2))) == nil)
        #expect(ManifestSigningKey(scene.current.secretText)?.publicKey == key)
        #expect(ManifestSigningKey(key.description) == nil)
    }

    @Test("a signature is Ed25519 over DSSE's encoding: openssl's verifies here")
    func foreignSignature() throws {
        // openssl pkeyutl -sign -rawin over "DSSEv1 32 application/vnd.larder.head+json 9 {\"a\":\"b\"}",
        // with the private key of RFC 8032 §7.1, TEST 1.
        let secret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
        let key = try #require(ManifestSigningKey("ed25519-private:" + secret))
        #expect(
            key.publicKey?.description
                == "ed25519:d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        var manifest = SignedManifest(payload: Array("{\"a\":\"b\"}".utf8))
        try manifest.sign(with: key)
        #expect(
            String(decoding: manifest.published, as: UTF8.self).contains(
                "\"sig\":\"1e334da2fa3412a84bb3b88780cc1d1797327cb9ad75bee568defafe8d908a36"
                    + "a5e9525f096b3e087319498874af2e0250cdf5f067e640e0f9771b2d07e8d60d\"}]}\n"))
    }
}
