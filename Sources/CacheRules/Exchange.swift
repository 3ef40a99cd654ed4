import HTTPCacheSemantics
import HTTPTypes

/// The input of a rule.
///
/// The engine evaluates rules up to three times: before the look-up, with the head of the selected stored response, and
/// with the head of the origin's response.
public struct Exchange: Sendable {
    /// The presented request.
    public var request: HTTPRequest
    /// The request's destination.
    public var destination: Destination
    /// The state of the network.
    public var connectivity: Connectivity
    /// Status and fields of the stored or received response; `nil` until one is known.
    public var response: HTTPResponse?
    /// Whether the host is known to have sent other bytes under a name with a content hash: then none of its names
    /// counts as hashed.
    package var distrustsHashedNames: Bool

    public init(
        request: HTTPRequest, destination: Destination, connectivity: Connectivity, response: HTTPResponse? = nil,
        distrustsHashedNames: Bool = false
    ) {
        self.request = request
        self.destination = destination
        self.connectivity = connectivity
        self.response = response
        self.distrustsHashedNames = distrustsHashedNames
    }
}
