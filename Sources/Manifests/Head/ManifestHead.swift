import HTTPCacheSemantics
import StrictJSON

/// The head of a manifest: the small file that apps poll. It names the lists of files, which never change.
///
/// Its JSON is described in `docs/manifest/head.schema.json` and, for people, in `docs/manifests.md`.
package struct ManifestHead: Hashable, Sendable {
    /// The format's version, the value of `larder`.
    package static let format: Int64 = 1
    package static let releaseLimit = 64
    package static let revocationLimit = 64
    package static let turnedOffLimit = 64

    /// The site and app, such as `com.example.shop`: 1 to 128 letters, digits, `.`, `_` and `-`.
    package var id: String
    /// Raised with each change of the head; from 1 to 2⁵³ − 1.
    package var serial: Int64
    package var state: PublicationState
    /// When it was made, to whole seconds.
    package var issued: WallInstant
    /// From when on it is no longer accepted, to whole seconds; later than ``issued``.
    package var expires: WallInstant
    /// The base of the lists' relative paths: an absolute URL that ends in `/`.
    package var base: String
    /// The ids of keys that must no longer be accepted. The recovery key has to sign this.
    package var revokes: [String]
    /// Turned off in apps: modes of web views, hosts such as `shop.example` and `*.shop.example`, or `*` for all.
    package var turnsOff: [String]
    /// The last one whose conditions hold is the one to use.
    package var releases: [Release]

    package init(
        id: String, serial: Int64, state: PublicationState = .active, issued: WallInstant, expires: WallInstant,
        base: String, revokes: [String] = [], turnsOff: [String] = [], releases: [Release]
    ) {
        (self.id, self.serial, self.state, self.issued) = (id, serial, state, issued)
        (self.expires, self.base, self.revokes, self.releases) = (expires, base, revokes, releases)
        self.turnsOff = turnsOff
    }

    /// Reads the payload of a head. It verifies no signature: that comes first, see ``ManifestAcceptance``.
    package init(payload: [UInt8]) throws(ManifestRefusal) {
        let object = try ManifestObject(
            payload, "the head", .malformed, format: ("larder", Self.format), tooLarge: .tooLarge,
            duplicateKey: .duplicateKey, sizeLimit: SignedManifest.sizeLimit)
        id = try object.text("id", limit: 128)
        guard Self.isID(id) else { throw object.refusal("id", "letters, digits, \".\", \"_\" and \"-\"") }
        serial = try object.integer("serial")
        guard serial >= 1 else { throw object.refusal("serial", "a whole number from 1 on") }
        let name = try object.text("state", limit: 64)
        guard let state = PublicationState(rawValue: name) else {
            throw ManifestRefusal(.unsupported, "The head has the state \"\(name)\", which needs a newer app.")
        }
        self.state = state
        issued = try Self.time("issued", of: object)
        expires = try Self.time("expires", of: object)
        guard issued < expires else { throw object.refusal("expires", "later than \"issued\"") }
        base = try object.text("base", limit: 1_024)
        guard BaseURL.isBase(base) else {
            throw ManifestRefusal(.wrongBase, "The base \"\(base)\" is not \(BaseURL.help).")
        }
        revokes = try object.texts("revokes", count: Self.revocationLimit, limit: 32)
        guard revokes.allSatisfy(ManifestKey.isID) else { throw object.refusal("revokes", "a list of keys' ids") }
        turnsOff = try object.texts("turnsOff", count: Self.turnedOffLimit, limit: 253)
        guard turnsOff.allSatisfy(Self.isTurnedOffName) else {
            throw object.refusal("turnsOff", "a list of modes, hosts such as \"*.shop.example\", or \"*\"")
        }
        guard object.node("releases") != nil else { throw object.refusal("releases", "a list") }
        var releases: [Release] = []
        for node in try object.list("releases", limit: Self.releaseLimit) { releases.append(try Release(node)) }
        self.releases = releases
    }

    /// The payload to sign and publish, on one line, in the order of the schema.
    package var payload: [UInt8] {
        var members: [(String, JSONValue)] = [
            ("larder", .number("\(Self.format)")), ("id", .string(id)), ("serial", .number("\(serial)")),
            ("state", .string(state.rawValue)), ("issued", .string(UTCTimestamp.text(issued))),
            ("expires", .string(UTCTimestamp.text(expires))), ("base", .string(base)),
            ("revokes", .list(revokes.map { .string($0) })),
        ]
        if !turnsOff.isEmpty { members.append(("turnsOff", .list(turnsOff.map { .string($0) }))) }
        members.append(("releases", .list(releases.map(\.json))))
        return Array(JSONPrinter.compact(.members(members)).utf8) + [0x0A]
    }

    /// Whether a text may be an ``id``.
    package static func isID(_ text: String) -> Bool { isName(text, upTo: 128, with: [0x2D, 0x2E, 0x5F]) }

    /// Whether a text may stand in ``turnsOff``: letters, digits, `.`, `-` and `*`.
    package static func isTurnedOffName(_ text: String) -> Bool { isName(text, upTo: 253, with: [0x2A, 0x2D, 0x2E]) }

    /// Whether a text has letters, digits and these octets alone.
    private static func isName(_ text: String, upTo limit: Int, with others: [UInt8]) -> Bool {
        (1...limit).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ByteScanner.isDigit($0) || ByteScanner.isLetter($0) || others.contains($0)
            }
    }

    private static func time(_ key: String, of object: ManifestObject) throws(ManifestRefusal) -> WallInstant {
        guard let instant = UTCTimestamp.parse(try object.text(key, limit: 20)) else {
            throw object.refusal(key, "a time in UTC such as \"2026-11-20T08:00:00Z\"")
        }
        return instant
    }
}

/// A date and time as manifests have it: RFC 3339 in UTC, to whole seconds, `2026-11-20T08:00:00Z`.
package enum UTCTimestamp {
    /// - Returns: `nil` for any other form, and for a day or time that does not exist, or is a 61st second.
    package static func parse(_ text: String) -> WallInstant? {
        var scanner = ByteScanner(text)
        guard let year = scanner.number(digits: 4), scanner.take("-"), let month = scanner.number(digits: 2),
            scanner.take("-"), let day = scanner.number(digits: 2), scanner.take("T"),
            let hour = scanner.number(digits: 2), scanner.take(":"), let minute = scanner.number(digits: 2),
            scanner.take(":"), let second = scanner.number(digits: 2), second < 60, scanner.take("Z"), scanner.isAtEnd
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return date.isPossible ? WallInstant(unixSeconds: date.unixSeconds) : nil
    }

    /// Whole seconds, rounded down; the years 0 to 9999, and the nearest of these for others.
    package static func text(_ instant: WallInstant) -> String {
        let date = CivilDate(unixSeconds: min(max(instant.unixSeconds, -62_167_219_200), 253_402_300_799))
        let day = "\(CivilDate.padded(date.year, to: 4))-\(CivilDate.padded(date.month))-\(CivilDate.padded(date.day))"
        return "\(day)T\(date.time)Z"
    }
}

/// An app's version: one to eight whole numbers with dots between them. `5.2` and `5.2.0` are the same.
package struct AppVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Without zeros at the end.
    private var numbers: [UInt32]

    /// - Returns: `nil` for any other text, such as `5.2-beta`.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        numbers = parts.compactMap { part in
            part.count <= 9 && part.allSatisfy(ByteScanner.isDigit) ? UInt32(Substring(part)) : nil
        }
        guard parts.count <= 8, numbers.count == parts.count else { return nil }
        while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
    }

    package var description: String { numbers.map(String.init).joined(separator: ".") }

    package static func < (one: Self, other: Self) -> Bool { one.numbers.lexicographicallyPrecedes(other.numbers) }
}
