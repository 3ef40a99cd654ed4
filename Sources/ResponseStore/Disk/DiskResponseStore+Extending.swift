import Foundation
import GRDB
import HTTPCacheSemantics

/// Adding parts to stored content, RFC 9111 §3.4.
///
/// Only the part is written, after the length of the body's file that the index records. The whole content is written
/// again only for a small body, for one that another process may add to, and if the content must be
/// reordered.
extension DiskResponseStore {
    package func extend(
        _ entry: StoredEntry, with body: any PendingBody, by combination: Combination, response: StoredResponse,
        since mark: StoreMark?
    ) async throws -> StoredEntry? {
        guard let received = body as? PendingDiskBody else {
            throw StoreError(code: .writeFailed, message: "The body was received for another store.")
        }
        if let added = combination.added, let known = entry.body, known.isGrowing, growth.hold(known.digest) {
            defer { growth.release(known.digest) }
            if try await mayExtend(known) {
                return try await extend(entry, known, by: added, of: received, response: response, since: mark)
            }
        }
        let joined = try await join(combination.pieces, of: entry, with: received)
        return try await commit(joined, key: entry.key, response: response, since: mark)
    }

    private func extend(
        _ entry: StoredEntry, _ known: BodyDescription, by added: [Range<Int64>], of received: PendingDiskBody,
        response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        let more = added.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
        guard more <= longestBody.bytes, known.length.bytes <= longestBody.bytes - more else {
            throw StoreError(
                code: .writeFailed,
                message: "The parts of '\(entry.key)' are longer than a quarter of the store's budget, \(budget.total)."
            )
        }
        let (path, fileSystem) = (layout.body(known.fileName), fileSystem)
        let grown: BodyDescription
        do {
            grown = try await Self.blocking {
                try BodyGrowth.add(
                    added, of: received, to: known, at: path, isWhole: response.extent == .complete, fileSystem)
            }
        } catch let error as StoreError where error.code == .corruptEntry {
            bodyFiles.forget(known.digest)
            await dropBody(known.digest)
            throw error
        }
        let stored = try await writing("A part of a response could not be stored") { context in
            try context.validated(response, entry.id, entry.key, since: mark).flatMap {
                try context.extend(entry, known, to: grown, response: $0)
            }
        }
        bodyFiles.forget(known.digest)
        return stored
    }

    /// Whether this store may add parts to a body: if it is its writer, or its writer's process has ended.
    private func mayExtend(_ body: BodyDescription) async throws -> Bool {
        let (writer, name) = (growth.writer, Data(body.digest.bytes))
        let known = try await lookingUp { database in
            try String.fetchOne(
                try database.cachedStatement(sql: "SELECT writer FROM body WHERE digest = ?"), arguments: [name])
        }
        if known == writer { return true }
        guard let known, !known.isEmpty, !StoreLayout.mayLive(known) else { return false }
        return try await writing("A stored body could not be taken over") { context in
            try context.database.execute(
                sql: "UPDATE body SET writer = ? WHERE digest = ? AND writer = ?", arguments: [writer, name, known])
            return context.database.changesCount == 1
        }
    }
}

extension WriteContext {
    /// Gives an entry a longer body and another head; it replaces the variant with the same nominated values.
    ///
    /// - Returns: `nil` if the entry is gone, or does not own this body alone any more.
    fileprivate func extend(
        _ entry: StoredEntry, _ known: BodyDescription, to grown: BodyDescription, response: StoredResponse
    ) throws -> StoredEntry? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT body.id, body.length, body.writer,
                  (SELECT count(*) FROM entry AS other WHERE other.body = body.id)
                  FROM entry JOIN body ON body.id = entry.body WHERE entry.id = ? AND body.digest = ?
                """, arguments: [entry.id.rawValue, Data(known.digest.bytes)])
        guard let row, row.number(1) == known.length.bytes, String.fromDatabaseValue(row[2]) == writer,
            row.number(3) == 1
        else { return nil }
        let (body, id) = try name(grown, row.number(0), from: known)
        let replaced = try delete(where: "id = ?", [entry.id.rawValue], keepingBody: id)
        let (new, _) = try insert(
            EntryHead(key: entry.key, response: response, body: body), body: id, inPlaceOf: replaced)
        return StoredEntry(
            id: .init(rawValue: new), key: entry.key, response: response, body: body, inlineBody: nil)
    }

    /// Names a body that has grown in its row, or finds the row of an equal one.
    private func name(
        _ grown: BodyDescription, _ row: Int64, from known: BodyDescription
    ) throws -> (BodyDescription, Int64) {
        if !grown.isGrowing, let equal = try storedBody(grown) { return (equal.body, equal.id) }
        try database.execute(
            sql: "UPDATE body SET digest = ?, length = ?, checksums = ?, writer = ? WHERE id = ?",
            arguments: [
                Data(grown.digest.bytes), grown.length.bytes, Data(grown.checksumBlock),
                grown.isGrowing ? writer : nil, row,
            ])
        changes.totals = try totals().adding(grown.length.bytes - known.length.bytes)
        return (grown, row)
    }
}
