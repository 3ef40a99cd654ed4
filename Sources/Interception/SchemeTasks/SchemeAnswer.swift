import CacheEngine
import HTTPTypes

/// The answer to a scheme task: a head and content.
public struct SchemeResponse: Sendable {
    public var head: HTTPResponse
    /// ``SchemeTaskDriver`` reads a stream to its end or cancels it, whatever happens to the task.
    public var body: ResponseBody

    public init(head: HTTPResponse, body: ResponseBody) {
        self.head = head
        self.body = body
    }
}

/// What a scheme task is answered with, now or later.
public enum SchemeAnswer: Sendable {
    /// The answer is at hand. With content in memory it is delivered before ``SchemeTaskDriver/start(_:_:answer:)``
    /// returns, without a `Task`.
    case ready(SchemeResponse)
    /// The closure runs in a `Task` of its own, which is cancelled when the task is stopped.
    case pending(@Sendable () async -> Result<SchemeResponse, SchemeTaskError>)
    case failed(SchemeTaskError)
}

extension ResponseBody {
    /// Frees a stream that nobody will read.
    func discard() {
        if case .stream(let source, _) = self { source.cancel() }
    }
}
