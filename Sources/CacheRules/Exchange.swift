import HTTPCacheSemantics
import HTTPTypes

/// What a rule may look at.
///
/// The engine asks up to three times: before anything was looked up, with the head of the stored response that would be
/// used, and with the head that the origin sent.
public struct Exchange: Sendable {
    /// The presented request.
    public var request: HTTPRequest
    /// What the response is for.
    public var destination: Destination
    /// Whether the network can be used.
    public var connectivity: Connectivity
    /// The stored or received response's status and fields; `nil` as long as none is known.
    public var response: HTTPResponse?
    /// Whether the host has sent other bytes under a name with a content hash before: then none of its names counts as
    /// hashed.
    public var distrustsHashedNames: Bool

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
