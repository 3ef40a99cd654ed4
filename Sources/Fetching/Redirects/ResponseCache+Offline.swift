import CacheEngine
import HTTPTypes

extension ResponseCache {
    /// Whether stored responses would answer a GET with content if there were no network, redirects included. Sends,
    /// stores and reports nothing. Fields that select among stored responses and that the request lacks are taken from
    /// those, as in ``explain(_:)``; it is enough that one of them answers.
    package func isAvailableOffline(_ request: EngineRequest) async -> Bool {
        var request = request
        request.context.connectivity = .disconnected
        var chain = RedirectChain(request.head.targetURL)
        while let stored = await storedAnswer(toVariantsOf: request) {
            let head = HTTPResponse(status: stored.status, headerFields: stored.fields)
            guard stored.status.isRedirect else { return stored.status.kind == .successful }
            guard let step = try? chain.next(after: request.head, head) else { return false }
            request.head = step.head
        }
        return false
    }
}
