import Foundation
import GRDB
import HTTPCacheSemantics

/// The reason why nothing is stored under a key, as far as a store remembers it: 1,000 keys, without their names.
public enum PastEvent: Hashable, Sendable {
    /// A response came, and was not to be stored.
    case notStored(StoreDecision.Reason)
    /// Its content broke off.
    case brokeOff
    /// A rule forbids storing it, since it was stored or since it came.
    case ruled(String)
    /// The stored response made room for others.
    case evicted
    /// The stored response was damaged on the disk, and dropped.
    case damaged
    /// The store's index was damaged, or of an earlier format, and the store began anew.
    case begunAnew
    /// A request changed the resource (RFC 9111 §4.4).
    case invalidated
    /// A response had `Clear-Site-Data` (W3C Clear Site Data).
    case cleared

    /// The event and the remedy, in one sentence.
    public var words: String {
        switch self {
        case .notStored(let reason): "It came and was not stored: " + reason.words
        case .brokeOff: Self.brokeOffWords
        case .ruled(let rule): "The rule '\(rule)' forbids storing it."
        case .evicted: "It was stored, and made room for others; raise the store's budget, or pin it."
        case .damaged: "It was stored, and its file was damaged and dropped; larder store verify looks at the others."
        case .begunAnew:
            "The store's index was damaged, or of an earlier version, so that the store began anew; everything is "
                + "fetched again."
        case .invalidated: "It was stored, and a request of a page changed it at its server; it is fetched again."
        case .cleared: "It was stored, and its server has cleared what is stored by Clear-Site-Data."
        }
    }

    var name: String {
        switch self {
        case .notStored(let reason): "not-stored " + reason.rawValue
        case .brokeOff: "broke-off"
        case .ruled(let rule): "ruled " + rule
        case .evicted: "evicted"
        case .damaged: "damaged"
        case .begunAnew: "begun-anew"
        case .invalidated: "invalidated"
        case .cleared: "cleared"
        }
    }

    /// Those that have nothing else in their names.
    private static let plain: [PastEvent] = [.brokeOff, .evicted, .damaged, .begunAnew, .invalidated, .cleared]

    init?(name: String) {
        if let event = Self.plain.first(where: { $0.name == name }) {
            self = event
        } else if name.hasPrefix("ruled ") {
            self = .ruled(String(name.dropFirst("ruled ".count)))
        } else {
            guard name.hasPrefix("not-stored "),
                let reason = StoreDecision.Reason(rawValue: String(name.dropFirst("not-stored ".count)))
            else { return nil }
            self = .notStored(reason)
        }
    }

    package static let brokeOffWords =
        "Its content broke off before the length that was stated: its server failed or states a wrong "
        + "Content-Length, or the page went away."

    /// The most keys that are remembered; the oldest are forgotten.
    static let most = 1_000

    /// A key is remembered by this hash: "MUST NOT store any part of either the immediate request or the response"
    /// (RFC 9111 §5.2.2.5).
    static func hash(_ key: CacheKey) -> Data { Data(key.digest(length: 16)) }

    /// Stands for all keys that nothing else is known of.
    static let everyKey = Data()
}

extension CacheKey {
    /// Stands for all responses of an origin in an account, as an invalidated key.
    init(origin: String, partition: String) { self.init(partition: partition, uri: origin) }

    /// Stands for all responses of a URI, in every account, as an invalidated key.
    init(uriInAnyPartition uri: String) { self.init(partition: "\u{0}", uri: uri) }

    /// The keys under which an invalidation of this one may be noted; those of all sites are meant.
    var invalidations: [CacheKey] {
        let parts = TargetURI.split(uri).map { [$0] } ?? []
        return [withoutSite, CacheKey(uriInAnyPartition: uri)]
            + parts.map { CacheKey(origin: "\($0.scheme)://\($0.authority)", partition: partition) }
    }

    /// The first bytes of the SHA-256 of its partition, site and URI.
    func digest(length: Int) -> ArraySlice<UInt8> {
        SHA256Hasher.digest(of: Array(storedPartition.utf8) + [0] + Array(uri.utf8)).bytes.prefix(length)
    }
}

extension WriteContext {
    func note(_ event: PastEvent, _ key: CacheKey) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO past VALUES (?, ?, ?)
                  ON CONFLICT (key) DO UPDATE SET event = excluded.event, time = excluded.time
                """
        ).execute(arguments: [PastEvent.hash(key), event.name, EntryRow.milliseconds(now())])
        try database.cachedStatement(
            sql: "DELETE FROM past WHERE time < (SELECT time FROM past ORDER BY time DESC LIMIT 1 OFFSET ?)"
        ).execute(arguments: [PastEvent.most])
    }

    /// Forgets what may be of a selection. Without names, all is where it is more than one key.
    func forgetPast(_ selection: EntrySelection) throws {
        if let uri = selection.uri, let partition = selection.partition {
            try database.execute(
                sql: "DELETE FROM past WHERE key = ?",
                arguments: [PastEvent.hash(CacheKey(partition: partition, site: selection.site ?? "", uri: uri))])
        } else {
            try database.execute(sql: "DELETE FROM past")
        }
    }
}

extension DiskResponseStore {
    /// Why the store has begun anew since then, in one sentence; `nil` where it has not.
    package func newBeginning(since start: WallInstant) async -> String? {
        // No address stands for all of them. The time is exact to a millisecond.
        guard let (event, time) = await past(of: CacheKey(partition: "", uri: "")), event == .begunAnew,
            time + .milliseconds(1) > start
        else { return nil }
        return event.words
    }

    package func note(_ event: PastEvent, of key: CacheKey) async {
        // Nobody misses it where the store can't be written.
        _ = try? await writing("Why it is not stored could not be noted") { try $0.note(event, key) }
    }

    package func past(of key: CacheKey) async -> (event: PastEvent, time: WallInstant)? {
        let row = try? await lookingUp {
            try Row.fetchOne(
                $0, sql: "SELECT event, time FROM past WHERE key IN (?, ?) ORDER BY key DESC LIMIT 1",
                arguments: [PastEvent.hash(key), PastEvent.everyKey])
        }
        guard let row, let name = String.fromDatabaseValue(row[0]), let event = PastEvent(name: name) else {
            return nil
        }
        return (event, WallInstant(sinceEpoch: .milliseconds(row.number(1))))
    }
}
