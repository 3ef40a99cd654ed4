import ArgumentParser
import CacheRules
import HTTPCacheSemantics
import ManifestBuilding
import Manifests

/// Options for each new head.
struct PublicationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How long apps accept the head; 30d unless set.", valueName: "duration"),
        transform: DurationArgument.init)
    var expires: DurationArgument?

    @Option(help: "The head's serial. Without it: the last one plus 1.")
    var serial: Int64?

    @Option(help: ArgumentHelp("A secret key that signs the head at once. Repeatable.", valueName: "file"))
    var key: [String] = []

    /// - Parameter changes: Changes to the head that is there.
    func publication(of folder: ManifestFolder, changes: [HeadChange] = []) throws -> ManifestPublication {
        // A key that can't be read, or that nobody accepts, must not leave a head without signatures.
        let revoked = key.isEmpty ? [] : try folder.revokedKeys(after: changes)
        for path in key {
            guard let id = try KeyFiles.secret(path).publicKey?.id, revoked.contains(id) else { continue }
            throw ManifestToolError(
                "The key '\(path)' (\(id)) is revoked by the head, so apps refuse what it signs; sign with another one."
            )
        }
        var publication = ManifestPublication(folder, now: Console.now)
        if let expires {
            guard expires.duration >= .seconds(1) else {
                throw ManifestToolError("--expires must be a second or more.")
            }
            publication.lifetime = expires.duration
        }
        publication.serial = serial
        return publication
    }

    /// Signs the head with the keys that were given.
    ///
    /// - Returns: Whether there were any.
    func sign(_ folder: ManifestFolder) throws -> Bool {
        if key.isEmpty { return false }
        var signed = try folder.existingHead().signed
        for path in key { try signed.sign(with: KeyFiles.secret(path)) }
        try folder.write(signed)
        return true
    }
}

extension RolloutShare: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// A line about a head that was written.
struct HeadLine: Encodable {
    var head: String
    var id: String
    var serial: Int64
    var state: String
    var issued: String
    var expires: String
    /// The parts that apps turn off.
    var turnsOff: [String]
    var releases: [ReleaseLine]
    /// The ids of the keys that have signed.
    var signedBy: [String]

    struct ReleaseLine: Encodable {
        var name: String
        var list: String
        var rollout: Int?
        var minApp: String?

        var text: String {
            let part = rollout.map { ", \(RolloutShare(permyriad: $0)) of installations" } ?? ""
            return "\(name)\(minApp.map { ", app \($0) and newer" } ?? "")\(part), \(list)"
        }
    }

    init(_ folder: ManifestFolder) throws {
        let (signed, head) = try folder.existingHead()
        (self.head, id, serial, state) = (folder.headPath, head.id, head.serial, head.state.rawValue)
        (issued, expires) = (UTCTimestamp.text(head.issued), UTCTimestamp.text(head.expires))
        turnsOff = head.turnsOff
        releases = head.releases.map {
            ReleaseLine(
                name: $0.name, list: $0.list.path, rollout: $0.rollout?.permyriad, minApp: $0.minimumApp?.description)
        }
        signedBy = signed.signatures.map(\.keyID)
    }

    func say(json: Bool) throws {
        if json { return try Console.say(json: self) }
        let signatures = signedBy.isEmpty ? "not signed" : "signed by \(signedBy.joined(separator: ", "))"
        Console.say(untrusted: "\(head): \(id), serial \(serial), \(state), until \(expires), \(signatures)")
        if !turnsOff.isEmpty { Console.say(untrusted: "  turned off in apps: \(turnsOff.joined(separator: ", "))") }
        for release in releases { Console.say(untrusted: "  " + release.text) }
    }
}
