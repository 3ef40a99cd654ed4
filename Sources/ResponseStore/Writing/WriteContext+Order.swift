import Foundation
import GRDB
import HTTPCacheSemantics

/// Which of two responses is the newer one, and how many there may be.
extension WriteContext {
    /// How many variants of one key are kept.
    static var variantLimit: Int { 32 }
    /// How many responses with `No-Vary-Search` are kept that differ in their queries alone.
    static var searchLimit: Int { 128 }

    /// The response as it is to be stored, if it may be: what has happened to the key since the request left decides.
    ///
    /// - Returns: `nil` where the key was invalidated (RFC 9111 §4.4), or a newer response is stored already.
    func ordered(
        _ response: StoredResponse, _ digest: BodyDigest, _ key: CacheKey, since mark: StoreMark?
    ) throws -> StoredResponse? {
        guard let mark else {
            log.note(.invalidated, key)
            return response
        }
        let history = log.history(of: key, since: mark)
        if history.isInvalidated {
            try refuse(response, digest, key)
            return nil
        }
        // A client has seen a response that is not stored and may be newer.
        var ordered = response
        if history.wasRefused { ordered.needsValidation = true }
        guard history.wasStored, let (_, other, otherDigest) = try stored(key, response.nominatedFields) else {
            return ordered
        }
        switch ResponseOrder(response, digest, after: other, otherDigest) {
        case .newer: break
        case .older: return nil
        case .unknown: ordered.needsValidation = true
        }
        return ordered
    }

    /// A response comes too late to be stored, but its client has it: what was asked for at the same time, and is stored
    /// or will be, may be older and has to be validated.
    private func refuse(_ response: StoredResponse, _ digest: BodyDigest, _ key: CacheKey) throws {
        log.note(.refused, key)
        guard let (id, other, otherDigest) = try stored(key, response.nominatedFields), !other.needsValidation,
            other.requestTime <= response.responseTime,
            ResponseOrder(response, digest, after: other, otherDigest) != .older
        else { return }
        var unconfirmed = other
        unconfirmed.needsValidation = true
        try update(id, key: key, response: unconfirmed)
    }

    /// What is stored under a key for these nominated fields, as this transaction sees it.
    private func stored(
        _ key: CacheKey, _ nominated: NominatedFields
    ) throws -> (StoredEntry.ID, StoredResponse, BodyDigest)? {
        let row = try Row.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT \(EntryRow.columns) \(EntryRow.source)
                      WHERE partition = ? AND uri = ? AND nominated = ?
                    """),
            arguments: [key.partition.indexed, key.uri.indexed, Data(EntryRow.nominatedBlock(nominated))])
        guard let entry = row.flatMap({ EntryRow($0) }) else { return nil }
        let id = StoredEntry.ID(rawValue: entry.id)
        if let response = changes.heads[entry.id] { return (id, response, entry.digest) }
        guard let reading = try segments.segment(entry.head.segment)?.read(entry.head, bodyLength: nil) else {
            return nil
        }
        return (id, reading.head.response, entry.digest)
    }

    /// Lets the oldest go where a key has too many variants, or a path too many queries with `No-Vary-Search`: each
    /// look-up reads all of them. Pinned ones stay.
    ///
    /// - Returns: How many entries the key has then.
    func limitVariants(of head: EntryHead) throws -> Int {
        let key = head.key
        let count = try limit(
            "partition = ? AND uri = ?", [key.partition.indexed, key.uri.indexed], to: Self.variantLimit,
            sparing: head.id)
        if let base = EntryRow.searchBase(key, head.response) {
            _ = try limit(
                "partition = ? AND search_base = ?", [key.partition.indexed, base.indexed], to: Self.searchLimit,
                sparing: head.id)
        }
        return count
    }

    private func limit(
        _ condition: String, _ arguments: StatementArguments, to limit: Int, sparing new: Int64
    ) throws -> Int {
        let count =
            try Int.fetchOne(
                try database.cachedStatement(sql: "SELECT count(*) FROM entry WHERE \(condition)"),
                arguments: arguments) ?? 0
        guard count > limit else { return count }
        let surplus = try Int64.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT id FROM entry JOIN score ON score.entry = entry.id
                      WHERE \(condition) AND pins = 0 AND id <> ? ORDER BY response_time, id LIMIT ?
                    """), arguments: arguments + [new, count - limit])
        for id in surplus { try delete(where: "id = ?", [id]) }
        return count - surplus.count
    }
}
