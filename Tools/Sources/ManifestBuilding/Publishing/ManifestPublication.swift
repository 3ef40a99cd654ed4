import HTTPCacheSemantics
import Manifests

/// The next head of a folder: made of a new list, or of a decision about those that are there.
package struct ManifestPublication: Sendable {
    /// How long a head is accepted unless stated: 30 days.
    package static let lifetime = Duration.seconds(30 * 86_400)
    /// How many releases a head keeps unless stated.
    package static let kept = 3

    package var folder: ManifestFolder
    package var now: WallInstant
    package var lifetime = ManifestPublication.lifetime
    /// `nil` for the one after the last.
    package var serial: Int64?

    package init(_ folder: ManifestFolder, now: WallInstant) { (self.folder, self.now) = (folder, now) }

    /// A publication that was written.
    package struct Result: Sendable {
        package var head: ManifestHead
        /// Whether the list was already in the last head.
        package var isSameList = false
    }

    /// Publishes a list: writes it, then a head that names it, without signatures.
    ///
    /// - Parameters:
    ///   - keep: How many releases the head names, this one included.
    ///   - id: `nil` for that of the last head, or ``StandardID``.
    package func publish(
        _ list: ReleaseList, base: String, id: String? = nil, minimumApp: AppVersion? = nil, permyriad: Int? = nil,
        keep: Int = ManifestPublication.kept
    ) throws(ManifestToolError) -> Result {
        let last = try folder.head()?.head
        let bytes = list.bytes
        do throws(ManifestRefusal) {
            // A list that no app would accept is not published.
            _ = try ReleaseList(accepting: bytes, named: .init(to: bytes), base: base)
        } catch {
            throw ManifestToolError(error.message)
        }
        let reference = Release.ListReference(to: bytes)
        let rollout = permyriad.map { Rollout(permyriad: $0, salt: list.release) }
        let release = Release(name: list.release, minimumApp: minimumApp, rollout: rollout, list: reference)
        var releases = (last?.releases ?? []).filter { $0.name != release.name && $0.list != reference }
        releases = Array((releases + [release]).suffix(max(1, keep)))
        let head = try checked(
            ManifestHead(
                id: id ?? last?.id ?? StandardID.of(base) ?? "site", serial: try nextSerial(last), issued: now,
                expires: now + lifetime,
                base: base, revokes: last?.revokes ?? [], turnsOff: last?.turnsOff ?? [], releases: releases), list)
        try folder.write(list: bytes)
        try folder.write(SignedManifest(payload: head.payload))
        folder.removeLists(notIn: head)
        return Result(head: head, isSameList: last?.releases.contains { $0.list == reference } ?? false)
    }

    /// Publishes a head with the lists that are there: with new times, and what else is changed.
    package func republish(
        _ change: (inout ManifestHead) throws(ManifestToolError) -> Void
    ) throws(ManifestToolError) -> ManifestHead {
        var head = try folder.existingHead().head
        (head.serial, head.issued, head.expires) = (try nextSerial(head), now, now + lifetime)
        try change(&head)
        head = try checked(head)
        try folder.write(SignedManifest(payload: head.payload))
        return head
    }

    private func nextSerial(_ last: ManifestHead?) throws(ManifestToolError) -> Int64 {
        let known = last?.serial ?? 0
        guard let serial else { return known + 1 }
        guard serial > known else {
            throw ManifestToolError(
                "--serial \(serial) is not above the last one, \(known); devices refuse what is not higher.")
        }
        return serial
    }

    /// As apps will read it.
    ///
    /// - Parameter new: The list that is being published.
    private func checked(_ head: ManifestHead, _ new: ReleaseList? = nil) throws(ManifestToolError) -> ManifestHead {
        for release in head.releases where release.rollout.map({ $0.permyriad < 10_000 }) ?? false {
            let published = folder.list(release.list).flatMap {
                try? ReleaseList(accepting: $0, named: release.list, base: head.base)
            }
            guard let list = new?.release == release.name ? new : published,
                list.files.contains(where: { $0.use == .document })
            else { continue }
            throw ManifestToolError(
                "The release '\(release.name)' lists documents, so it can't go to a part of the installations: a "
                    + "page has one address, where the others would find its new version beside old files. Leave out "
                    + "--documents, give the part a base of its own, or use --rollout 100.")
        }
        do throws(ManifestRefusal) {
            return try ManifestHead(payload: head.payload)
        } catch {
            throw ManifestToolError(error.message)
        }
    }
}

/// The id of a manifest that was given none.
package enum StandardID {
    /// The host of a URL, and its port where that is not the scheme's own: `example.com`, `localhost-8001`. Two sites
    /// that are developed on one machine have two ids.
    ///
    /// - Returns: `nil` where the host can't be part of an id, as an IPv6 address.
    package static func of(_ url: String) -> String? {
        guard let parts = TargetURI.split(url), let authority = Authority(parts.authority) else { return nil }
        let port = authority.port == (parts.scheme == "https" ? 443 : 80) ? nil : authority.port
        let id = authority.host + (port.map { "-\($0)" } ?? "")
        return ManifestHead.isID(id) ? id : nil
    }
}
