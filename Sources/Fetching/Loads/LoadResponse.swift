import CacheEngine
import HTTPTypes

/// A head and content. The content is read to its end or cancelled, whatever happens to the load.
package struct LoadResponse: Sendable {
    package var head: HTTPResponse
    package var body: ResponseBody

    package init(head: HTTPResponse, body: ResponseBody) {
        self.head = head
        self.body = body
    }
}

extension ResponseBody {
    /// Frees a stream that nobody will read.
    package func discard() {
        if case .stream(let source, _) = self { source.cancel() }
    }
}
