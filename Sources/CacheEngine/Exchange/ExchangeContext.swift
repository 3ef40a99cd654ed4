import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// What is known about an exchange besides the request itself.
public struct ExchangeContext: Sendable {
    /// Which web view or connection asks; a label for reports.
    public var client: String
    /// The partition of the store, see `CacheKey.partition`.
    public var partition: String
    public var destination: Destination
    public var connectivity: Connectivity
    /// How the request wants the cache to be used, besides what its fields say.
    public var mode: CacheMode
    /// How long the origin may take until the head of its final response; `nil` for the transport's own limit. Where more
    /// than one request is sent, such as a HEAD before the GET, they share it.
    public var timeout: Duration?
    /// Whether nobody waits for the answer: a validation in the background.
    public internal(set) var isBackground = false
    /// Fields of stored responses that are not replayed on reuse. Web views set `Set-Cookie`: replaying it would roll
    /// a session back. A named departure from RFC 9111 §3.1, off by default.
    public var fieldsNotReused: Set<HTTPField.Name>
    /// Whether a stored response answers a request with `Origin` only where its `Access-Control-Allow-Origin` names that
    /// origin or all, or where the origin is its own. Web views set it: of a server that names one origin and forgets
    /// `Vary: Origin`, the next origin would get what it may not read, and its fetch fail. Such a request is forwarded, and
    /// its response takes the place of the stored one. RFC 9111 alone, so off, unless set.
    public var checksAllowedOrigin = false

    public init(
        client: String = "", partition: String = "", destination: Destination = .unknown,
        connectivity: Connectivity = .connected, mode: CacheMode = .protocolDefault, timeout: Duration? = nil,
        fieldsNotReused: Set<HTTPField.Name> = []
    ) {
        self.mode = mode
        self.timeout = timeout
        self.client = client
        self.partition = partition
        self.destination = destination
        self.connectivity = connectivity
        self.fieldsNotReused = fieldsNotReused
    }
}
