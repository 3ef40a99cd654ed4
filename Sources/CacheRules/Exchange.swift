import HTTPCacheSemantics
import HTTPTypes

/// What a rule may look at before anything was looked up or sent.
public struct Exchange: Sendable {
    /// The presented request.
    public var request: HTTPRequest
    /// What the response is for.
    public var destination: Destination
    /// Whether the network can be used.
    public var connectivity: Connectivity

    public init(request: HTTPRequest, destination: Destination, connectivity: Connectivity) {
        self.request = request
        self.destination = destination
        self.connectivity = connectivity
    }
}
