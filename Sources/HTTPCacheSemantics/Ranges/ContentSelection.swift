import HTTPTypes

/// The part of a stored response that a presented request selects, RFC 9110 §14.2.
package enum ContentSelection: Hashable, Sendable {
    /// Everything: the request has no `Range`, or the field is ignored.
    case whole
    /// One part of the representation; its complete length if known.
    case part(Range<Int64>, completeLength: Int64?)
    /// Several parts of a complete representation, in the order of the request.
    case several([Range<Int64>], completeLength: Int64)
    /// No part of a representation of this length was selected.
    case notSatisfiable(completeLength: Int64)
    /// The store lacks some of the selected bytes.
    case notStored

    /// - Parameters:
    ///   - presented: The request. Its conditions other than `If-Range` have been judged.
    ///   - response: The stored response.
    ///   - storedLength: How many bytes of content are stored.
    package init(of response: StoredResponse, storedLength: Int64, presented: HTTPRequest) {
        let whole: ContentSelection = response.extent == .complete ? .whole : .notStored
        // "A server MUST ignore a Range header field received with a request method that is unrecognized or for which
        // range handling is not defined": GET alone; and a range is a part of a 200.
        guard presented.method == .get, response.status == .ok || response.extent != .complete,
            let ranges = ByteRange.list(presented.headerFields)
        else {
            self = whole
            return
        }
        if let condition = presented.headerFields[.ifRange], !Self.holds(condition, for: response) {
            self = whole
            return
        }
        guard let length = response.extent.completeLength(storedLength: storedLength) else {
            // The end of the representation is unknown: only a range with both ends can be located. The greatest
            // number stands for every greater position, and no representation has that many bytes.
            guard ranges.count == 1, case .from(let first, through: let last?) = ranges[0], first <= last,
                last < .max, response.extent.regions(of: first..<last + 1) != nil
            else {
                self = whole
                return
            }
            self = .part(first..<last + 1, completeLength: nil)
            return
        }
        // No Content-Range can describe empty content, so the answer is the whole of it.
        guard length > 0 else {
            self = whole
            return
        }
        switch RangeSelection(ranges, length: length) {
        case .whole: self = whole
        case .notSatisfiable:
            // "MUST NOT use an incomplete response to answer requests unless … the request … specifies a range wholly
            // within the incomplete response" (RFC 9111 §3.3): so neither to answer 416.
            self = response.extent == .complete ? .notSatisfiable(completeLength: length) : .notStored
        case .single(let part):
            self = response.extent.regions(of: part) == nil ? .notStored : .part(part, completeLength: length)
        case .several(let parts):
            self = response.extent == .complete ? .several(parts, completeLength: length) : .notStored
        }
    }

    /// RFC 9110 §13.1.5: a strong comparison for tags; a date must be exactly the stored `Last-Modified`, and a strong
    /// validator: at least a second before the response's `Date` (§8.8.2.2).
    private static func holds(_ condition: String, for response: StoredResponse) -> Bool {
        if let tag = EntityTag(condition) {
            return response.fields[.eTag].flatMap { EntityTag($0) }?.stronglyMatches(tag) ?? false
        }
        guard response.fields[.lastModified] == condition,
            let modified = HTTPDate.parse(condition, now: response.responseTime)
        else { return false }
        return modified + .seconds(1) <= response.date
    }
}
