/// An answer that the model allows.
struct ModelExpected: Hashable, Sendable {
    var status: Int
    /// Fields that the answer must have with these values.
    var required: [ModelField] = []
    /// Fields that the answer may lack, but not have with other values.
    var optional: [ModelField] = []
    /// Names of fields that the answer must not have.
    var forbidden: [String] = []
    /// Names of fields that may have any value or be missing.
    var free: [String] = []
    /// The required `Age`; `nil` when it may have any value or be missing.
    var age: Int64?
    /// The required content; `nil` when any is allowed.
    var body: String?

    /// Fields that a cache adds or computes; they are checked separately.
    private static let computed = ["age", "content-length", "date", "via"]

    func fits(_ answer: ModelAnswer) -> Bool {
        guard answer.status == status, !answer.brokeOff, body.map({ $0 == answer.body }) ?? true else { return false }
        if let age, answer.fields.values("age") != [String(age)] { return false }
        if !free.contains("content-length"), let length = answer.fields.first("content-length"), let body,
            !body.isEmpty,
            length != "\(body.utf8.count)"
        {
            return false
        }
        let names = Set(required.map(\.name) + optional.map(\.name) + answer.fields.map(\.name))
        for name in names where !free.contains(name) {
            let seen = Self.joined(answer.fields, name)
            if forbidden.contains(name) {
                if seen != nil { return false }
            } else if required.has(name) {
                if seen != Self.joined(required, name), !(name == "content-length" || name == "age") { return false }
            } else if seen != nil, seen != Self.joined(optional, name), !Self.computed.contains(name) {
                return false
            }
        }
        return true
    }

    /// Lines may be combined (RFC 9110 §5.3).
    private static func joined(_ fields: [ModelField], _ name: String) -> String? {
        let values = fields.values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// Makes the answers that a cache may give from a record.
struct ModelAnswers {
    var cache: ModelKind
    var request: ModelRequest
    var now: Int64
    /// The fields of the 304 that has just confirmed the record; `nil` when none has.
    var news: [ModelField]?

    private var isValidated: Bool { news != nil }

    func answers(from record: ModelRecord) -> [ModelExpected] {
        let notModified = evaluate(record)
        var all: [ModelExpected] = []
        if notModified != .no { all.append(notModifiedAnswer(record)) }
        guard notModified != .yes else { return all }
        for wish in ModelRanges.wishes(request, of: record) {
            switch wish {
            case .everything: all.append(full(record))
            case .one(let range):
                all.append(part(record, range, of: "\(record.body.utf8.count)"))
                // If a transfer broke off, the complete length may be unknown.
                if !record.isComplete { all.append(part(record, range, of: "*")) }
            case .unsatisfiable:
                all.append(unsatisfiable(record))
            }
        }
        return all
    }

    /// §4.3.2: whether the client's own conditions make the answer 304. This cache evaluates them for a stored 200.
    private func evaluate(_ record: ModelRecord) -> ModelVerdict {
        guard (200...299).contains(record.status), request.isRead else { return .no }
        let isUsual = record.status == 200
        func verdict(_ holds: Bool) -> ModelVerdict { holds ? (isUsual ? .yes : .either) : .no }
        if request.fields.has("if-none-match") {
            let tags = request.fields.list("if-none-match")
            return verdict(
                tags.contains("*") || tags.contains { ModelText.weaklyMatch($0, record.entityTag ?? "") }
                    || record.sentTag.map { request.fields.values("if-none-match") == [$0] } ?? false)
        }
        guard request.fields.values("if-modified-since").count == 1,
            let since = request.fields.first("if-modified-since").flatMap({ ModelDate.parse($0) })
        else { return .no }
        // "if … the Last-Modified header field is not present …, a cache SHOULD use the stored response's Date".
        guard let modified = record.lastModified else {
            let isThere = record.fields.has("last-modified")
            return record.date > since ? .no : isThere ? .either : verdict(true)
        }
        return verdict(modified <= since)
    }

    private func age(_ record: ModelRecord) -> Int64? {
        isValidated ? nil : ModelFreshness.age(record, at: now)
    }

    /// §5.2.2.4: the fields that a qualified `no-cache` lists are left out, unless the response was validated.
    private func left(_ record: ModelRecord) -> [String] { record.policy(cache).directives.fieldNames("no-cache") }

    /// Fields that a 304 marks as one user's may reach that user, with the old or the new value, but must not be
    /// stored.
    private var withheld: [String] {
        guard cache.isShared, let news else { return [] }
        return ModelPolicy(news, cache).directives.fieldNames("private")
    }

    private func full(_ record: ModelRecord) -> ModelExpected {
        let left = left(record)
        return ModelExpected(
            status: record.status, required: record.fields.without(left),
            optional: (news ?? []).filter { !record.fields.has($0.name) || left.contains($0.name) },
            forbidden: isValidated ? [] : left, free: withheld, age: age(record),
            body: request.method == "HEAD" ? "" : record.body)
    }

    /// RFC 9110 §15.4.5 names the fields that a 304 must have when the 200 would.
    private func notModifiedAnswer(_ record: ModelRecord) -> ModelExpected {
        let needed = ["cache-control", "content-location", "date", "etag", "expires", "vary"]
        let left = left(record)
        return ModelExpected(
            status: 304, required: record.fields.filter { needed.contains($0.name) && !left.contains($0.name) },
            optional: record.fields + (news ?? []).filter { !record.fields.has($0.name) },
            forbidden: isValidated ? [] : left, free: withheld, body: "")
    }

    private func part(_ record: ModelRecord, _ range: Range<Int>, of total: String) -> ModelExpected {
        var expected = full(record)
        expected.status = 206
        expected.body = ModelRanges.slice(record.body, range)
        expected.required.removeAll { $0.name == "content-range" }
        expected.required.append(
            ModelField("content-range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"))
        return expected
    }

    private func unsatisfiable(_ record: ModelRecord) -> ModelExpected {
        ModelExpected(
            status: 416, required: [ModelField("content-range", "bytes */\(record.body.utf8.count)")],
            optional: (record.fields + (news ?? []).filter { !record.fields.has($0.name) }).without(["content-range"]),
            free: ["content-type"])
    }
}
