import HTTPCacheSemantics
import HTTPTypes

/// The head and the part of the content with which a stored response answers a presented request.
struct StoredAnswer: Hashable {
    var head: HTTPResponse
    /// The half-open part of the stored content to send; `nil` for none.
    var region: Range<Int64>?

    /// Constructs the answer: 200 (or the stored status), 304 to the client's own condition, 206 or 416 to a range.
    ///
    /// RFC 9111 §4: "When a stored response is used to satisfy a request without validation, a cache MUST generate an
    /// Age header field, replacing any present in the response with a value equal to the stored response's
    /// current_age".
    init(
        _ response: StoredResponse, length: Int64, presented: HTTPRequest, at now: WallInstant,
        without fieldsNotReused: Set<HTTPField.Name>
    ) {
        var fields = response.fields
        for name in fieldsNotReused { fields[name] = nil }
        fields[.age] = String(response.currentAge(at: now).components.seconds)
        if !fields.contains(.date) { fields[.date] = HTTPDate.print(response.responseTime) }

        // RFC 9110 §13.2.2: If-None-Match and If-Modified-Since come before Range, and apply to what would be 200.
        if response.status == .ok, ConditionalRequest.isSatisfied(by: response, presented: presented.headerFields) {
            head = HTTPResponse(status: .notModified, headerFields: ConditionalRequest.notModifiedFields(fields))
            region = nil
            return
        }
        let hasContent = ![204, 304].contains(response.status.code)
        if hasContent { fields[.contentLength] = String(length) }
        region = hasContent ? 0..<length : nil
        head = HTTPResponse(status: response.status, headerFields: fields)
        if presented.method == .get, response.status == .ok { applyRange(presented, response, length: length) }
        if presented.method == .head { region = nil }
    }

    /// RFC 9110 §14.2: a server may ignore `Range`; we do for several ranges and for a failed `If-Range`.
    private mutating func applyRange(_ presented: HTTPRequest, _ response: StoredResponse, length: Int64) {
        // Of content without a byte no Content-Range can speak, so the whole of it is the answer.
        guard length > 0, let range = ByteRange.single(presented.headerFields) else { return }
        if let condition = presented.headerFields[.ifRange], !Self.holds(condition, for: response) { return }
        guard let part = range.resolve(length: length) else {
            head.status = .rangeNotSatisfiable
            head.headerFields[.contentRange] = "bytes */\(length)"
            head.headerFields[.contentLength] = "0"
            region = nil
            return
        }
        head.status = .partialContent
        head.headerFields[.contentRange] = ContentRange(range: part, completeLength: length).description
        head.headerFields[.contentLength] = String(part.count)
        region = part
    }

    /// RFC 9110 §13.1.5: a strong comparison for tags; a date must be exactly the stored `Last-Modified`.
    private static func holds(_ condition: String, for response: StoredResponse) -> Bool {
        if let tag = EntityTag(condition) {
            return response.fields[.eTag].flatMap { EntityTag($0) }?.stronglyMatches(tag) ?? false
        }
        return response.fields[.lastModified] == condition
    }
}
