import CacheEngine
import Decoding
import HTTPCacheSemantics
import HTTPTypes

/// What a request says of content codings where its answer is decoded here.
extension ContentRequest {
    /// As a stored response was asked for, if there is one that can be read; else in gzip. Unchanged where the app decodes
    /// the content itself.
    func engineRequest(_ cache: ResponseCache, _ context: ExchangeContext) async -> EngineRequest {
        var request = EngineRequest(head: head, body: body, context: context)
        if takesContentAsSent { return request }
        let stored = head.method == .get ? await cache.variants(of: request) : []
        request.head.headerFields[.acceptEncoding] = "gzip"
        // A web view's cookies and passwords are its own: what they selected is asked for anew, without them.
        let isOwn = { (variant: StoredVariant) in
            [HTTPField.Name.cookie, .authorization].allSatisfy {
                variant.request.head.headerFields[values: $0] == head.headerFields[values: $0]
            }
        }
        if let readable = stored.first(where: { ContentCodings($0.response.fields) != nil && isOwn($0) }) {
            request.head = readable.request.head
        }
        return request
    }

    /// For content in a coding that was not asked for and can't be taken off.
    ///
    /// - Returns: `nil` where the request may not be sent again: only a GET may (RFC 9110 §9.2.2).
    func engineRequestWithoutCoding(_ context: ExchangeContext) -> EngineRequest? {
        guard head.method == .get else { return nil }
        var request = EngineRequest(head: head, context: context)
        request.head.headerFields[.acceptEncoding] = "identity"
        request.context.mode = .reload
        return request
    }

    func unreadable(_ answer: HTTPResponse) -> EngineError {
        EngineError(
            code: .contentUnreadable,
            message: "The content has the coding '\(answer.headerFields[.contentEncoding] ?? "")', which can't be "
                + "decoded here; ask for it with an Accept-Encoding of your own to get it as it is.")
    }
}
