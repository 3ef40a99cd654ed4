/// Ranges of RFC 9110 §14, and what a record can answer.
enum ModelRanges {
    enum Wish: Hashable {
        case everything
        case one(Range<Int>)
        case unsatisfiable
    }

    /// What the request asks of a record's representation. If-Range decides whether Range counts (§13.1.5).
    static func wishes(_ request: ModelRequest, of record: ModelRecord) -> [Wish] {
        guard request.method == "GET", record.status == 200, request.fields.values("range").count == 1,
            let value = request.fields.first("range")
        else { return [.everything] }
        let wish = wish(value, length: record.body.utf8.count)
        guard let condition = request.fields.first("if-range") else { return [wish] }
        if ModelText.isEntityTag(condition) {
            let matches = record.fields.first("etag").map { ModelText.stronglyMatch($0, condition) } ?? false
            return [matches ? wish : .everything]
        }
        // A date must match exactly and be a strong validator; the model leaves open whether it is one.
        let matches = ModelDate.parse(condition).map { $0 == record.lastModified } ?? false
        return matches ? [wish, .everything] : [.everything]
    }

    private static func wish(_ value: String, length: Int) -> Wish {
        guard value.hasPrefix("bytes=") else { return .everything }
        // Our choice: a request with several ranges gets the whole. §14.2: "A server MAY ignore the Range header field".
        let sides = value.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2 else { return .everything }
        if sides[0].isEmpty {
            guard let suffix = Int(sides[1]) else { return .everything }
            return suffix > 0 && length > 0 ? .one(max(0, length - suffix)..<length) : .unsatisfiable
        }
        guard let first = Int(sides[0]), sides[1].isEmpty || Int(sides[1]) != nil else { return .everything }
        let last = Int(sides[1]) ?? Int.max - 1
        guard last >= first else { return .everything }
        return first < length ? .one(first..<min(length, last + 1)) : .unsatisfiable
    }

    /// §3.3: "MUST NOT use an incomplete response to answer requests unless … the request is partial and specifies a
    /// range wholly within the incomplete response".
    static func canAnswer(_ request: ModelRequest, from record: ModelRecord) -> Bool {
        if record.isComplete { return true }
        if case .one(let range) = wishes(request, of: record)[0] {
            return record.held.contains { $0.lowerBound <= range.lowerBound && $0.upperBound >= range.upperBound }
        }
        return false
    }

    static func slice(_ text: String, _ range: Range<Int>) -> String {
        String(decoding: Array(text.utf8)[range], as: UTF8.self)
    }
}
