import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The head and the part of the content with which a stored response answers a presented request.
struct StoredAnswer: Hashable {
    enum Content: Hashable {
        case none
        /// A half-open part of the stored content.
        case region(Range<Int64>)
        /// One part of the representation that lies in several parts of the stored content.
        case regions([Range<Int64>])
        case parts(MultipartRanges)
    }

    /// Which part of a stored response answers a request.
    enum Selection: Hashable {
        /// None: the client has the representation already (RFC 9110 §13.1.2, §13.1.3).
        case notModified
        /// None: the response's status has no content.
        case noContent
        case content(ContentSelection)

        /// - Parameters:
        ///   - length: How many bytes of content are stored.
        ///   - isExact: See ``ConditionalRequest/isSatisfied(by:presented:isExact:)``.
        init(of response: StoredResponse, length: Int64, presented: HTTPRequest, isExact: Bool = false) {
            // RFC 9110 §13.2.2: If-None-Match and If-Modified-Since come before Range, and apply if the answer would be
            // 200.
            let isRepresentation = response.status == .ok || response.extent != .complete
            if isRepresentation,
                ConditionalRequest.isSatisfied(
                    by: response, presented: presented.headerFields, isExact: isExact)
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
    var content: Content

    /// Constructs the answer: 200 (or the stored status), 304 to the client's own condition, 206 or 416 to a range.
    ///
    /// RFC 9111 §4: "When a stored response is used to satisfy a request without validation, a cache MUST generate an
    /// Age header field, replacing any present in the response with a value equal to the stored response's
    /// current_age".
    ///
    /// - Parameters:
    ///   - length: How many bytes of content are stored.
    ///   - isHead: Whether the answer is to HEAD.
    ///   - age: The current age in seconds.
    ///   - boundary: Text that the content does not hold, for an answer in several parts.
    ///   - changes: How the fields differ from the stored ones.
    init(
        _ response: StoredResponse, length: Int64, selection: Selection, isHead: Bool, age: Int64,
        boundary: @autoclosure () -> String, _ changes: AnswerFields
    ) {
        var fields = response.fields
        changes.apply(to: &fields)
        fields[.age] = String(age)
        if !fields.contains(.date) { fields[.date] = HTTPDate.print(response.responseTime) }

        guard case .content(let selected) = selection else {
            content = .none
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
            content = isHead ? .none : .region(0..<length)
        case .part(let part, let completeLength):
            head.status = .partialContent
            head.headerFields[.contentRange] = ContentRange(range: part, completeLength: completeLength).description
            head.headerFields[.contentLength] = String(part.count)
            let regions = response.extent.regions(of: part) ?? []
            content = regions.count == 1 ? .region(regions[0]) : regions.isEmpty ? .none : .regions(regions)
        case .several(let parts, let completeLength):
            let boundary = boundary()
            let multipart = MultipartRanges(
                parts, completeLength: completeLength, contentType: fields[.contentType], boundary: boundary)
            head.status = .partialContent
            head.headerFields[.contentType] = "multipart/byteranges; boundary=\(boundary)"
            head.headerFields[.contentLength] = String(multipart.length)
            content = .parts(multipart)
        case .notSatisfiable(let completeLength):
            head.status = .rangeNotSatisfiable
            head.headerFields[.contentRange] = "bytes */\(completeLength)"
            head.headerFields[.contentLength] = "0"
            for name in Self.ofRepresentation { head.headerFields[name] = nil }
            content = .none
        }
    }

    /// Fields that say of the representation, and of how it is stored, what is not true of an answer without it.
    private static let ofRepresentation: [HTTPField.Name] = [
        .contentType, .contentEncoding, .contentLanguage, .contentDisposition, .eTag, .lastModified, .setCookie,
        .cacheControl, .expires,
    ]

    /// The answer's content, taken from the stored content.
    func body(from stored: StoredContent) -> ResponseBody {
        switch (content, stored) {
        case (.none, _): .empty
        case (.region(let region), .bytes(let bytes)): .bytes(bytes, in: region)
        case (.region(let region), .file(let file)): .file(file, region)
        case (.regions(let regions), _): .stream(JoinedBody(stored, regions), length: regions.total)
        case (.parts(let parts), _): .stream(parts.makeSource(stored), length: parts.length)
        }
    }
}

/// Several parts of a representation as `multipart/byteranges`, RFC 9110 §14.6.
struct MultipartRanges: Hashable {
    private enum Piece: Hashable {
        case text([UInt8])
        case content(Range<Int64>)
    }

    let boundary: String
    let length: Int64
    private let pieces: [Piece]

    /// - Parameters:
    ///   - contentType: The type of the representation; each part states it (§15.3.7.2).
    ///   - boundary: Text that the content does not hold.
    init(_ parts: [Range<Int64>], completeLength: Int64, contentType: String?, boundary: String) {
        self.boundary = boundary
        var pieces: [Piece] = []
        for part in parts {
            var head = "--\(boundary)\r\n"
            if let contentType { head += "Content-Type: \(contentType)\r\n" }
            head += "Content-Range: \(ContentRange(range: part, completeLength: completeLength))\r\n\r\n"
            pieces += [.text(Array(head.utf8)), .content(part), .text([0x0D, 0x0A])]
        }
        pieces.append(.text(Array("--\(boundary)--\r\n".utf8)))
        self.pieces = pieces
        length = pieces.reduce(0) { total, piece in
            switch piece {
            case .text(let bytes): total + Int64(bytes.count)
            case .content(let part): total + Int64(part.count)
            }
        }
    }

    /// Reads the parts from the content.
    func makeSource(_ content: StoredContent) -> any BodySource {
        JoinedBody(
            pieces.map { piece in
                switch piece {
                case .text(let bytes): StoredBodySource(.bytes(bytes), region: 0..<Int64(bytes.count))
                case .content(let part): StoredBodySource(content, region: part)
                }
            })
    }
}
