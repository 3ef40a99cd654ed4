import GRDB
import HTTPCacheSemantics

/// A selection as a condition on the rows of `entry` joined with `score`.
struct SelectionQuery {
    // A LEFT JOIN, so that an entry without a row in `score` is found too.
    static let source = """
        FROM entry JOIN body ON body.id = entry.body LEFT JOIN score ON score.entry = entry.id
        """
    static let columns = """
        entry.id, entry.partition, entry.uri, entry.type, entry.response_time, \(lastUse), uses, pins, size,
        body.length, \(end), (SELECT group_concat(hex(name)) FROM tag WHERE tag.entry = entry.id)
        """
    private static let lastUse = "max(coalesce(last_use, 0), entry.response_time)"
    /// When the response expires, or has expired, by a rule.
    private static let end = "max(score.expires, ~score.expires)"
    /// The host of a column `uri`, which always has a path.
    private static let host = """
        substr(substr(uri, instr(uri, '://') + 3), 1, instr(substr(uri, instr(uri, '://') + 3), '/') - 1)
        """

    private(set) var conditions: [String] = []
    private(set) var arguments: StatementArguments = []

    init(_ selection: EntrySelection) {
        addKey(of: selection)
        add("entry.response_time < ?", selection.storedBefore.map(EntryRow.milliseconds))
        add("entry.response_time >= ?", selection.storedSince.map(EntryRow.milliseconds))
        add("\(Self.lastUse) < ?", selection.unusedSince.map(EntryRow.milliseconds))
        if let type = selection.contentType {
            if type.hasSuffix("/*") { add("type", from: String(type.dropLast())) } else { add("type = ?", type) }
        }
        add("entry.id IN (SELECT entry FROM tag WHERE name = ?)", selection.tag?.indexed)
        add("(coalesce(pins, 0) > 0) = ?", selection.isPinned)
        add("\(Self.end) <= ?", selection.expiredAt.map(EntryRow.milliseconds))
    }

    /// The selected names in `content`: those under the selected keys, or noted since the date.
    ///
    /// - Returns: `nil` if the selection depends on properties of responses.
    init?(namesOf selection: EntrySelection) {
        guard selection.meansNames else { return nil }
        addKey(of: selection)
        add("id >= ?", selection.storedSince.map(EntryRow.milliseconds))
        add("id < ?", selection.storedBefore.map(EntryRow.milliseconds))
    }

    /// All of it, as one condition.
    var condition: String { conditions.isEmpty ? "1" : conditions.joined(separator: " AND ") }

    private mutating func add(_ condition: String, _ value: (some DatabaseValueConvertible)?) {
        guard let value else { return }
        conditions.append(condition)
        arguments += [value]
    }

    private mutating func addKey(of selection: EntrySelection) {
        if selection.meansNothing { conditions.append("0") }
        add("uri = ?", selection.uri?.indexed)
        if let prefix = selection.uriPrefix { add("uri", from: prefix) }
        if let partition = selection.partition {
            if let site = selection.site {
                add("partition = ?", StoredPartition.text(partition, site: site).indexed)
            } else {
                conditions.append(StoredPartition.ofAccount)
                arguments += StoredPartition.arguments(ofAccount: partition)
            }
        }
        guard let host = selection.host else { return }
        if host.hasPrefix("*.") {
            let suffix = String(host.dropFirst())
            add("substr(\(Self.host), -length(?)) = ?", suffix)
            arguments += [suffix]
        } else {
            add("\(Self.host) = ?", host)
        }
    }

    private mutating func add(_ column: String, from prefix: String) {
        add("substr(\(column), 1, length(?)) = ?", prefix)
        arguments += [prefix]
    }

    private static func text(ofHexadecimal digits: Substring) -> String {
        let values = digits.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return String(
            decoding: stride(from: 1, to: values.count, by: 2).map {
                UInt8(values[$0 - 1] << 4 | values[$0])
            }, as: UTF8.self)
    }

    /// - Returns: `nil` for an invalid row; a look-up drops it.
    static func summary(_ row: Row) -> EntrySummary? {
        guard let partition = String.fromDatabaseValue(row[1]), let uri = String.fromDatabaseValue(row[2]),
            let key = StoredPartition.key(partition, uri: uri),
            let type = String.fromDatabaseValue(row[3])
        else { return nil }
        func instant(_ index: Int) -> WallInstant { WallInstant(sinceEpoch: .milliseconds(row.number(index))) }
        // In hexadecimal, because a tag may contain any separator.
        let tags = String.fromDatabaseValue(row[11])?.split(separator: ",").map(text(ofHexadecimal:)).sorted() ?? []
        return EntrySummary(
            id: .init(rawValue: row.number(0)), key: key,
            contentType: type.isEmpty ? nil : type, storedAt: instant(4), lastUsed: instant(5),
            uses: row.tally(6), pins: row.tally(7), size: ByteCount(row.number(8)),
            bodyLength: ByteCount(row.number(9)), tags: tags,
            expires: Int64.fromDatabaseValue(row[10]).map { WallInstant(sinceEpoch: .milliseconds($0)) })
    }
}
