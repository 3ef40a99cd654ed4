extension Answer {
    /// The answer to this very request: a part, where the answer honours ranges and the request asks for one.
    ///
    /// A range is honoured unless `If-Range` names another entity tag (RFC 9110 §13.1.5).
    func answering(_ request: Message) -> Answer {
        guard honoursRange, let body, let range = Self.range(request, count: body.utf8.count) else { return self }
        if let condition = request.value("If-Range"), !fields.contains("ETag: \(condition)") { return self }
        var part = Answer.partial(range, of: body)
        part.fields += fields
        return part
    }

    private static func range(_ request: Message, count: Int) -> ClosedRange<Int>? {
        guard let value = request.value("Range"), value.hasPrefix("bytes="), !value.contains(",") else { return nil }
        let ends = value.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first <= last && first < count: return first...min(last, count - 1)
        case (let first?, nil) where first < count: return first...(count - 1)
        case (nil, let suffix?) where suffix > 0: return max(0, count - suffix)...(count - 1)
        default: return nil
        }
    }
}
