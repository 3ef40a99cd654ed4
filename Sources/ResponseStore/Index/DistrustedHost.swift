import GRDB
import HTTPCacheSemantics

/// A row of the table `distrusted`: a host, a space, and the time at which it was caught, in milliseconds since the Unix
/// epoch. A host without a time was noted by an earlier version, long ago.
enum DistrustedHost {
    /// Notes one more; those that were caught first go where there are too many.
    static func note(_ host: String, at time: WallInstant, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM distrusted WHERE host = ? OR substr(host, 1, length(?) + 1) = ? || ' '",
            arguments: [host, host, host])
        try database.execute(
            sql: "INSERT INTO distrusted (host) VALUES (?)", arguments: ["\(host) \(EntryRow.milliseconds(time))"])
        try database.execute(
            sql: """
                DELETE FROM distrusted WHERE host IN (
                  SELECT host FROM distrusted ORDER BY CAST(substr(host, instr(host, ' ') + 1) AS INTEGER) DESC
                  LIMIT -1 OFFSET \([String: WallInstant].mostHosts))
                """)
    }

    /// All of them, with the later time where a host stands there twice.
    static func all(in database: Database) throws -> [String: WallInstant] {
        var hosts: [String: WallInstant] = [:]
        for text in try String.fetchAll(database, sql: "SELECT host FROM distrusted") {
            let parts = text.split(separator: " ", maxSplits: 1)
            guard let host = parts.first.map(String.init) else { continue }
            let milliseconds = parts.count == 2 ? Int64(parts[1]) ?? 0 : 0
            let time = WallInstant(sinceEpoch: .milliseconds(milliseconds))
            hosts[host] = max(time, hosts[host] ?? time)
        }
        return hosts
    }
}
