import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The head and the part of the content with which a stored response answers a presented request.
struct StoredAnswer {
    /// Which part of a stored response answers a request.
    enum Selection: Hashable {
        /// None: the client has the representation already (RFC 9110 §13.1.2, §13.1.3).
        case notModified
        /// None: the response's status has no content.
        case noContent
        case content(ContentSelection)

        /// - Parameter isExact: See ``ConditionalRequest/isSatisfied(by:presented:isExact:)``.
        init(of response: StoredResponse, length: Int64, presented: HTTPRequest, isExact: Bool = false) {
            // RFC 9110 §13.2.2: If-None-Match and If-Modified-Since come before Range, and apply if the answer would be
            // 200.
            let isRepresentation = response.status == .ok || response.extent != .complete
            if isRepresentation,
                ConditionalRequest.isSatisfied(by: response, presented: presented.headerFields, isExact: isExact)
            {
                self = .notModified
            } else if [204, 304].contains(response.status.code) {
                self = .noContent
            } else {
                self = .content(ContentSelection(of: response, storedLength: length, presented: presented))
            }
        }
    }

    var head: HTTPResponse
    /// The parts of the stored content that the answer has, in this order; none for an answer without any.
    var regions: [Range<Int64>] = []

    /// Constructs the answer: 200 (or the stored status), 304 to the client's own condition, 206 or 416 to a range.
    ///
    /// RFC 9111 §4: "When a stored response is used to satisfy a request without validation, a cache MUST generate an
    /// Age header field, replacing any present in the response with a value equal to the stored response's
    /// current_age".
    ///
    /// - Parameter age: The current age in seconds.
    init(
        _ response: StoredResponse, length: Int64, selection: Selection, isHead: Bool, age: Int64,
        _ changes: AnswerFields
    ) {
        var fields = response.fields
        changes.apply(to: &fields)
        fields[.age] = String(age)
        if !fields.contains(.date) { fields[.date] = HTTPDate.print(response.responseTime) }

        guard case .content(let selected) = selection else {
            head =
                selection == .notModified
                ? HTTPResponse(status: .notModified, headerFields: ConditionalRequest.notModifiedFields(fields))
                : HTTPResponse(status: response.status, headerFields: fields)
            return
        }
        head = HTTPResponse(status: response.status, headerFields: fields)
        if selected != .whole { for name in HTTPFields.digestsOfContent { head.headerFields[name] = nil } }
        switch selected {
        case .whole, .notStored:
            head.headerFields[.contentLength] = String(length)
            if !isHead { regions = [0..<length] }
        case .part(let part, let completeLength):
            head.status = .partialContent
            head.headerFields[.contentRange] = ContentRange(range: part, completeLength: completeLength).description
            head.headerFields[.contentLength] = String(part.count)
            regions = response.extent.regions(of: part) ?? []
        case .notSatisfiable(let completeLength):
            head.status = .rangeNotSatisfiable
            head.headerFields[.contentRange] = "bytes */\(completeLength)"
            head.headerFields[.contentLength] = "0"
            for name in Self.ofRepresentation { head.headerFields[name] = nil }
        }
    }

    /// Fields that say of the representation, and of how it is stored, what is not true of an answer without it.
    private static let ofRepresentation: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentDisposition, .eTag, .lastModified, .setCookie,
        .cacheControl, .expires,
    ]

    func body(from stored: StoredContent) -> ResponseBody {
        guard let region = regions.first else { return .empty }
        guard regions.count > 1 else { return ResponseBody(stored, in: region) }
        // They lie in one content, so that the sum can't overflow.
        return .stream(JoinedBody(stored, regions), length: regions.reduce(0) { $0 + Int64($1.count) })
    }
}
