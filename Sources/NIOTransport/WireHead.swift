#if Proxy
import CacheEngine
import CachingProxy
import HTTPTypes

/// A request's head as it goes to an origin.
enum WireHead {
    /// - Throws: ``TransportError`` when the target can't be put on the wire.
    static func make(_ request: TransportRequest) throws -> (head: RequestHead, framing: MessageFraming) {
        let target = request.head.path.flatMap { $0.isEmpty ? nil : $0 } ?? "/"
        let host = request.head.authority ?? ""
        guard (target + host).utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw TransportError(
                code: .malformedRequest,
                message: "The address has octets that no URI may have; percent-encode them (RFC 3986 §2.1).")
        }
        let head = RequestHead(
            method: request.head.method, target: target, host: host, fields: fields(of: request.head))
        return (head, framing(of: request))
    }

    /// RFC 6265 §5.4: "the user agent MUST NOT attach more than one Cookie header field". `HTTPFields` splits the value
    /// at its semicolons, as HTTP/2 does (RFC 9113 §8.2.3).
    private static func fields(of head: HTTPRequest) -> HTTPFields {
        var fields = head.headerFields
        let cookies = fields[values: .cookie]
        if cookies.count > 1 { fields[values: .cookie] = [cookies.joined(separator: "; ")] }
        return fields
    }

    /// RFC 9112 §6.3, from the sender's side.
    private static func framing(of request: TransportRequest) -> MessageFraming {
        if let body = request.body { return body.length.map { .length($0) } ?? .chunked }
        // RFC 9110 §8.6: "A user agent SHOULD send Content-Length in a request when the method defines a meaning for
        // enclosed content and it is not sending Transfer-Encoding", and who has said 0 meant it.
        let expectsContent = [.post, .put, .patch].contains(request.head.method)
        return expectsContent || request.head.headerFields.contains(.contentLength) ? .length(0) : .none
    }
}
#endif
