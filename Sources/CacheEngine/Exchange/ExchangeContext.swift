import CacheRules
import HTTPTypes

/// What is known about an exchange besides the request itself.
public struct ExchangeContext: Sendable {
    /// Which web view or connection asks; a label for reports.
    public var client: String
    /// The partition of the store, see `CacheKey.partition`.
    public var partition: String
    public var destination: Destination
    public var connectivity: Connectivity
    /// Fields of stored responses that are not replayed on reuse. Web views set `Set-Cookie`: replaying it would roll
    /// a session back. A named departure from RFC 9111 §3.1, off by default.
    public var fieldsNotReused: Set<HTTPField.Name>

    public init(
        client: String = "", partition: String = "", destination: Destination = .unknown,
        connectivity: Connectivity = .connected, fieldsNotReused: Set<HTTPField.Name> = []
    ) {
        self.client = client
        self.partition = partition
        self.destination = destination
        self.connectivity = connectivity
        self.fieldsNotReused = fieldsNotReused
    }
}
