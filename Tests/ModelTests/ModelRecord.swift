/// A stored response with all later updates.
struct ModelRecord: Hashable, Sendable {
    /// The number of the contact that sent the content.
    var contact: Int
    var status: Int
    /// The fields as stored (RFC 9111 §3.1) and updated (§3.2).
    var fields: [ModelField]
    /// The request fields that `Vary` is compared with.
    var nominating: [ModelField]
    var requestTime: Int64
    var responseTime: Int64
    /// The whole representation's content.
    var body: String
    /// The ranges of ``body`` that are stored.
    var held: [Range<Int>]
    /// When the record was last stored or validated; later turns are greater.
    var turn: Int
    /// RFC 9111 §4.4: removed, or "in need of a mandatory validation".
    var isInvalid = false
    /// RFC 9111 §4.3.5: "the cache SHOULD consider the stored response to be stale".
    var isMarkedStale = false

    var isComplete: Bool { held == [0..<body.utf8.count] || body.isEmpty }

    /// `Date`, or the time of arrival if that is missing or unreadable (RFC 9110 §6.6.1).
    var date: Int64 { fields.first("date").flatMap { ModelDate.parse($0) } ?? responseTime }

    /// The entity tag, if it is valid.
    var entityTag: String? { fields.first("etag").flatMap { ModelText.isEntityTag($0) ? $0 : nil } }

    /// Our choice: a value that is no entity tag is sent as it came.
    var sentTag: String? { fields.first("etag").flatMap { ["", "*"].contains($0) ? nil : $0 } }

    var lastModified: Int64? { fields.first("last-modified").flatMap { ModelDate.parse($0) } }

    var hasValidator: Bool { entityTag != nil || lastModified != nil }

    func policy(_ cache: ModelKind) -> ModelPolicy { ModelPolicy(fields, cache) }

    var markedStale: ModelRecord {
        var marked = self
        marked.isMarkedStale = true
        return marked
    }

    /// Whether another response would replace this one: it has the same nominated fields with the same values.
    func isSameVariant(as other: ModelRecord) -> Bool {
        let names = Self.nominated(fields)
        return names == Self.nominated(other.fields)
            && names.allSatisfy { ModelSelection.match($0, nominating.values($0), other.nominating.values($0)) }
    }

    /// The same record with only the request fields that its `Vary` nominates, in one spelling.
    var settled: ModelRecord {
        var settled = self
        settled.nominating = Self.nominated(fields).flatMap { name -> [ModelField] in
            let lines = nominating.values(name)
            return lines.isEmpty ? [] : [ModelField(name, ModelSelection.normal(name, lines))]
        }
        return settled
    }

    /// The names that `Vary` lists, each once.
    static func nominated(_ fields: [ModelField]) -> [String] {
        Array(Set(fields.list("vary").map { $0.lowercased() })).sorted()
    }
}

/// RFC 9111 §4.1: whether a record may be chosen for a request.
enum ModelSelection {
    /// The records that the cache may choose; `nil` stands for none. More than one if the standard leaves the choice
    /// open.
    static func chosen(_ records: [ModelRecord], for request: ModelRequest) -> [ModelRecord?] {
        let certain = records.filter { matches($0, request) == .yes }
        var all: [ModelRecord?] = certain.isEmpty ? [nil] : choices(certain)
        for record in records where matches(record, request) == .either {
            if choices(certain + [record]).contains(record), !all.contains(record) { all.append(record) }
        }
        return all
    }

    /// The matching records that may be chosen: the most recent of all, and beside it, as "the cache SHOULD choose the
    /// most recent … with a valid Vary field value", the most recent of those that have one.
    private static func choices(_ matching: [ModelRecord]) -> [ModelRecord] {
        let varied = matching.filter { !$0.fields.list("vary").isEmpty }
        return mostRecent(matching) + (varied.count < matching.count ? mostRecent(varied) : [])
    }

    /// "a cache MUST use the most recent one (as determined by the Date header field)". The standard does not say what
    /// holds for equal dates; then the last one stored, validated, or received by the clock may be meant.
    private static func mostRecent(_ records: [ModelRecord]) -> [ModelRecord] {
        guard let best = records.max(by: { ($0.date, $0.turn) < ($1.date, $1.turn) }) else { return [] }
        return records.filter { $0.date == best.date && $0.responseTime >= best.responseTime }
    }

    /// The stored variants that may not answer a request, but whose tags may be sent to the origin.
    static func variants(_ records: [ModelRecord], missedBy request: ModelRequest) -> [ModelRecord] {
        records.filter { record in
            matches(record, request) == .no && !ModelRecord.nominated(record.fields).contains("*")
                && record.status == 200 && record.entityTag != nil && !record.isInvalid && record.isComplete
        }
    }

    static func matches(_ record: ModelRecord, _ request: ModelRequest) -> ModelVerdict {
        acceptsCoding(of: record, request) && ModelVerdict(isNominated(record, request))
    }

    /// Whether the fields that `Vary` nominates match.
    static func isNominated(_ record: ModelRecord, _ request: ModelRequest) -> Bool {
        isNominated(record, selecting: request.fields)
    }

    static func isNominated(_ record: ModelRecord, selecting presented: [ModelField]) -> Bool {
        ModelRecord.nominated(record.fields).allSatisfy { name in
            name != "*" && match(name, record.nominating.values(name), presented.values(name))
        }
    }

    /// "If … a header field is absent from a request, it can only match another request if it is also absent there."
    /// Normalisation is our choice: lines are joined, and in the two lists neither case nor white space counts.
    static func match(_ name: String, _ stored: [String], _ presented: [String]) -> Bool {
        guard !stored.isEmpty, !presented.isEmpty else { return stored.isEmpty && presented.isEmpty }
        return normal(name, stored) == normal(name, presented)
    }

    static func normal(_ name: String, _ lines: [String]) -> String {
        guard ["accept-language", "accept-encoding"].contains(name) else {
            return lines.map { ModelText.trimmed($0) }.joined(separator: ", ")
        }
        return lines.flatMap { ModelText.list($0) }.joined(separator: ", ").lowercased()
    }

    /// Our guard: a response in a content coding that `Accept-Encoding` excludes does not answer.
    static func acceptsCoding(of record: ModelRecord, _ request: ModelRequest) -> ModelVerdict {
        let accepted = request.fields.values("accept-encoding")
        guard !accepted.isEmpty else { return .yes }
        let preferences = accepted.flatMap { ModelText.list($0) }.map { member -> (name: String, isAccepted: Bool) in
            let parts = ModelText.split(member.lowercased(), at: UInt8(ascii: ";"))
            return (parts[0], !parts.dropFirst().contains { ["q=0", "q=0.0"].contains($0) })
        }
        func listed(_ coding: String) -> Bool? {
            (preferences.first { $0.name == coding } ?? preferences.first { $0.name == "*" })?.isAccepted
        }
        let codings = record.fields.list("content-encoding").map { $0.lowercased() }.filter { $0 != "identity" }
        // RFC 9110 §12.5.3 lets a client refuse content without a coding; the guard may ignore that.
        if codings.isEmpty { return listed("identity") == false ? .either : .yes }
        return ModelVerdict(codings.allSatisfy { listed($0) ?? false })
    }
}
