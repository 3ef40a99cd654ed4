#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import CacheEngine
import Decoding
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
            // Foundation can read every URL that has passed the web's rules for URLs.
            (next.head, next.url) = (step, URL(string: TargetURI.strict(step.targetURL)) ?? url)
            if head.method != step.method { (next.content, next.streamed) = (nil, nil) }
        } catch {
            throw EngineError(code: .redirectRefused, message: error.message, cause: error)
        }
        return next
    }
}

/// The content codings that a request accepts where its answer is decoded here.
extension ContentRequest {
    /// As a stored response was asked for, if there is one that can be read; else in what can be decoded. Unchanged
    /// where the app decodes the content itself.
    func engineRequest(_ cache: ResponseCache, _ context: ExchangeContext) async -> EngineRequest {
        var request = EngineRequest(head: head, body: body, context: context)
        if takesContentAsSent { return request }
        let stored = head.method == .get ? await cache.variants(of: request) : []
        request.head.headerFields[.acceptEncoding] = ContentCodings.acceptEncoding(
            for: head.headerFields, isSecure: head.scheme != "http")
        // A web view's cookies and passwords are its own: what they selected is asked for anew, without them.
        let readable = stored.first { variant in
            ContentCodings(variant.response.fields) != nil
                && [HTTPField.Name.cookie, .authorization].allSatisfy {
                    variant.request.head.headerFields[values: $0] == head.headerFields[values: $0]
                }
        }
        if let readable { request.head = readable.request.head }
        return request
    }

    func unreadable(_ answer: HTTPResponse) -> EngineError {
        EngineError(
            code: .contentUnreadable,
            message: "The content has the coding '\(answer.headerFields[.contentEncoding] ?? "")', which can't be "
                + "decoded here; ask for it with an Accept-Encoding of your own to get it as it is.")
    }
}

extension HTTPRequest {
    /// A GET of a URL, without its user, password and fragment.
    ///
    /// - Throws: `EngineError` for what is no http or https URL.
    init(getting url: URL) throws(EngineError) {
        let text = url.absoluteString
        guard let parts = TargetURI.split(text), ["http", "https"].contains(parts.scheme) else {
            throw EngineError(code: .invalidRequest, message: "'\(text)' is no http or https URL.")
        }
        self.init(method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path)
    }
}

extension CacheMode {
    /// The mode that a `URLRequest` asks for. By name: the raw values on Linux are not those on Apple's platforms.
    init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .useProtocolCachePolicy: self = .protocolDefault
        case .reloadIgnoringLocalCacheData: self = .reloadIgnoringLocal
        case .reloadIgnoringLocalAndRemoteCacheData: self = .reload
        case .returnCacheDataElseLoad: self = .preferStored
        case .returnCacheDataDontLoad: self = .onlyIfStored
        case .reloadRevalidatingCacheData: self = .revalidate
        @unknown default: self = .protocolDefault
        }
    }
}
