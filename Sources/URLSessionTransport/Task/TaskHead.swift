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

    /// - Parameter fields: Names and values in any order, several lines of a name joined with commas.
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

/// A session's task, as far as it is driven here. Nothing is told to it after its end.
package protocol NetworkTask: Sendable {
    func resume()
    func suspend()
    func cancel()
}

/// The lines of `Set-Cookie` that a session has joined into one value.
///
/// RFC 9110 §5.3 forbids to join them, because a date in `Expires` has a comma of its own; sessions do it all the same.
enum SetCookieLines {
    /// Splits at the commas after which a new cookie begins: a name, which is a token, and "=" (RFC 6265 §4.1.1). What
    /// follows the comma of a date is a number and a space. A cookie's value may not contain a comma by the grammar;
    /// one that does, followed by what looks like a cookie, is split wrongly.
    static func split(_ joined: String) -> [String] {
        var (lines, scanner) = ([""], ByteScanner(joined))
        while true {
            lines[lines.count - 1] += scanner.text { $0 != 0x2C }
            guard scanner.take(",") else { return lines.map { ListField.trimmed($0) }.filter { !$0.isEmpty } }
            var ahead = scanner
            ahead.skipWhitespace()
            if ahead.token() != nil, ahead.peek == 0x3D { lines.append("") } else { lines[lines.count - 1] += "," }
        }
    }
}
