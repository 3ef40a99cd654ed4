import HTTPCacheSemantics
import Manifests
import Testing

@Suite("A head that is refused is refused for its reason, and leaves the old state working")
struct HeadRefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var code: ManifestRefusal.Code
        var what: String
        var published: @Sendable (Scene) throws -> [UInt8]
        var testDescription: String { "\(code): \(what)" }

        init(_ code: ManifestRefusal.Code, _ what: String, _ published: @escaping @Sendable (Scene) throws -> [UInt8]) {
            (self.code, self.what, self.published) = (code, what, published)
        }

        /// A signed payload with one text in the place of another.
        init(_ code: ManifestRefusal.Code, replacing old: String, by new: String) {
            self.init(code, "\(old) → \(new.prefix(60))") { scene in
                let payload = String(decoding: Scene.head(5).payload, as: UTF8.self)
                try #require(payload.contains(old), "\(payload)")
                return try Scene.sign(Array(payload.replacing(old, with: new, maxReplacements: 1).utf8), scene.current)
            }
        }
    }

    private static let rows = [
        Row(.tooLarge, "64 KiB and an octet") { _ in Array(repeating: 0x20, count: 65_537) },
        Row(.malformed, "nothing signed") { try Scene.sign([], $0.current) },
        Row(.malformed, "no line of the payload") { scene in
            Array(try scene.published(Scene.head(5)).prefix { $0 != 0x0A })
        },
        Row(.malformed, "signed twice by one key") { scene in
            let signed = try SignedManifest(published: scene.published(Scene.head(5)))
            let line = String(decoding: signed.published.prefix { $0 != 0x0A }, as: UTF8.self)
            let signature = line.dropFirst(15).dropLast(2)
            return Array("{\"signatures\":[\(signature),\(signature)]}\n".utf8) + signed.payload
        },
        Row(.malformed, replacing: "{\"larder\"", by: "[{\"larder\""),
        Row(.malformed, replacing: "\"larder\":1,", by: ""),
        Row(.malformed, replacing: "\"larder\":1", by: "\"larder\":1.0"),
        Row(.malformed, replacing: "\"serial\":5", by: "\"serial\":5e0"),
        Row(.malformed, replacing: "\"serial\":5", by: "\"serial\":-5"),
        Row(.malformed, replacing: "\"serial\":5", by: "\"serial\":0"),
        Row(.malformed, replacing: "\"serial\":5", by: "\"serial\":9007199254740992"),
        Row(.malformed, replacing: "\"serial\":5", by: "\"serial\":99999999999999999999999999"),
        Row(.malformed, replacing: "\"serial\":5", by: "\"serial\":\"5\""),
        Row(.malformed, replacing: "com.example.shop", by: "com.example shop"),
        Row(.malformed, replacing: "com.example.shop", by: ""),
        Row(.malformed, replacing: "2026-11-20T08:00:00Z", by: "2026-11-20T08:00:00+00:00"),
        Row(.malformed, replacing: "2026-11-20T08:00:00Z", by: "2026-02-30T08:00:00Z"),
        Row(.malformed, replacing: "2026-12-20T08:00:00Z", by: "2026-11-20T08:00:00Z"),
        Row(.malformed, replacing: "\"revokes\":[]", by: "\"revokes\":[\"a\"]"),
        Row(.malformed, replacing: "\"releases\":[", by: "\"others\":["),
        Row(.malformed, replacing: "\"size\":1", by: "\"size\":null"),
        Row(.malformed, replacing: "\"sha256\":\"4b", by: "\"sha256\":\"4B"),
        Row(.malformed, replacing: "\"name\":\"11.3\"", by: "\"name\":\"11\\n3\""),
        Row(.malformed, replacing: "\"name\":\"11.3\"", by: "\"name\":\"11.3\",\"minApp\":\"5.2-beta\""),
        Row(
            .malformed, replacing: "\"name\":\"11.3\"",
            by: "\"name\":\"11.3\",\"rollout\":{\"permyriad\":10001,\"salt\":\"a\"}"),
        Row(.malformed, replacing: "\"list\":", by: "\"a\":" + String(repeating: "[", count: 40)),
        Row(.duplicateKey, replacing: "\"serial\":5", by: "\"serial\":5,\"serial\":6"),
        Row(.duplicateKey, replacing: "\"size\":1", by: "\"size\":1,\"si\\u007ae\":2"),
        Row(.unsupported, replacing: "\"larder\":1", by: "\"larder\":2"),
        Row(.unsupported, replacing: "\"serial\":5", by: "\"serial\":5,\"must-show\":true"),
        Row(.unsupported, replacing: "\"name\":\"11.3\"", by: "\"name\":\"11.3\",\"must-be-on\":\"wifi\""),
        Row(.unsupported, replacing: "\"active\"", by: "\"resting\""),
        Row(.unsigned, "the payload alone") { _ in Scene.head(5).payload },
        Row(.unsigned, "no signature in the line") { _ in Array("{\"signatures\":[]}\n".utf8) + Scene.head(5).payload },
        Row(.unsigned, "nothing at all") { _ in [] },
        Row(.unknownKey, "a stranger's key") { try Scene.sign(Scene.head(5).payload, $0.stranger) },
        Row(.badSignature, "a stranger's signature under a pinned key's id") { scene in
            let strange = try Scene.sign(Scene.head(5).payload, scene.stranger)
            let (id, other) = (try #require(scene.current.publicKey?.id), try #require(scene.stranger.publicKey?.id))
            return Array(String(decoding: strange, as: UTF8.self).replacing(other, with: id).utf8)
        },
        Row(.badSignature, "the signature of another head") { scene in
            Array(try scene.published(Scene.head(6)).prefix { $0 != 0x0A }) + [0x0A] + Scene.head(5).payload
        },
        Row(.badSignature, "an octet behind the payload") { try $0.published(Scene.head(5)) + [0x0A] },
        Row(.threshold, "revokes, and the recovery key has not signed") { scene in
            let id = try #require(scene.next.publicKey?.id)
            return try scene.published(Scene.head(5) { $0.revokes = [id] })
        },
        Row(.threshold, "the recovery key alone has signed, and nothing is revoked") { scene in
            try Scene.sign(Scene.head(5).payload, scene.recovery)
        },
        Row(.malformed, "a carriage return behind the signatures") { scene in
            let bytes = try scene.published(Scene.head(5))
            let end = try #require(bytes.firstIndex(of: 0x0A))
            return bytes[..<end] + [0x0D] + bytes[end...]
        },
        Row(.malformed, "the recovery key revokes itself") { scene in
            let id = try #require(scene.recovery.publicKey?.id)
            return try Scene.sign(Scene.head(5) { $0.revokes = [id] }.payload, scene.recovery)
        },
        Row(.wrongID, replacing: "com.example.shop", by: "com.example.shop2"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://static.example.com.evil.test/"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://other.example.com/shop/"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "http://static.example.com/shop/"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://static.example.com/shop"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://static.example.com/a/../"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://static.example.com/%2e%2e/"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://static.example.com//"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://static.example.com/?a=/"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://static.example.com/#/"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://static.example.com@evil.test/"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://STATIC.example.com/"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "https://static.example.com:443/"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "//static.example.com/"),
        Row(.wrongBase, replacing: "https://static.example.com/shop/", by: "file:///"),
        Row(.expired, "a month and a day ago") { scene in
            try scene.published(Scene.head(5, at: Scene.issued + Scene.day * -32))
        },
        Row(.serialOlder, "an older one") { try $0.published(Scene.head(3)) },
        Row(.serialReused, "another one with the same serial") { scene in
            try scene.published(Scene.head(4) { $0.state = .off })
        },
    ]

    /// A head, the URL that it came from, and the base that the app names.
    struct Place: Sendable, CustomTestStringConvertible {
        var base: String
        var url: String
        var named: String?
        var isAccepted: Bool
        var testDescription: String { "\(base) from \(url), \(named ?? "nothing") named" }

        init(_ base: String, from url: String, named: String? = nil, _ isAccepted: Bool) {
            (self.base, self.url, self.named, self.isAccepted) = (base, url, named, isAccepted)
        }
    }

    private static let places = [
        Place("https://shop.test/", from: "https://shop.test/larder/head.json", true),
        Place("https://shop.test/a/", from: "https://shop.test/b/head.json", true),
        Place("https://victim.test/", from: "https://shop.test/head.json", false),
        Place("https://static.shop.test/", from: "https://shop.test/head.json", false),
        Place("https://shop.test:8443/", from: "https://shop.test/head.json", false),
        Place("http://localhost:8000/", from: "http://localhost:8000/larder/head.json", true),
        Place("http://localhost:9000/", from: "http://localhost:8000/head.json", false),
        Place("http://127.0.0.1:9000/", from: "https://shop.test/head.json", false),
        Place("https://victim.test/", from: "https://shop.test/head.json", named: "https://victim.test/", true),
        Place("https://victim.test/", from: "https://shop.test/head.json", named: "https://shop.test/", false),
        Place("https://victim.test/", from: "https://shop.test/head.json", named: "https://", false),
        Place("https://victim.test/", from: "https://shop.test/head.json", named: "https://victim.test", false),
        // Naming them is not enough.
        Place("http://127.0.0.1:9000/", from: "https://shop.test/head.json", named: "http://127.0.0.1:9000/", false),
        Place("https://10.0.0.1/", from: "https://shop.test/head.json", named: "https://10.0.0.1/", false),
        Place("https://10.0.0.1/", from: "https://10.0.0.1/head.json", true),
        Place("http://127.0.0.1:9000/", from: "http://localhost/head.json", named: "http://127.0.0.1:9000/", true),
    ]

    @Test("a base is at the head's origin, or where the app says; into a network only from there", arguments: places)
    func base(_ place: Place) throws {
        var scene = try Scene()
        scene.app.base = place.named
        let head = try scene.published(Scene.head(5) { $0.base = place.base })
        do throws(ManifestRefusal) {
            _ = try scene.app.accept(head, from: place.url, state: ManifestState(), clock: Scene.issued)
            #expect(place.isAccepted)
        } catch {
            #expect(!place.isAccepted && error.code == .wrongBase, "\(error)")
        }
    }

    @Test("each reason", arguments: rows)
    func refused(_ row: Row) throws {
        let scene = try Scene()
        let state = try scene.accept(scene.published(Scene.head(4))).state
        #expect(scene.refusal(try row.published(scene), state) == row.code)
        // The state is a value: what was remembered is as it was, and the head that comes next is accepted.
        #expect(try scene.accept(scene.published(Scene.head(4)), state).isUnchanged)
        #expect(try scene.accept(scene.published(Scene.head(5)), state).state.serial == 5)
    }

    @Test("looked at without a key, the same head stays what its key has signed: no older one is accepted afterwards")
    func withoutKey() throws {
        let scene = try Scene()
        var open = scene.app
        open.trust = .server
        let head = try scene.published(Scene.head(4))
        let state = try scene.accept(head).state
        let seen = try open.accept(head, from: nil, state: state, clock: Scene.issued).state
        #expect(seen == state)
        #expect(scene.refusal(try scene.published(Scene.head(3)), seen) == .serialOlder)
    }

    @Test("each code of a head has a row, or is a choice that an accepted head makes")
    func complete() {
        let rows = Set(Self.rows.map(\.code) + [.revokedKey, .appTooOld, .paused, .off])
        let head = ManifestRefusal.Code.allCases.prefix { $0 != .listSize }
        #expect(rows == Set(head))
        #expect(Set(ManifestRefusal.Code.allCases.map(\.description)).count == 23)
    }

    @Test("one flipped bit, at any octet of a signed head, is refused")
    func flipped() throws {
        let scene = try Scene()
        let published = try scene.published(Scene.head(5))
        #expect(scene.refusal(published) == nil)
        for index in published.indices {
            for bit in 0..<8 {
                var changed = published
                changed[index] ^= 1 << bit
                #expect(scene.refusal(changed) != nil, "octet \(index), bit \(bit)")
            }
        }
    }

    @Test("a head that is cut off after any octet is refused")
    func truncated() throws {
        let scene = try Scene()
        let published = try scene.published(Scene.head(5))
        for count in published.indices {
            #expect(scene.refusal(Array(published.prefix(count))) != nil, "\(count) octets")
        }
    }

    @Test("unknown keys are passed over, and white space is as the signer wrote it")
    func tolerant() throws {
        let scene = try Scene()
        let text = String(decoding: Scene.head(5).payload, as: UTF8.self)
        let spaced = text.replacing(",\"id\"", with: " ,\n\t\"note\": {\"a\": [1.5e3, null]},\n \"id\"")
        let accepted = try scene.accept(Scene.sign(Array(spaced.utf8), scene.current))
        #expect(accepted.head == Scene.head(5))
    }

    @Test("a head is read as it was written", arguments: PublicationState.allCases)
    func roundTrip(_ state: PublicationState) throws {
        let scene = try Scene()
        let head = Scene.head(412) {
            $0.state = state
            $0.revokes = [scene.next.publicKey?.id ?? ""]
            $0.releases.append(
                Release(
                    name: "11.4 \"β\"", minimumApp: AppVersion("5.2"), rollout: Rollout(permyriad: 500, salt: "11.4"),
                    list: Scene.list))
        }
        #expect(try ManifestHead(payload: head.payload) == head)
    }
}
