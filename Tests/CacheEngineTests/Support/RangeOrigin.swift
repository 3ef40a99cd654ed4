import CacheTesting
import HTTPCacheSemantics
import HTTPTypes

@testable import CacheEngine

/// An origin with one representation, which it hands out whole or in single ranges, written after RFC 9110 §14.
struct RangeOrigin: Sendable {
    var body: [UInt8]
    var tag: String?
    var fields: HTTPFields = [.cacheControl: "max-age=60"]
    /// Whether `Content-Range` states the complete length.
    var tellsLength = true

    /// The fields of every answer.
    private var common: HTTPFields {
        var fields = fields
        fields[.eTag] = tag
        return fields
    }

    /// Answers a request: 304 to the representation's own tag, 206 or 416 to a range, else 200.
    func answer(_ request: TransportRequest) -> TransportResponse {
        let presented = request.head.headerFields
        if let tag, presented[.ifNoneMatch] == tag { return ScriptedTransport.answer(304, common) }
        let isHead = request.head.method == .head
        // §13.1.5: "if the validators don't match, the server SHOULD ignore the Range".
        let isWanted = presented[.ifRange].map { $0 == tag && tag?.hasPrefix("W/") == false } ?? true
        guard !isHead, isWanted, let range = presented[.range].flatMap({ Self.range($0, of: body.count) }) else {
            return isHead ? headAnswer() : ScriptedTransport.answer(200, common, body: body)
        }
        guard !range.isEmpty else {
            var fields = HTTPFields()
            fields[.contentRange] = "bytes */\(body.count)"
            return ScriptedTransport.answer(416, fields)
        }
        return part(range)
    }

    /// A 206 with these bytes, whatever was asked for.
    func part(_ range: Range<Int>) -> TransportResponse {
        var fields = common
        fields[.contentRange] =
            "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(tellsLength ? String(body.count) : "*")"
        return ScriptedTransport.answer(206, fields, body: Array(body[range]))
    }

    /// A 200 whose connection ends after this many bytes.
    func broken(after count: Int, isChunked: Bool = false) -> TransportResponse {
        breaking(ScriptedTransport.answer(200, common, body: body), after: count, isChunked: isChunked)
    }

    /// A 206 from an offset to the end whose connection ends after this many bytes.
    func brokenPart(from offset: Int, after count: Int) -> TransportResponse {
        breaking(part(offset..<body.count), after: count)
    }

    /// One of its answers, whose connection ends after this many bytes.
    func breaking(_ answer: TransportResponse, after count: Int, isChunked: Bool = false) -> TransportResponse {
        let start = answer.head.headerFields[.contentRange].flatMap { ContentRange($0)?.range.lowerBound } ?? 0
        let source = ScriptedBody(count == 0 ? [] : [Array(body[Int(start)...].prefix(count))], ends: false)
        source.end(throwing: TransportError(code: .closedEarly, message: "The origin hung up."))
        var answer = answer
        answer.body = source
        if isChunked { (answer.bodyLength, answer.head.headerFields[.contentLength]) = (nil, nil) }
        return answer
    }

    private func headAnswer() -> TransportResponse {
        var fields = common
        fields[.contentLength] = String(body.count)
        return TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: fields), body: ScriptedBody([]), bodyLength: nil)
    }

    /// The only range of a field; empty when it can't be satisfied, `nil` when it is to be ignored.
    private static func range(_ field: String, of length: Int) -> Range<Int>? {
        guard field.hasPrefix("bytes="), !field.contains(",") else { return nil }
        let ends = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty {
            guard let count = Int(ends[1]) else { return nil }
            return max(0, length - count)..<length
        }
        guard let first = Int(ends[0]) else { return nil }
        let last = Int(ends[1]) ?? length - 1
        guard first < length else { return 0..<0 }
        return last < first ? nil : first..<min(last + 1, length)
    }
}
