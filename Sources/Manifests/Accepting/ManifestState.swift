import HTTPCacheSemantics

/// An installation's memory of the heads that it has accepted: no older one can undo them.
///
/// Keep it where no purge of caches reaches it, and give it back at the next start. It is no secret.
package struct ManifestState: Hashable, Sendable {
    /// The highest serial that was accepted; 0 before the first.
    package internal(set) var serial: Int64 = 0
    /// The SHA-256 of the payload with that serial.
    package internal(set) var payload: BodyDigest?
    /// The ids of the keys that had signed it; empty if nothing was pinned.
    package internal(set) var keys: Set<String> = []
    /// The ids of keys that the recovery key has revoked. They never leave.
    package internal(set) var revoked: Set<String> = []
    /// The serial of the release that pages see, all of which is there; 0 before the first, and without pins.
    package internal(set) var shown: Int64 = 0

    /// ``ManifestHead/turnsOff`` of that head; empty if nothing was pinned.
    package internal(set) var turnsOff: [String] = []

    /// Before the first head.
    package init() {}

    /// Notes that pages see all of the release with a serial; 0 for none.
    package mutating func noteShown(_ shown: Int64) { if shown <= serial { self.shown = shown } }
}

extension ManifestState: Codable {
    private struct Kept: Codable {
        var serial, shown: Int64
        var payload: String
        var keys, revoked, turnsOff: [String]
    }

    package func encode(to encoder: any Encoder) throws {
        let kept = Kept(
            serial: serial, shown: shown, payload: payload?.description ?? "", keys: keys.sorted(),
            revoked: revoked.sorted(), turnsOff: turnsOff)
        try kept.encode(to: encoder)
    }

    /// - Throws: `DecodingError` for what was not encoded so. Begin anew then, and accept the loss of the floor.
    package init(from decoder: any Decoder) throws {
        let kept = try Kept(from: decoder)
        (payload, keys, revoked) = (BodyDigest(kept.payload), Set(kept.keys), Set(kept.revoked))
        // The shown one may be beyond the serial: what a stolen key had signed is seen until the next is there.
        (serial, shown, turnsOff) = (kept.serial, kept.shown, kept.turnsOff)
        guard (0...ManifestObject.greatestInteger).contains(serial), shown >= 0,
            kept.payload.isEmpty || payload != nil, max(kept.keys.count, kept.revoked.count) <= 1_024,
            (kept.keys + kept.revoked).allSatisfy(ManifestKey.isID), turnsOff.allSatisfy(ManifestHead.isTurnedOffName)
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "It is no state of a manifest."))
        }
    }
}

/// A head that was accepted, and what to do about it.
package struct AcceptedManifest: Hashable, Sendable {
    package var head: ManifestHead
    package var choice: Choice
    /// To be kept before anything is fetched.
    package var state: ManifestState
    /// Whether it is the head that was accepted last.
    package var isUnchanged: Bool

    package enum Choice: Hashable, Sendable {
        /// The list to fetch.
        case release(Release)
        /// Nothing is fetched, and what is held stays: `paused` or `app-too-old`.
        case nothing(ManifestRefusal)
        /// Nothing is fetched, and what is held stays: no release is rolled out to this installation yet.
        case notYet
        /// Nothing is fetched, and what earlier lists have pinned is unpinned.
        case unpin(ManifestRefusal)
    }

    /// The release to use.
    package var release: Release? { if case .release(let release) = choice { release } else { nil } }
}

/// The signers that may speak for a site.
package enum ManifestTrust: Hashable, Sendable {
    /// Heads signed by these keys alone.
    case pinned(PinnedKeys)
    /// Any head that the server sends over https: whoever can change files on the server can change what is preloaded.
    case server
}
