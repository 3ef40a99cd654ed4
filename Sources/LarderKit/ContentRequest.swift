#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import CacheEngine
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import URLSessionCaching

/// A `URLRequest` as the engine takes it, and as each redirect changes it.
struct ContentRequest: Sendable {
    private(set) var head: HTTPRequest
    private(set) var url: URL
    private var content: [UInt8]?
    /// Content that can be sent once.
    private var streamed: RequestBody?
    let mode: CacheMode
    /// The longest that nothing may come.
    let timeout: Duration

    /// Belong to the connection, or follow from the request.
    private static let reserved: [HTTPField.Name] = [.init("Host"), .contentLength].compactMap { $0 }

    /// - Parameter streamed: The content, if it is a stream.
    init(_ request: URLRequest, streamed: RequestBody? = nil) throws(EngineError) {
        guard let url = request.url else {
            throw EngineError(code: .invalidRequest, message: "The request has no URL.")
        }
        guard request.httpBodyStream == nil || streamed != nil else {
            throw EngineError(
                code: .invalidRequest,
                message: "A stream as the body can't be sent again after a redirect; give the content as httpBody.")
        }
        guard let method = HTTPRequest.Method(rawValue: request.httpMethod ?? "GET") else {
            throw EngineError(code: .invalidRequest, message: "'\(request.httpMethod ?? "")' is no HTTP method.")
        }
        var head = try HTTPRequest(getting: url)
        head.method = method
        var fields = try Self.fields(request.allHTTPHeaderFields ?? [:])
        // A part of an encoded content can't be decoded.
        if fields.contains(.range), !fields.contains(.acceptEncoding) { fields[.acceptEncoding] = "identity" }
        head.headerFields = fields
        self.head = head
        self.url = url
        content = request.httpBody.map { Array($0) }
        self.streamed = streamed
        mode = CacheMode(request.cachePolicy)
        timeout = RequestTimeout.of(seconds: request.timeoutInterval)
    }

    private static func fields(_ values: [String: String]) throws(EngineError) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(name) else {
                throw EngineError(code: .invalidRequest, message: "'\(name)' is no name of an HTTP field.")
            }
            fields.append(HTTPField(name: name, value: value))
        }
        HopByHopFields.remove(from: &fields)
        for name in reserved { fields[name] = nil }
        return fields
    }

    var body: RequestBody? {
        streamed ?? content.map { RequestBody(ResponseBody.bytes($0).makeSource(), length: Int64($0.count)) }
    }

    /// Whether the app decodes the content itself.
    var takesContentAsSent: Bool { head.headerFields.contains(.acceptEncoding) }

    /// Whether an answer only says where the content is.
    static func isRedirect(_ answer: HTTPResponse) -> Bool {
        answer.status.isRedirect && answer.headerFields.contains(.location)
    }

    /// The request that follows a redirect, as in Fetch §4.4, "HTTP-redirect fetch".
    ///
    /// - Returns: `nil` where the answer is no redirect.
    func redirected(by answer: HTTPResponse) throws(EngineError) -> ContentRequest? {
        guard Self.isRedirect(answer), let location = answer.headerFields[.location] else { return nil }
        let base = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "/")"
        guard let uri = TargetURI.resolve(location, against: base), let target = URL(string: uri),
            var following = try? HTTPRequest(getting: target)
        else {
            throw EngineError(
                code: .redirectRefused, message: "'\(base)' redirects to what is no http or https URL.")
        }
        (following.method, following.headerFields) = (head.method, head.headerFields)
        var next = self
        let code = answer.status.code
        if code <= 302 && head.method == .post || code == 303 && ![.get, .head].contains(head.method) {
            following.method = .get
            (next.content, next.streamed) = (nil, nil)
            for name in [.contentEncoding, .contentLanguage, .contentLocation, .contentType] as [HTTPField.Name] {
                following.headerFields[name] = nil
            }
        }
        if following.scheme != head.scheme || following.authority?.lowercased() != head.authority?.lowercased() {
            // RFC 9110 §15.4: what was meant for one origin is not for another.
            for name in [.authorization, .cookie, .proxyAuthorization] as [HTTPField.Name] {
                following.headerFields[name] = nil
            }
        }
        (next.head, next.url) = (following, target)
        return next
    }
}
