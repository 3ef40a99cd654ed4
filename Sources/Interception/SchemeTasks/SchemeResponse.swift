import CacheEngine
import HTTPTypes

/// The answer to a scheme task: a head and content.
package struct SchemeResponse: Sendable {
    package var head: HTTPResponse
    /// ``SchemeTaskDriver`` reads a stream to its end or cancels it, whatever happens to the task.
    package var body: ResponseBody

    package init(head: HTTPResponse, body: ResponseBody) {
        self.head = head
        self.body = body
    }
}

extension ResponseBody {
    /// Frees a stream that nobody will read.
    func discard() {
        if case .stream(let source, _) = self { source.cancel() }
    }
}
