import CacheEngine
import Fetching
import Foundation
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.
import HTTPTypes
import URLSessionCaching

/// Reads what a request of the app leads to: behind its redirects, decoded.
struct ContentReader: Sendable {
    struct Content: Sendable {
        var head: HTTPResponse
        var bytes: [UInt8]
        /// Where it came from, behind the redirects.
        var url: URL
    }

    /// A transport has the time-out as well, and when it is over a stored response may answer, where that is allowed. So
    /// the reader waits a little longer for a response's head.
    static let grace = Duration.seconds(1)

    let cache: ResponseCache
    /// Of every request that is made, redirects included.
    let context: ExchangeContext
    /// The field that says how the cache answered (RFC 9211).
    static func field(_ status: CacheStatus) -> HTTPField {
        HTTPField(name: .cacheStatus, value: status.description)
    }

    /// The most that is read, decoded.
    let limit: ByteCount
    let timer: ProgressTimer

    func content(for request: ContentRequest) async throws(EngineError) -> Content {
        var asked = request
        while true {
            let (head, bytes) = try await answer(to: asked)
            guard let next = try asked.redirected(by: head) else {
                return Content(head: head, bytes: bytes, url: asked.url)
            }
            asked = next
        }
    }

    /// One answer and its content, decoded unless the request says which codings it takes.
    private func answer(to asked: ContentRequest) async throws(EngineError) -> (HTTPResponse, [UInt8]) {
        let request = await asked.engineRequest(cache, context)
        let (head, bytes) = try await read(request)
        if asked.takesContentAsSent { return (head, bytes) }
        // What stands beside a redirect is for people.
        if bytes.isEmpty || RedirectChain.isRedirect(head) { return (head, bytes) }
        if let decoded = try decode(head, bytes) { return decoded }
        // The origin sent what it was not asked for. Only a GET may be sent again (RFC 9110 §9.2.2).
        guard let plainRequest = asked.engineRequestWithoutCoding(context) else { throw asked.unreadable(head) }
        let (plainHead, plain) = try await read(plainRequest)
        guard let decoded = try decode(plainHead, plain) else { throw asked.unreadable(plainHead) }
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

    private func read(_ request: EngineRequest) async throws(EngineError) -> (HTTPResponse, [UInt8]) {
        timer.restart(grace: Self.grace)
        let answer = await cache.respond(to: request)
        timer.restart()
        if var failure = answer.failure {
            if (failure.cause as? TransportError)?.code == .timedOut { failure.code = .timedOut }
            throw failure
        }
        var head = answer.head
        head.headerFields.append(Self.field(answer.cacheStatus))
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
