import CacheEngine
import Foundation
import HTTPCacheSemantics
import HTTPTypes

/// Reads what a request of the app leads to: behind its redirects, decoded.
struct ContentReader: Sendable {
    struct Content: Sendable {
        var head: HTTPResponse
        var bytes: [UInt8]
        /// Where it came from, behind the redirects.
        var url: URL
    }

    /// As many redirects are followed one after the other, as in Fetch §4.4.
    static let mostRedirects = 20
    /// A transport has the time-out as well, and when it is over a stored response may answer, where that is allowed. So
    /// the reader waits a little longer for a response's head.
    static let grace = Duration.seconds(1)

    let cache: ResponseCache
    /// Of every request that is made, redirects included.
    let context: ExchangeContext
    /// The field that says how the cache answered (RFC 9211).
    private static let cacheStatus = HTTPField.Name("Cache-Status")

    /// The most that is read, decoded.
    let limit: ByteCount
    let timer: ProgressTimer

    func content(for request: ContentRequest) async throws(EngineError) -> Content {
        var asked = request
        for _ in 0...Self.mostRedirects {
            let (head, bytes) = try await answer(to: asked)
            guard let next = try asked.redirected(by: head) else {
                return Content(head: head, bytes: bytes, url: asked.url)
            }
            asked = next
        }
        throw EngineError(
            code: .redirectRefused,
            message: "'\(request.url.absoluteString)' leads to more than \(Self.mostRedirects) redirects.")
    }

    /// One answer and its content, decoded unless the request says which codings it takes.
    private func answer(to asked: ContentRequest) async throws(EngineError) -> (HTTPResponse, [UInt8]) {
        var request = EngineRequest(head: asked.head, body: asked.body, context: context)
        if asked.takesContentAsSent { return try await read(request) }
        let stored = asked.head.method == .get ? await cache.variants(of: request) : []
        request.head.headerFields[.acceptEncoding] = "gzip"
        // As the stored response was asked for, if there is one that can be read.
        if let readable = stored.first(where: { ContentDecoder($0.response.fields) != nil }) {
            request.head = readable.request.head
        }
        let (head, bytes) = try await read(request)
        // What stands beside a redirect is for people.
        if bytes.isEmpty || ContentRequest.isRedirect(head) { return (head, bytes) }
        if let decoded = try decode(head, bytes) { return decoded }
        // The origin sent what it was not asked for. Only a GET may be sent again (RFC 9110 §9.2.2).
        guard asked.head.method == .get else { throw Self.unreadable(head) }
        request.head = asked.head
        request.head.headerFields[.acceptEncoding] = "identity"
        request.context.mode = .reload
        let (plainHead, plain) = try await read(request)
        guard let decoded = try decode(plainHead, plain) else { throw Self.unreadable(plainHead) }
        return decoded
    }

    /// - Returns: `nil` where the content has a coding that can't be taken off.
    private func decode(_ head: HTTPResponse, _ bytes: [UInt8]) throws(EngineError) -> (HTTPResponse, [UInt8])? {
        guard let decoder = ContentDecoder(head.headerFields) else { return nil }
        guard head.headerFields.contains(.contentEncoding) else { return (head, bytes) }
        var head = head
        // They would describe what the app does not get.
        (head.headerFields[.contentEncoding], head.headerFields[.contentLength]) = (nil, nil)
        return (head, try decoder.decode(bytes, upTo: limit))
    }

    private static func unreadable(_ head: HTTPResponse) -> EngineError {
        EngineError(
            code: .contentUnreadable,
            message: "The content has the coding '\(head.headerFields[.contentEncoding] ?? "")', which can't be "
                + "decoded here; ask for it with an Accept-Encoding of your own to get it as it is.")
    }

    private func read(_ request: EngineRequest) async throws(EngineError) -> (HTTPResponse, [UInt8]) {
        timer.restart(grace: Self.grace)
        let answer = await cache.respond(to: request)
        timer.restart()
        if var failure = answer.failure {
            if (failure.cause as? TransportError)?.code == .timedOut { failure.code = .timedOut }
            throw failure
        }
        var head = answer.head
        if let name = Self.cacheStatus {
            head.headerFields.append(HTTPField(name: name, value: answer.cacheStatus.description))
        }
        return (head, try await bytes(of: answer.body))
    }

    private func bytes(of body: ResponseBody) async throws(EngineError) -> [UInt8] {
        let source = body.makeSource()
        var all: [UInt8] = []
        do {
            while let piece = try await source.next() {
                timer.restart()
                guard Int64(all.count + piece.count) <= limit.bytes else {
                    throw EngineError(code: .bodyTooLarge, message: "The content is longer than \(limit).")
                }
                all += piece
            }
            return all
        } catch {
            source.cancel()
            throw EngineError(whileReading: error)
        }
    }
}
