import HTTPCacheSemantics

/// Decides whether a head is accepted, by the head, what the app was built with, what it remembers, and the time alone.
///
/// The order of the checks is that of ``ManifestRefusal/Code``: signatures come before any reading of the payload.
/// A refusal changes nothing: the state that was passed in stays in force, and what is held stays usable.
package struct ManifestAcceptance: Sendable {
    /// How long a head is accepted after `expires`, for clocks that are wrong: 24 hours.
    package static let slack = Duration.seconds(86_400)

    package var trust: ManifestTrust
    /// The ``ManifestHead/id`` that is meant.
    package var id: String
    /// The head's base must be this URL or lie below it; it ends in `/`. `nil` for the origin that the head came from.
    package var base: String?
    /// The least serial that a new installation accepts: of the head that the app was built or seeded with; else 0.
    package var minimumSerial: Int64
    /// `nil` excludes each release that states a minimum.
    package var appVersion: AppVersion?
    /// A random text that this installation made at its first start, and keeps.
    package var installID: String

    package init(
        trust: ManifestTrust, id: String, base: String? = nil, minimumSerial: Int64 = 0,
        appVersion: AppVersion? = nil, installID: String
    ) {
        (self.trust, self.id, self.base, self.minimumSerial) = (trust, id, base, minimumSerial)
        (self.appVersion, self.installID) = (appVersion, installID)
    }

    /// - Parameters:
    ///   - published: The head as it came, after content codings are undone.
    ///   - url: Where it came from; `nil` for one that came with the app, or is looked at as a file.
    ///   - state: The one that the last acceptance returned.
    ///   - clock: The device's. A slow one is put right by the response.
    ///   - responseDate: `Date` of the response, if it came over verified TLS.
    package func accept(
        _ published: [UInt8], from url: String? = nil, state: ManifestState, clock: WallInstant,
        responseDate: WallInstant? = nil
    ) throws(ManifestRefusal) -> AcceptedManifest {
        let signed = try SignedManifest(published: published)
        let keys = try verify(signed, revoked: state.revoked)
        let head = try ManifestHead(payload: signed.payload)
        guard head.id == id else {
            throw ManifestRefusal(
                .wrongID,
                "The head is for \"\(head.id)\", and this app wants \"\(id)\"; check the manifest's URL and its id.")
        }
        try checkBase(head.base, url)
        let revoked = try self.revoked(head, signedBy: keys, state)
        var standing = keys.subtracting(revoked)
        if case .pinned(let pinned) = trust, let recovery = pinned.recovery, head.revokes.isEmpty {
            // It is for the day that a key is stolen, and not for releases.
            standing.remove(recovery.id)
            guard standing.count >= pinned.threshold else {
                throw ManifestRefusal(
                    .threshold, "The recovery key signs heads that revoke keys, and no others; let another key sign.")
            }
        }
        if case .pinned(let pinned) = trust, standing.count < pinned.threshold {
            // A thief of a key could add its signature to the head that revokes it.
            throw ManifestRefusal(
                .threshold, "A key that the head itself revokes does not count; let another key sign as well.")
        }
        let known = effective(state, revoked: revoked)

        var floor = ManifestState()
        floor.revoked = revoked
        (floor.serial, floor.payload) = (head.serial, BodyDigest(of: signed.payload))
        // The same head keeps the keys that have signed it, also for one who does not ask for them this time.
        floor.keys = trust == .server && floor.payload == state.payload ? state.keys : standing
        floor.shown = state.shown
        // An unsigned head turns nothing off, and nothing on: anybody who can write to the server can send one.
        floor.turnsOff = trust == .server ? state.turnsOff : head.turnsOff
        try checkSerial(head, known, floor.payload)
        try checkTime(head, clock, responseDate)
        return AcceptedManifest(
            head: head, choice: choice(head), state: floor, isUnchanged: floor.payload == state.payload)
    }

    // MARK: Signatures

    /// - Returns: The ids of the keys that have signed; empty where nothing is pinned.
    private func verify(_ signed: SignedManifest, revoked: Set<String>) throws(ManifestRefusal) -> Set<String> {
        guard case .pinned(let pinned) = trust else { return [] }
        guard !signed.signatures.isEmpty else {
            throw ManifestRefusal(
                .unsigned,
                "What came has no signature, and this app wants one; check that the URL is that of a head, or sign "
                    + "it and publish again.")
        }
        var valid: Set<String> = []
        var refused: ManifestRefusal?
        for signature in signed.signatures {
            guard let key = pinned.key(signature.keyID) else { continue }
            if revoked.contains(key.id) {
                refused = ManifestRefusal(.revokedKey, "The key \(key.id) was revoked; sign with another one.")
                continue
            }
            guard key.verifies(signature.bytes, of: signed.payload) else {
                throw ManifestRefusal(
                    .badSignature,
                    "The signature of the key \(key.id) does not fit the head: one of them was changed. Fetch it again."
                )
            }
            valid.insert(key.id)
        }
        if valid.count >= pinned.threshold { return valid }
        if valid.isEmpty {
            throw refused
                ?? ManifestRefusal(
                    .unknownKey, "None of the keys that signed the head is pinned; sign with one that the app knows.")
        }
        throw ManifestRefusal(
            .threshold, "\(valid.count) of \(pinned.threshold) signatures are there; let another key sign as well.")
    }

    /// All revoked keys, those of this head included.
    private func revoked(
        _ head: ManifestHead, signedBy keys: Set<String>, _ state: ManifestState
    ) throws(ManifestRefusal) -> Set<String> {
        guard !head.revokes.isEmpty else { return state.revoked }
        guard case .pinned(let pinned) = trust, let recovery = pinned.recovery, keys.contains(recovery.id) else {
            throw ManifestRefusal(
                .threshold, "The head revokes keys; only the recovery key may, so let it sign as well.")
        }
        guard !head.revokes.contains(recovery.id) else {
            throw ManifestRefusal(.malformed, "The recovery key can't be revoked; an update of the app replaces it.")
        }
        // Only pinned keys can sign, so no other id has to be remembered.
        return state.revoked.union(head.revokes.filter { pinned.key($0) != nil })
    }

    /// The state as far as it still counts: no serials and times learned without a key, or through
    /// keys alone that are revoked or no longer pinned. A thief could have raised them beyond what
    /// can ever be published (TUF 1.0.34 §5.3.11 forgets versions for the same reason).
    private func effective(_ state: ManifestState, revoked: Set<String>) -> ManifestState {
        var known = state
        known.revoked = revoked
        if case .pinned(let pinned) = trust,
            !state.keys.contains(where: { !revoked.contains($0) && pinned.key($0) != nil })
        {
            (known.serial, known.payload, known.keys) = (0, nil, [])
        }
        return known
    }

    // MARK: The payload

    /// A publisher of heads must not choose where requests go: its own origin, unless the app names
    /// another place, and into a machine or its network only from there.
    private func checkBase(_ found: String, _ url: String?) throws(ManifestRefusal) {
        if let base {
            guard BaseURL.isBase(base), found.utf8.starts(with: base.utf8) else {
                throw ManifestRefusal(
                    .wrongBase, "The base \"\(found)\" is not below \"\(base)\", which this app expects.")
            }
        } else if let url, !TargetURI.haveSameOrigin(found, url) {
            throw ManifestRefusal(
                .wrongBase,
                "The base \"\(found)\" is at another origin than the head, \"\(url)\"; name the base in the app, "
                    + "or by --base.")
        }
        if let url, !PrivateNetwork.mayLead(from: url, to: found) {
            throw ManifestRefusal(
                .wrongBase,
                "The base \"\(found)\" is within this machine or its network, and the head came from \"\(url)\"; "
                    + "publish the head there.")
        }
    }

    private func checkTime(
        _ head: ManifestHead, _ clock: WallInstant, _ responseDate: WallInstant?
    ) throws(ManifestRefusal) {
        // Nothing makes it earlier than the clock: whoever can write to the server states `Date`, and could offer an
        // old head for ever. Where a clock is fast, nothing newer is accepted until it is right. The heads before say
        // nothing about the time: their serials keep older ones out, and a builder's clock may have been ahead.
        let now = max(clock, responseDate ?? clock)
        guard now <= head.expires + Self.slack else {
            throw ManifestRefusal(
                .expired,
                "The head expired at \(UTCTimestamp.text(head.expires)), and it is \(UTCTimestamp.text(now)); sign "
                    + "a new one, or put this machine's clock right. What it brought stays.")
        }
    }

    private func checkSerial(
        _ head: ManifestHead, _ known: ManifestState, _ payload: BodyDigest?
    ) throws(ManifestRefusal) {
        let floor = max(known.serial, minimumSerial)
        guard head.serial >= floor else {
            throw ManifestRefusal(
                .serialOlder,
                "The head has the serial \(head.serial), and \(floor) was accepted before under the id \"\(id)\"; "
                    + "publish a rollback with a higher one, and another site under an id of its own.")
        }
        guard head.serial != known.serial || payload == known.payload else {
            throw ManifestRefusal(
                .serialReused,
                "A different head with the serial \(head.serial) was accepted before; publish this one with a "
                    + "higher serial.")
        }
    }

    private func choice(_ head: ManifestHead) -> AcceptedManifest.Choice {
        switch head.state {
        case .paused:
            return .nothing(ManifestRefusal(.paused, "The publisher has paused fetching; what is held stays."))
        case .off: return .unpin(ManifestRefusal(.off, "The publisher has switched the manifest off."))
        case .active: break
        }
        func isForApp(_ release: Release) -> Bool {
            release.minimumApp.map { minimum in appVersion.map { $0 >= minimum } ?? false } ?? true
        }
        let suitable = head.releases.filter(isForApp)
        if let release = suitable.last(where: {
            $0.rollout?.includes(installID: installID, manifestID: head.id) ?? true
        }) {
            return .release(release)
        }
        if suitable.isEmpty, !head.releases.isEmpty {
            return .nothing(
                ManifestRefusal(.appTooOld, "Each release of the head needs a newer app; what is held stays."))
        }
        return .notYet
    }
}
