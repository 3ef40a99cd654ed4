import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// An answer from a stored response at hand, in parts that need no copying.
package struct ImmediateAnswer: Sendable {
    /// The head, except for what the other properties say.
    package let template: AnswerTemplate
    /// The value of `Age`, in seconds.
    package let age: Int64
    /// The value of `Content-Range` in a 206, otherwise `nil`.
    package let contentRange: String?
    /// The stored content; `nil` for an answer without any.
    package let content: StoredContent?
    /// The part of ``content`` that the answer sends, in bytes.
    package let region: Range<Int64>
    /// How this cache handled the request.
    package let cacheStatus: CacheStatus

    /// The whole head, without `Cache-Status`.
    package var head: HTTPResponse {
        var head = template.head
        head.headerFields[.age] = String(age)
        if let contentRange {
            head.headerFields[.contentRange] = contentRange
            head.headerFields[.contentLength] = String(region.count)
        }
        return head
    }

    /// The same answer as a response of the engine.
    package var response: EngineResponse {
        let body: ResponseBody =
            switch content {
            case nil: .empty
            case .bytes(let bytes)?: .bytes(bytes, in: region)
            case .file(let file)?: .file(file, region)
            }
        return EngineResponse(head: head, body: body, cacheStatus: cacheStatus)
    }
}
