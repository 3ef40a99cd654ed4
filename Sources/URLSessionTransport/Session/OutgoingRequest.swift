import CacheEngine
import Foundation
import HTTPCacheSemantics
import HTTPTypes

extension URLRequest {
    /// A request as a session takes it.
    ///
    /// - Throws: `TransportError` for an address that can't be put on the wire.
    init(_ request: TransportRequest) throws {
        let head = request.head
        let path = head.path.flatMap { $0.isEmpty ? nil : $0 } ?? "/"
        let authority = head.authority ?? ""
        let text = "\(head.scheme ?? "")://\(authority)\(path)"
        guard !authority.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let url = URL(string: TargetURI.strict(text))
        else {
            throw TransportError(
                code: .malformedRequest,
                message: "The address has octets that no URI may have; percent-encode them (RFC 3986 §2.1).")
        }
        self.init(url: url)
        httpMethod = head.method.rawValue
        for field in Self.fields(head.headerFields, request.body, head.method) {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
    }

    private static func fields(
        _ fields: HTTPFields, _ body: RequestBody?, _ method: HTTPRequest.Method
    ) -> HTTPFields {
        var fields = fields
        // The session frames the content: by this length where there is one, else in chunks or frames.
        (fields[.transferEncoding], fields[.contentLength]) = (nil, nil)
        if let body {
            fields[.contentLength] = body.length.map { String($0) }
        } else if [.post, .put, .patch].contains(method) {
            // RFC 9110 §8.6: "A user agent SHOULD send Content-Length in a request when the method defines a meaning".
            fields[.contentLength] = "0"
        }
        return fields
    }
}

/// A class of `URLProtocol` that answers from a cache whose network may be this transport.
package protocol AnswersForSessions: AnyObject {}

extension URLSessionConfiguration {
    /// Takes out the classes through which a session would ask the cache that asks it.
    package func removeAnsweringProtocols() {
        protocolClasses = protocolClasses?.filter { !($0 is any AnswersForSessions.Type) }
    }
}

/// The content codings that URLSession takes off unasked.
package enum URLSessionCodings {
    /// gzip and deflate since ever, br since iOS 11 and macOS 10.13. Not verified on a device.
    package static let decoded: Set<String> = ["gzip", "deflate", "br"]
}
