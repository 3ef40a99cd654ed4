import CacheEngine
import HTTPTypes
import NIOHTTP1

/// Heads between the currency types and those of NIOHTTP1.
enum WireHead {
    static func make(_ request: TransportRequest) -> HTTPRequestHead {
        var headers = HTTPHeaders()
        headers.reserveCapacity(request.head.headerFields.count + 2)
        headers.add(name: "Host", value: request.head.authority ?? "")
        for field in request.head.headerFields where field.name != .contentLength {
            headers.add(name: field.name.rawName, value: field.value)
        }
        if let body = request.body {
            if let length = body.length {
                headers.add(name: "Content-Length", value: String(length))
            } else {
                headers.add(name: "Transfer-Encoding", value: "chunked")
            }
        } else if request.head.headerFields.contains(.contentLength) {
            // The client said that there is no content, which some methods need said (RFC 9110 §8.6).
            headers.add(name: "Content-Length", value: "0")
        }
        return HTTPRequestHead(
            version: .http1_1, method: .init(rawValue: request.head.method.rawValue), uri: request.head.path ?? "/",
            headers: headers)
    }

    static func read(_ head: HTTPResponseHead) -> HTTPResponse {
        var fields = HTTPFields()
        fields.reserveCapacity(head.headers.count)
        for (name, value) in head.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        let code = min(999, max(0, Int(head.status.code)))
        return HTTPResponse(
            status: .init(code: code, reasonPhrase: head.status.reasonPhrase), headerFields: fields)
    }
}
