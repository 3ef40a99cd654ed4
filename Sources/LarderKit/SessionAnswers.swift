#if canImport(FoundationNetworking)
import Fetching
import FoundationNetworking
#endif
import CacheEngine
import Foundation
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.
import HTTPTypes
import URLSessionCaching

/// Answers requests of the app's sessions: as ``ContentReader`` does, but as a stream, and redirects are handed up.
struct SessionAnswers: Sendable {
    let cache: ResponseCache
    /// Of every request but for what it says itself.
    let context: ExchangeContext

    func answer(_ request: URLRequest, _ streamed: RequestBody?) async -> LoadAnswer {
        do throws(EngineError) {
            let asked = try ContentRequest(request, streamed: streamed)
            var context = context
            (context.mode, context.timeout) = (asked.mode, asked.timeout)
            return try await answer(to: asked, context)
        } catch {
            return .failure(error)
        }
    }

    private func answer(to asked: ContentRequest, _ context: ExchangeContext) async throws(EngineError) -> LoadAnswer {
        let answer = try await respond(to: await asked.engineRequest(cache, context))
        if let redirect = try asked.loadRedirect(by: answer.head) {
            // Read, so that it is stored: whoever follows it wants none of it.
            let content = try? await answer.body.collect(upTo: Self.greatestBesideRedirect)
            return .redirect(redirect, answer.head, content.map { .bytes($0) } ?? .empty)
        }
        if asked.takesContentAsSent { return .response(answer.head, answer.body) }
        if let decoded = Self.decoded(answer) { return decoded }
        LoadAnswer.response(answer.head, answer.body).discard()
        // The origin sent what it was not asked for.
        guard let plainRequest = asked.engineRequestWithoutCoding(context) else { throw asked.unreadable(answer.head) }
        let plain = try await respond(to: plainRequest)
        guard let decoded = Self.decoded(plain) else {
            LoadAnswer.response(plain.head, plain.body).discard()
            throw asked.unreadable(plain.head)
        }
        return decoded
    }

    /// What stands beside a redirect is for people.
    private static let greatestBesideRedirect = ByteCount.kibibytes(64)

    private func respond(to request: EngineRequest) async throws(EngineError) -> EngineResponse {
        var answer = await cache.respond(to: request)
        if var failure = answer.failure {
            LoadAnswer.response(answer.head, answer.body).discard()
            if (failure.cause as? TransportError)?.code == .timedOut { failure.code = .timedOut }
            throw failure
        }
        answer.head.headerFields.append(ContentReader.field(answer.cacheStatus))
        return answer
    }

    /// - Returns: `nil` where the content has a coding that can't be taken off.
    private static func decoded(_ answer: EngineResponse) -> LoadAnswer? {
        if case .empty = answer.body { return .response(answer.head, .empty) }
        guard let decoded = DecodedHead(answer.head) else { return nil }
        return .response(decoded.head, decoded.decode(answer.body))
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
