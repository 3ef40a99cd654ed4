import HTTPCacheSemantics
import ResponseStore

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

    var statusCode: Int {
        switch self {
        case .atOnce(let answer): answer.template.head.status.code
        case .composed(let response): response.head.status.code
        }
    }

    /// In bytes.
    var contentLength: Int64 {
        switch self {
        case .atOnce(let answer): Int64(answer.region.count)
        case .composed(let response): response.body.length ?? 0
        }
    }
}
