#if Proxy
import HTTPTypes
import NIOHTTP1

/// Fields between NIOHTTP1's type and the currency type.
enum WireFields {
    /// All but `Host`, which the currency type carries as the authority.
    static func read(_ headers: HTTPHeaders) -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(headers.count + 1)
        for (name, value) in headers where name.lowercased() != "host" {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }

    static func responseHead(_ response: HTTPResponse) -> HTTPResponseHead {
        var headers = HTTPHeaders()
        headers.reserveCapacity(response.headerFields.count + 3)
        for field in response.headerFields { headers.add(name: field.name.rawName, value: field.value) }
        let known = HTTPResponseStatus(statusCode: response.status.code)
        let reason = response.status.reasonPhrase
        let status =
            reason.isEmpty || reason == known.reasonPhrase
            ? known : HTTPResponseStatus.custom(code: UInt(response.status.code), reasonPhrase: reason)
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
#endif
