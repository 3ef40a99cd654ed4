import Foundation
import GRDB
import HTTPCacheSemantics

/// The content seen under names with content hashes.
extension DiskResponseStore {
    /// The most names that are remembered; beyond it the oldest notes are removed. About 150 bytes each.
    static let rememberedNames = 20_000
    /// How far the table may exceed its limit before it is trimmed: finding the oldest notes reads all of them.
    static let forgottenAtOnce = 256

    package var distrustedHosts: [String: WallInstant] { distrusted.withLock { $0 } }

    package func noteContent(_ digest: BodyDigest, under key: CacheKey, variant: String) async throws -> BodyDigest? {
        let (hashed, now) = (Self.hash(variant), EntryRow.milliseconds(wallTime()))
        return try await writing("What a name stands for could not be noted") { context in
            try context.noteContent(digest, under: key, variant: hashed, at: now)
        }
    }

    package func distrusted(_ host: String) async -> WallInstant? {
        let stamp = opened.stamped.stamp
        let isKnown = memory.withLock { stamp != nil && $0.distrustStamp == stamp }
        if !isKnown, let all = try? await lookingUp({ try DistrustedHost.all(in: $0) }) {
            distrusted.withLock { $0.merge(all, uniquingKeysWith: max) }
            memory.withLock { $0.distrustStamp = stamp }
        }
        return distrusted.withLock { $0[host] }
    }

    /// Hashed, because nominated fields may be credentials, and the note survives the eviction of the response.
    static func hash(_ text: String) -> BodyDigest { SHA256Hasher.digest(of: Array(text.utf8)) }

    package func distrust(_ host: String, at time: WallInstant) async throws {
        distrusted.withLock { $0.note(host, at: time) }
        try await writing("A host that broke a name's promise could not be noted") { context in
            try DistrustedHost.note(host, at: time, in: context.database)
        }
    }
}

extension WriteContext {
    func noteContent(
        _ digest: BodyDigest, under key: CacheKey, variant: BodyDigest, at now: Int64
    ) throws -> BodyDigest? {
        let place: StatementArguments = [key.storedPartition.indexed, key.uri.indexed, variant.description]
        let known = try Data.fetchOne(
            try database.cachedStatement(
                sql: "SELECT digest FROM content WHERE partition = ? AND uri = ? AND variant = ?"),
            arguments: place
        ).flatMap { BodyDigest($0) }
        if known == digest { return known }
        // As a new row, so that a removal since a date includes it.
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO content (partition, uri, variant, digest, id)
                  VALUES (?, ?, ?, ?, max(?, coalesce((SELECT max(id) FROM content) + 1, 0)))
                """
        ).execute(arguments: place + [Data(digest.bytes), now])
        if database.lastInsertedRowID % Int64(DiskResponseStore.forgottenAtOnce) == 0 { try forgetFirstNames() }
        return known
    }

    /// Removes all notes but the latest.
    private func forgetFirstNames() throws {
        try database.execute(
            sql: "DELETE FROM content WHERE id <= (SELECT id FROM content ORDER BY id DESC LIMIT 1 OFFSET ?)",
            arguments: [DiskResponseStore.rememberedNames])
    }
}

/// The names of cookies that servers have set, as hashes, in the table `server_cookie`. Its row without a name says
/// from which entry on nothing was missed.
extension DiskResponseStore {
    /// The most names; beyond it every cookie counts as set by a server.
    static let serverCookieLimit = 20_000

    package func noteServerCookies(_ names: Set<String>) async throws {
        let (hashes, hasGap) = (names.map { Data(Self.hash($0).bytes) }, hasMissedCookies.value)
        do {
            // A server that repeats itself costs no transaction.
            if !hasGap, try await lookingUp({ try Self.isNoted(hashes, in: $0) }) { return }
            try await writing("The names of cookies could not be noted") { try $0.noteServerCookies(hashes, hasGap) }
            if hasGap { hasMissedCookies.value = false }
        } catch {
            hasMissedCookies.value = true
            throw error
        }
    }

    package func mayBeServerCookies(_ names: Set<String>, since entry: StoredEntry.ID) async throws -> Bool {
        if hasMissedCookies.value { return true }
        let hashes = names.map { Data(Self.hash($0).bytes) }
        return try await lookingUp { database in
            let first = try Int64.fetchOne(database, sql: "SELECT since FROM server_cookie WHERE name = x''")
            guard let first, first < entry.rawValue else { return true }
            return try hashes.contains { try Self.isNoted([$0], in: database) }
        }
    }

    private static func isNoted(_ hashes: [Data], in database: Database) throws -> Bool {
        try hashes.allSatisfy { hash in
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM server_cookie WHERE name = ?)", arguments: [hash]) ?? false
        }
    }
}

extension WriteContext {
    /// - Parameter hasGap: Whether earlier names are missing, so that nothing that is stored by now may count on them.
    fileprivate func noteServerCookies(_ hashes: [Data], _ hasGap: Bool) throws {
        if hasGap {
            try database.execute(
                sql: """
                    UPDATE server_cookie SET since = max(since, coalesce((SELECT max(id) FROM entry), 0))
                      WHERE name = x''
                    """)
        }
        for hash in hashes {
            try database.execute(sql: "INSERT OR IGNORE INTO server_cookie VALUES (?, 0)", arguments: [hash])
        }
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM server_cookie") ?? 0
        guard count > DiskResponseStore.serverCookieLimit else { return }
        try database.execute(sql: "DELETE FROM server_cookie; INSERT INTO server_cookie VALUES (x'', \(Int64.max))")
    }
}
