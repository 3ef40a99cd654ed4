import Foundation
import GRDB
import HTTPCacheSemantics

/// The names of cookies that servers have set, as hashes, in the table `server_cookie`. Its row without a name says
/// from which entry on nothing was missed.
extension DiskResponseStore {
    /// The most names; beyond it every cookie counts as set by a server.
    static let serverCookieLimit = 20_000

    package func noteServerCookies(_ names: Set<String>) async throws {
        let hashes = names.map(Self.hashed)
        // A server that repeats itself costs no transaction.
        if try await lookingUp({ try Self.isNoted(hashes, in: $0) }) { return }
        try await writing("The names of cookies could not be noted") { context in
            for hash in hashes {
                try context.database.execute(
                    sql: "INSERT OR IGNORE INTO server_cookie VALUES (?, 0)", arguments: [hash])
            }
            let count = try Int.fetchOne(context.database, sql: "SELECT count(*) FROM server_cookie") ?? 0
            guard count > Self.serverCookieLimit else { return }
            try context.database.execute(
                sql: "DELETE FROM server_cookie; INSERT INTO server_cookie VALUES (x'', \(Int64.max))")
        }
    }

    package func mayBeServerCookies(_ names: Set<String>, since entry: StoredEntry.ID) async throws -> Bool {
        let hashes = names.map(Self.hashed)
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

    private static func hashed(_ name: String) -> Data {
        var hasher = SHA256Hasher()
        hasher.update(Array(name.utf8))
        return hasher.digest().map { Data($0.bytes) } ?? Data([0])
    }
}
