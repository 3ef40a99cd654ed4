#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import CacheEngine
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import URLSessionCaching

/// A `URLRequest` as the engine takes it, and as each redirect changes it.
struct ContentRequest: Sendable {
    private(set) var head: HTTPRequest
    private(set) var url: URL
    private var chain: RedirectChain
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
        chain = RedirectChain(head.targetURL)
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

    /// The request that follows a redirect.
    ///
    /// - Returns: `nil` where the answer is no redirect.
    func redirected(by answer: HTTPResponse) throws(EngineError) -> ContentRequest? {
        var next = self
        do throws(FetchError) {
            guard let step = try next.chain.next(after: head, answer) else { return nil }
            // What the web's rules for URLs have passed, Foundation can read.
            (next.head, next.url) = (step.head, URL(string: step.url) ?? url)
            if head.method != step.head.method { (next.content, next.streamed) = (nil, nil) }
        } catch {
            throw EngineError(code: .redirectRefused, message: error.message, cause: error)
        }
        return next
    }
}
