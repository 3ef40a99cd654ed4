import Foundation
import HTTPCacheSemantics
import Manifests

/// A head as it is published: its bytes.
enum ManifestHeadTarget: FuzzTarget {
    static let name = "manifest-head"
    static let shapes = [
        HostileShape("["), HostileShape("{\"a\":"), HostileShape("\""), HostileShape(" ", after: "{\"signatures\":"),
        HostileShape("{},", after: "{\"signatures\":["), HostileShape("[", after: "{\"signatures\":"),
        HostileShape("{\"key\":\"21fe31dfa154a261626bf854046fd227\",\"sig\":\"\"},", after: "{\"signatures\":["),
        HostileShape("\n", after: "{\"signatures\":[]}\n"), HostileShape("\"a\":1,", after: "{"),
        HostileShape("9", after: "{\"larder\":1,\"serial\":"),
        HostileShape("{},", after: "{\"larder\":1,\"releases\":["),
        HostileShape("%2e", after: "{\"base\":\"https://a/"), HostileShape(".0", after: "{\"minApp\":\"1"),
    ]
    /// The public key of RFC 8032 §7.1, TEST 1.
    private static let pinned = ManifestKey(
        "ed25519:d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    private static let now = WallInstant(unixSeconds: 1_795_161_600)

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let signed: SignedManifest
        do throws(ManifestRefusal) {
            signed = try SignedManifest(published: input.bytes)
        } catch {
            try claim(error.code == .tooLarge || isLineRefusal(error), "only size or the line of signatures", [error])
            return try refused(input.bytes)
        }
        let again = try? SignedManifest(published: signed.published)
        try claim(signed.signatures.isEmpty || again == signed, "what is published is read again", [input.text])
        try signedOnly(input.bytes, signed)
        guard let head = try? ManifestHead(payload: signed.payload) else { return try refused(input.bytes) }
        try claim(JSONChecker.isText(signed.payload), "a payload is JSON", [input.text])
        let same = try? ManifestHead(payload: head.payload)
        try claim(same == head, "what is written is read again", [input.text])
        try claim(head.base.hasPrefix("https://") || head.base.hasPrefix("http://"), "a web URL", [head.base])
        try claim(head.issued < head.expires && head.serial >= 1, "in order", [head])
        try accepted(input.bytes, head)
    }

    private static func isLineRefusal(_ refusal: ManifestRefusal) -> Bool {
        [.malformed, .duplicateKey, .unsupported].contains(refusal.code)
    }

    private static func app(_ trust: ManifestTrust, _ id: String = "a") -> ManifestAcceptance {
        ManifestAcceptance(trust: trust, id: id, installID: "i")
    }

    private static func refused(_ bytes: [UInt8]) throws(BrokenClaim) {
        let accepted = try? app(.server).accept(bytes, state: ManifestState(), clock: now)
        try claim(accepted == nil, "what can't be read is not accepted", [])
    }

    /// Nothing is accepted under a pinned key that has not signed it.
    private static func signedOnly(_ bytes: [UInt8], _ signed: SignedManifest) throws(BrokenClaim) {
        guard let pinned else { throw BrokenClaim(description: "the key is one") }
        let head = try? ManifestHead(payload: signed.payload)
        let app = app(.pinned(PinnedKeys([pinned])), head?.id ?? "a")
        guard let accepted = try? app.accept(bytes, state: ManifestState(), clock: now) else { return }
        try claim(accepted.state.keys == [pinned.id], "by the pinned key alone", [accepted])
        var changed = signed.payload
        changed[changed.count / 2] ^= 1
        let forged = Array(bytes.dropLast(changed.count)) + changed
        try claim((try? app.accept(forged, state: ManifestState(), clock: now)) == nil, "and nothing else", [])
    }

    /// A head that is accepted is accepted again as the same one, and nothing with a lower serial after it.
    private static func accepted(_ bytes: [UInt8], _ head: ManifestHead) throws(BrokenClaim) {
        let app = app(.server, head.id)
        guard let first = try? app.accept(bytes, state: ManifestState(), clock: now) else { return }
        try claim(head.revokes.isEmpty, "nobody revokes without keys", [head])
        let kept = try? JSONDecoder().decode(ManifestState.self, from: JSONEncoder().encode(first.state))
        try claim(kept == first.state, "the state is kept as it is", [first.state])
        let again = try? app.accept(bytes, state: first.state, clock: now)
        try claim(again?.isUnchanged == true && again?.state == first.state, "accepted again", [first])
        var older = head
        older.serial -= 1
        try claim((try? app.accept(older.payload, state: first.state, clock: now)) == nil, "never back", [head])
        if let release = first.release { try claim(head.releases.contains(release), "one of its releases", [head]) }
    }
}
