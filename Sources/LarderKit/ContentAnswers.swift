#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import CacheEngine
import Decoding
import Fetching
import Foundation
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.
import HTTPTypes

/// Answers requests of the app: those of its sessions one by one, and those of ``Larder/data(for:upTo:)`` with all of
/// the content behind their redirects.
struct ContentAnswers: Sendable {
    /// Limits a redirect's own content, which is only for people to read.
    private static let greatestBesideRedirect = ByteCount.kibibytes(64)

    let cache: ResponseCache
    /// Applies to every request, except where the request says otherwise.
    let context: ExchangeContext
    var limits = DecodingLimits()

    // MARK: One request

    func answer(_ request: URLRequest, _ streamed: RequestBody?) async -> LoadAnswer {
        do throws(EngineError) {
            return await answer(to: try ContentRequest(request, streamed: streamed))
        } catch {
            return .failed(error)
        }
    }

    private func answer(to asked: ContentRequest) async -> LoadAnswer {
        var context = context
        (context.mode, context.timeout) = (asked.mode, asked.timeout)
        do throws(EngineError) {
            return try await answer(to: asked, context)
        } catch {
            return .failed(error)
        }
    }

    private func answer(to asked: ContentRequest, _ context: ExchangeContext) async throws(EngineError) -> LoadAnswer {
        let request = await asked.engineRequest(cache, context)
        var answer = try await respond(to: request)
        if let redirect = try asked.loadRedirect(by: answer.head) {
            // Read, so that it is stored: whoever follows it wants none of it.
            let content = try? await answer.body.collect(upTo: Self.greatestBesideRedirect)
            let body = content.map { ResponseBody.bytes($0) } ?? .empty
            return .redirect(redirect, LoadResponse(head: answer.head, body: body))
        }
        if asked.takesContentAsSent { return .ready(LoadResponse(head: answer.head, body: answer.body)) }
        if case .empty = answer.body { return .ready(LoadResponse(head: answer.head, body: .empty)) }
        if let plain = request.withoutCodings(after: answer) { answer = try await respond(to: plain) }
        guard let decoded = DecodedHead(answer.head) else {
            answer.body.discard()
            throw asked.unreadable(answer.head)
        }
        return .ready(LoadResponse(head: decoded.head, body: decoded.decode(answer.body, limits: limits)))
    }

    private func respond(to request: EngineRequest) async throws(EngineError) -> EngineResponse {
        var answer = await cache.respond(to: request)
        if var failure = answer.failure {
            answer.body.discard()
            if (failure.cause as? TransportError)?.code == .timedOut { failure.code = .timedOut }
            throw failure
        }
        // The field that says how the cache answered (RFC 9211).
        answer.head.headerFields.append(HTTPField(name: .cacheStatus, value: answer.cacheStatus.description))
        return answer
    }

    // MARK: All of the content

    /// - Parameter limit: The most that is read, decoded.
    /// - Returns: The content and its response, whose URL is the one behind the redirects.
    func content(
        for request: ContentRequest, upTo limit: ByteCount, clock: EngineClock
    ) async throws(EngineError) -> (Data, HTTPURLResponse) {
        var answers = self
        answers.limits.total = limit
        var asked = request
        while true {
            // A task that is cancelled already sends nothing.
            guard !Task.isCancelled else { throw EngineError(loading: CancellationError()) }
            let reader = LoadReader.begin(
                .pending { [asked, answers] in await answers.answer(to: asked) }, timeout: asked.timeout, clock: clock)
            do {
                let part = try await reader.next()
                if case .head(let head)? = part {
                    let bytes = try await reader.content(upTo: limit)
                    return (Data(bytes), try HTTPURLResponse.make(head, from: asked.url))
                }
                reader.cancel()
                guard case .redirect(_, let head)? = part, let next = try asked.redirected(by: head) else {
                    throw CancellationError()
                }
                asked = next
            } catch {
                reader.cancel()
                throw EngineError(loading: error)
            }
        }
    }
}

extension ContentRequest {
    /// The request that follows a redirect, as changes of this one.
    ///
    /// - Returns: `nil` where the answer is no redirect.
    fileprivate func loadRedirect(by answer: HTTPResponse) throws(EngineError) -> LoadRedirect? {
        guard let next = try redirected(by: answer) else { return nil }
        let removed = Set(head.headerFields.map(\.name)).subtracting(next.head.headerFields.map(\.name))
        return LoadRedirect(
            url: next.url.absoluteString, method: next.head.method.rawValue,
            removedFields: removed.map(\.rawName).sorted(), keepsContent: next.body != nil)
    }
}
