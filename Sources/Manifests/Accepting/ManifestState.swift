import HTTPCacheSemantics

/// An installation's memory of the heads that it has accepted: no older one can undo them.
///
/// Keep ``text`` where no purge of caches reaches it, and give it back at the next start.
package struct ManifestState: Hashable, Sendable {
    /// The highest serial that was accepted; 0 before the first.
    package internal(set) var serial: Int64 = 0
    /// The SHA-256 of the payload with that serial.
    package internal(set) var payload: ContentDigest?
    /// The ids of the keys that had signed it; empty if nothing was pinned.
    package internal(set) var keys: Set<String> = []
    /// ``ManifestHead/issued`` of that head.
    package internal(set) var issued: WallInstant?
    /// The ids of keys that the recovery key has revoked. They never leave.
    package internal(set) var revoked: Set<String> = []
    /// The serial of the release that pages see; 0 before the first, and without pins. A newer one is accepted before
    /// all of it is there.
    package internal(set) var shown: Int64 = 0

    /// ``ManifestHead/turnsOff`` of that head; empty if nothing was pinned.
    package internal(set) var turnsOff: [String] = []

    /// Before the first head.
    package init() {}

    /// - Returns: `nil` for a text that ``text`` did not print. Begin anew then, and accept the loss of the floor.
    package init?(text: String) {
        let lines = text.utf8.split(separator: 0x0A).map { String(Substring($0)) }
        // Earlier versions had one more.
        guard lines.count == 7 || lines.count == 8, lines[0] == Self.firstLine,
            let serial = Self.value("serial", lines[1]),
            let number = Int64(serial), (0...ManifestObject.greatestInteger).contains(number),
            let payload = Self.value("payload", lines[2]), let keys = Self.ids("keys", lines[3]),
            let issued = Self.value("issued", lines[4]), let revoked = Self.ids("revoked", lines[5])
        else { return nil }
        self.serial = number
        self.payload = ContentDigest(payload)
        self.issued = UTCTimestamp.parse(issued)
        guard payload == "-" || self.payload != nil, issued == "-" || self.issued != nil else { return nil }
        (self.keys, self.revoked) = (keys, revoked)
        // It may be beyond the serial: one that a stolen key had signed counts no more, and is seen until the next is
        // there.
        guard let shown = Self.value("shown", lines[6]).flatMap({ Int64($0) }), shown >= 0 else { return nil }
        self.shown = shown
        if lines.count == 8, let names = Self.value("turns-off", lines[7]) {
            turnsOff = names.split(separator: ",").map(String.init)
            guard turnsOff.allSatisfy(ManifestHead.isTurnedOffName) else { return nil }
        }
    }

    /// Notes that pages see all of the release with a serial; 0 for none.
    package mutating func noteShown(_ shown: Int64) { if shown <= serial { self.shown = shown } }

    /// A few lines of ASCII; no secret. The same state has the same text.
    package var text: String {
        func list(_ ids: Set<String>) -> String { ids.isEmpty ? "-" : ids.sorted().joined(separator: ",") }
        return """
            \(Self.firstLine)
            serial \(serial)
            payload \(payload.map(\.description) ?? "-")
            keys \(list(keys))
            issued \(issued.map(UTCTimestamp.text) ?? "-")
            revoked \(list(revoked))
            shown \(shown)

            """ + (turnsOff.isEmpty ? "" : "turns-off \(turnsOff.joined(separator: ","))\n")
    }

    private static let firstLine = "larder-manifest-state 2"

    private static func value(_ name: String, _ line: String) -> String? {
        line.utf8.starts(with: (name + " ").utf8) ? String(line.dropFirst(name.count + 1)) : nil
    }

    private static func ids(_ name: String, _ line: String) -> Set<String>? {
        guard let value = value(name, line) else { return nil }
        let ids = value == "-" ? [] : value.split(separator: ",").map(String.init)
        return ids.allSatisfy(ManifestKey.isID) && ids.count <= 1_024 ? Set(ids) : nil
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
