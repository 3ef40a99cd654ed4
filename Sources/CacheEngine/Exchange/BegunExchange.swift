import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// How far an exchange has come at once.
package enum BegunExchange: Sendable {
    /// The exchange is over and reported; only its answer has to be sent.
    case answered(ImmediateAnswer)
    /// The exchange has to go on. Use it once.
    indirect case underWay(RunningExchange)
}

/// An answer from a stored response.
enum AnsweredExchange {
    /// With a head that many answers from this response share.
    case atOnce(ImmediateAnswer)
    /// With a head of its own.
    case composed(EngineResponse)

    var response: EngineResponse {
        switch self {
        case .atOnce(let answer): answer.response
        case .composed(let response): response
        }
    }
}

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

    package var response: EngineResponse {
        let body = content.map { ResponseBody($0, in: region) } ?? .empty
        return EngineResponse(head: head, body: body, cacheStatus: cacheStatus)
    }
}
