import CacheEngine
import HTTPTypes

/// The receiver of what a ``Load`` loads.
///
/// Everything is called on the load's ``LoadThread``, in this order: the head once, pieces, then either ``finish()`` or
/// ``fail(_:)`` once. `fail` may also come first or between pieces. Where ``followsRedirects`` is true,
/// ``redirect(_:_:)`` may come once before all of these. Nothing is called after the end, nor after ``Load/stop()``.
package protocol LoadClient: Sendable {
    /// Whether redirects are told, rather than given as answers.
    var followsRedirects: Bool { get }
    /// Whether nothing is wanted for now. Looked at ten times a second after a piece with ``LoadDemand/whenResumed``.
    var isSuspended: Bool { get }

    func receive(_ head: HTTPResponse)
    /// The next piece of the content, never empty.
    func receive(_ piece: [UInt8]) -> LoadDemand
    /// - Parameter head: The head of the redirect.
    func redirect(_ redirect: LoadRedirect, _ head: HTTPResponse)
    func finish()
    func fail(_ failure: LoadFailure)
}

extension LoadClient {
    package var followsRedirects: Bool { false }
    package var isSuspended: Bool { false }
    package func redirect(_ redirect: LoadRedirect, _ head: HTTPResponse) {}
}

/// Whether a client can take more of the content.
package enum LoadDemand: Hashable, Sendable {
    /// The next call may follow at once. `WKURLSchemeTask` offers nothing else.
    case more
    /// The next call has to wait for ``Load/proceed()``.
    case later
    /// The next call has to wait until ``LoadClient/isSuspended`` is false.
    case whenResumed
}

/// Why a client gets no answer, or only a part of one.
package enum LoadFailure: Error {
    /// There is no answer.
    case unanswered(any Error)
    /// The content broke off after the head.
    case contentBroken(any Error)
    /// Nothing came for this time, or the whole load took longer.
    case timedOut(Duration)
}

/// The request that follows a redirect, as changes of the one before.
package struct LoadRedirect: Hashable, Sendable {
    /// Where to.
    package var url: String
    package var method: String
    /// Fields that the next request does not have (Fetch §4.4, "HTTP-redirect fetch").
    package var removedFields: [String]
    /// Whether the content is to be sent again; otherwise there is none.
    package var keepsContent: Bool

    package init(url: String, method: String, removedFields: [String], keepsContent: Bool) {
        self.url = url
        self.method = method
        self.removedFields = removedFields
        self.keepsContent = keepsContent
    }
}

/// The answer to a load, now or later.
package enum LoadAnswer: Sendable {
    /// The answer is at hand. With content in memory it is delivered before ``Load/start()`` returns, without a `Task`.
    case ready(LoadResponse)
    /// The response counts where the client does not follow the redirect.
    case redirect(LoadRedirect, LoadResponse)
    case failed(any Error)
    /// The closure runs in a `Task` of its own, which is cancelled when the load is stopped.
    indirect case pending(@Sendable () async -> LoadAnswer)

    /// Frees content that nobody will read.
    package func discard() {
        switch self {
        case .ready(let response), .redirect(_, let response): response.body.discard()
        case .failed, .pending: break
        }
    }
}

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
