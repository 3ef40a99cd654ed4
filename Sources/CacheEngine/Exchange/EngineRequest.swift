import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

package struct EngineRequest: Sendable {
    /// With scheme, authority and path; hop-by-hop fields already removed.
    package var head: HTTPRequest
    package var body: RequestBody?
    package var context: ExchangeContext
    /// Called for the origin's interim responses, see ``TransportRequest/onInterim``.
    package var onInterim: (@Sendable (HTTPResponse) -> Void)?
    /// The store's answer to the same request without its cookies; `nil` if it was not asked.
    package internal(set) var lookedUp: LookedUp?
    /// The answer to the same request, which has not come in time.
    var late: LateAnswer?

    package init(
        head: HTTPRequest, body: RequestBody? = nil, context: ExchangeContext = .init(),
        onInterim: (@Sendable (HTTPResponse) -> Void)? = nil
    ) {
        self.head = head
        self.body = body
        self.context = context
        self.onInterim = onInterim
    }
}

/// The entries that the store has under a key, until an exchange for that key ends.
package struct LookedUp: Sendable {
    let key: CacheKey
    let entries: [StoredEntry]
    /// ``CollapseTable/completions(of:)`` before the look-up.
    let completions: UInt64
}

/// The engine's answer to one request.
package struct EngineResponse: Sendable {
    /// The head, without `Cache-Status`: the sender decides whether the client may see that.
    package var head: HTTPResponse
    /// The content. The recipient has to read it to its end or cancel it.
    package var body: ResponseBody
    /// How this cache handled the request.
    package var cacheStatus: CacheStatus
    /// Why ``head`` is an error answer of the cache's own; `nil` otherwise.
    package var failure: EngineError?

    package init(head: HTTPResponse, body: ResponseBody, cacheStatus: CacheStatus, failure: EngineError? = nil) {
        self.head = head
        self.body = body
        self.cacheStatus = cacheStatus
        self.failure = failure
    }

    /// The answer to a validation in the background when another request for the key is in flight. No client sees it.
    static var unneeded: EngineResponse {
        EngineResponse(head: HTTPResponse(status: .noContent), body: .empty, cacheStatus: CacheStatus())
    }
}

/// The circumstances of an exchange, besides the request itself.
package struct ExchangeContext: Sendable {
    /// Which web view or connection asks; a label for reports.
    package var view: String
    /// The URL of the top-level document that the request belongs to, by which files find their page where no `Referer`
    /// names it; `nil` if unknown, as it is behind a proxy.
    package var document: String?
    /// The partition of the store, see `CacheKey.partition`.
    package var partition: String
    /// The site of the top-level document if the request is for a sub-resource of another site, see `CacheKey.site`.
    /// Empty, as it is unless set, for documents, for requests within one site, and where the document is unknown:
    /// these share what is stored. A preload names the site of the page that it is for.
    package var site: String
    package var destination: Destination
    package var connectivity: Connectivity
    /// The request's cache mode (Fetch §2.2.5), which counts besides its fields.
    package var mode: CacheMode
    /// The longest wait for the head of the origin's final response; `nil` for the transport's own limit. If more than
    /// one request is sent, such as a HEAD before the GET, they share it.
    package var timeout: Duration?
    /// Whether this is a validation in the background, whose answer no client waits for.
    package internal(set) var isBackground = false
    /// Whether only the origin's answer is of use, so that nothing stored takes its place where a reload fails.
    var isRefresh = false
    /// Set for what is fetched ahead of need.
    package var preload: PreloadTerms?
    /// Fields of stored responses that are left out on reuse; none unless set. Web views name `Set-Cookie` here:
    /// replaying it would roll a session back. A named departure from RFC 9111 §3.1.
    package var fieldsOmittedFromHits: Set<HTTPField.Name>
    /// Whether a stored response answers a request with `Origin` only where its `Access-Control-Allow-Origin` names
    /// that origin or all, or where the origin is its own. Web views set it: when a server names one origin and forgets
    /// `Vary: Origin`, the next origin would get a response that it may not read, and its fetch would fail. Such a
    /// request is forwarded, and its response replaces the stored one. Off unless set, as RFC 9111 alone has it.
    package var checksAllowedOrigin = false
    /// How answers tell the web view's own cache to use them; as stated unless set.
    package var upperCache = UpperCache.asStated

    package init(
        view: String = "", document: String? = nil, partition: String = "", site: String = "",
        destination: Destination = .unknown,
        connectivity: Connectivity = .connected, mode: CacheMode = .protocolDefault, timeout: Duration? = nil,
        fieldsOmittedFromHits: Set<HTTPField.Name> = []
    ) {
        self.mode = mode
        self.timeout = timeout
        self.view = view
        self.document = document
        self.partition = partition
        self.site = site
        self.destination = destination
        self.connectivity = connectivity
        self.fieldsOmittedFromHits = fieldsOmittedFromHits
    }
}
