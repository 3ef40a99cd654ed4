import CacheEngine
import HTTPCacheSemantics
import HTTPTypes

/// The final head of a response, as a session reports it.
struct TaskHead: Sendable {
    var response: HTTPResponse
    /// How many bytes of content the connection carries; `nil` if that is not known.
    var contentLength: Int64?
    /// Whether the session hands its content over without its codings.
    var isDecoded: Bool

    /// - Parameters:
    ///   - fields: Names and values in any order, several lines of a name joined with commas.
    ///   - method: The request's.
    /// - Returns: `nil` for what is no status code of a final response.
    init?(status: Int, fields: [(String, String)], to method: HTTPRequest.Method) {
        guard (200..<1_000).contains(status) else { return nil }
        let status = HTTPResponse.Status(code: status)
        response = HTTPResponse(status: status, headerFields: Self.fields(fields))
        // RFC 9112 §6.3 rules 1 and 6.
        let isEmpty = method == .head || [.noContent, .notModified].contains(status)
        let stated = response.headerFields[.contentLength].flatMap { Self.length($0) }
        if stated == nil { response.headerFields[.contentLength] = nil }
        // A length that was overridden by a transfer coding is not handed on (RFC 9112 §6.3).
        if response.headerFields.contains(.transferEncoding) { response.headerFields[.contentLength] = nil }
        contentLength = isEmpty ? 0 : response.headerFields.contains(.contentLength) ? stated : nil
        if let contentLength, !isEmpty { response.headerFields[.contentLength] = String(contentLength) }
        isDecoded =
            !isEmpty && DecodingTransport.isDecoded(response.headerFields, by: URLSessionCodings.decoded)
    }

    /// An interim response; `nil` for other status codes.
    static func interim(status: Int, fields: [(String, String)]) -> HTTPResponse? {
        guard (100..<200).contains(status) else { return nil }
        return HTTPResponse(status: .init(code: status), headerFields: Self.fields(fields))
    }

    /// In the order of their names: a session keeps them in a dictionary, without order.
    private static func fields(_ received: [(String, String)]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in received.sorted(by: { $0.0 < $1.0 }) {
            guard let name = HTTPField.Name(name) else { continue }
            guard name == .setCookie else {
                fields.append(HTTPField(name: name, value: value))
                continue
            }
            for line in SetCookieLines.split(value) { fields.append(HTTPField(name: name, value: line)) }
        }
        return fields
    }

    /// RFC 9110 §8.6: a list of equal values may be taken for the value; any other is no length.
    private static func length(_ value: String) -> Int64? {
        let members = Set(ListField.members([value]))
        guard members.count == 1, let only = members.first, only.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(only)
    }
}
