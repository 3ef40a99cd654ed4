import GRDB
import HTTPCacheSemantics

/// A row of the table `distrusted`: a host, a space, and the time at which it broke a promise, in milliseconds since
/// the Unix epoch. An earlier version noted hosts without a time; those count as long ago.
enum DistrustedHost {
    /// Adds a host; beyond the limit the oldest ones are removed.
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

    /// All hosts, with the later time for a repeated host.
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

/// Hosts that broke the promise of a hashed name, with the latest time.
extension [String: WallInstant] {
    /// The most hosts that are remembered.
    static var mostHosts: Int { 1_000 }

    /// Adds a host; beyond the limit the oldest one is removed.
    mutating func note(_ host: String, at time: WallInstant) {
        self[host] = time
        guard count > Self.mostHosts, let first = self.min(by: { $0.value < $1.value })?.key else { return }
        self[first] = nil
    }
}
