import HTTPCacheSemantics
import StrictJSON

/// One release of a site: a name, who gets it, and the list of its files.
package struct Release: Hashable, Sendable {
    /// A name for people: `11.4`.
    package var name: String
    /// Older apps do not get it; `nil` for all.
    package var minimumApp: AppVersion?
    /// `nil` for all installations.
    package var rollout: Rollout?
    package var list: ListReference

    /// Names a list by its content: `lists/<sha256>.json`, beside the head.
    package struct ListReference: Hashable, Sendable {
        package var digest: BodyDigest
        package var size: ByteCount

        package init(digest: BodyDigest, size: ByteCount) { (self.digest, self.size) = (digest, size) }

        package init(to bytes: [UInt8]) { self.init(digest: BodyDigest(of: bytes), size: ByteCount(bytes.count)) }

        /// Relative to the URL of the head.
        package var path: String { "lists/\(digest).json" }

        var json: JSONValue { .members([("sha256", .string("\(digest)")), ("size", .number("\(size.bytes)"))]) }
    }

    package init(name: String, minimumApp: AppVersion? = nil, rollout: Rollout? = nil, list: ListReference) {
        (self.name, self.minimumApp, self.rollout, self.list) = (name, minimumApp, rollout, list)
    }

    init(_ node: JSONValue.Node) throws(ManifestRefusal) {
        let object = try ManifestObject(node, "a release of the head", .malformed)
        name = try object.text("name", limit: 128)
        if let text = try object.optionalText("minApp", limit: 64) {
            guard let version = AppVersion(text) else { throw object.refusal("minApp", "a version such as \"5.2\"") }
            minimumApp = version
        }
        rollout = try object.node("rollout").map { node throws(ManifestRefusal) in
            let object = try ManifestObject(node, "a rollout", .malformed)
            let permyriad = try object.integer("permyriad")
            guard permyriad <= 10_000 else { throw object.refusal("permyriad", "a whole number from 0 to 10000") }
            return Rollout(permyriad: Int(permyriad), salt: try object.text("salt", limit: 128))
        }
        guard let node = object.node("list") else { throw object.refusal("list", "an object") }
        let list = try ManifestObject(node, "a reference to a list", .malformed)
        self.list = ListReference(digest: try list.digest("sha256"), size: ByteCount(try list.integer("size")))
    }

    var json: JSONValue {
        var members: [(String, JSONValue)] = [("name", .string(name))]
        if let minimumApp { members.append(("minApp", .string("\(minimumApp)"))) }
        if let rollout { members.append(("rollout", rollout.json)) }
        members.append(("list", list.json))
        return .members(members)
    }
}

extension JSONValue {
    static func members(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { Member(key: $0.0, node: Node(value: $0.1)) })
    }

    static func list(_ values: [JSONValue]) -> JSONValue { .array(values.map { Node(value: $0) }) }
}

/// Which part of the installations get a release.
package struct Rollout: Hashable, Sendable {
    /// The number of installations in 10,000; 0 to 10,000.
    package var permyriad: Int
    /// A new one for each release, so that it is not always the same installations that go first; it stays the same
    /// while the release's part grows, so that nobody who has the release loses it again.
    package var salt: String

    package init(permyriad: Int, salt: String) {
        (self.permyriad, self.salt) = (min(max(permyriad, 0), 10_000), salt)
    }

    var json: JSONValue { .members([("permyriad", .number("\(permyriad)")), ("salt", .string(salt))]) }

    /// - Parameter installID: See ``ManifestAcceptance/installID``.
    package func includes(installID: String, manifestID: String) -> Bool {
        Self.bucket(installID: installID, manifestID: manifestID, salt: salt) < permyriad
    }

    /// The first 8 octets of SHA-256(`larder-rollout-1` 0 install id 0 manifest id 0 salt), big-endian, modulo 10,000.
    package static func bucket(installID: String, manifestID: String, salt: String) -> Int {
        let texts = ["larder-rollout-1", installID, manifestID, salt]
        let digest = BodyDigest(of: Array(texts.map { Array($0.utf8) }.joined(separator: [0])))
        let number = digest.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % 10_000)
    }
}

/// The publisher's wish for the apps, whatever they hold.
package enum PublicationState: String, CaseIterable, Sendable {
    /// The release is fetched and kept.
    case active
    /// Nothing is fetched; what is held stays in use.
    case paused
    /// The kill switch: nothing is fetched, and what is held is no longer pinned, so that it may be evicted.
    case off
}
