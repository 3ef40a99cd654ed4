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
    /// Whether the stored response was last confirmed before the page came that asks for it.
    package var isOlderThanPage = false
    /// Whether the stored response is a file of a manifest that was fetched with another query.
    package var isOfOtherQuery = false

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

/// A request's destination, Fetch standard §2.2.5: what its response is for.
public enum Destination: String, Hashable, Sendable, CaseIterable {
    case document, iframe, script, style, image, font, audio, video, track, worker
    case sharedWorker = "sharedworker"
    case serviceWorker = "serviceworker"
    case manifest, object, embed, report
    /// `fetch()`, `XMLHttpRequest`, beacons, `EventSource`: the empty destination.
    case fetch = "empty"
    /// Unknown: the client sent no `Sec-Fetch-Dest`.
    case unknown

    /// - Parameter secFetchDest: The value of `Sec-Fetch-Dest` (Fetch Metadata, §2.1).
    public init(secFetchDest: String?) {
        self = secFetchDest.flatMap { Destination(rawValue: $0) } ?? .unknown
    }

    /// - Parameter name: A name as in ``description``.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.description == name }) else { return nil }
        self = found
    }

    /// Whether the response is displayed as a page, so that an error should be a page too.
    package var isPage: Bool { self == .document || self == .iframe }
}

/// The name in a rules file: that of the Fetch standard, and `fetch` for its empty destination.
extension Destination: CustomStringConvertible {
    public var description: String { self == .fetch ? "fetch" : rawValue }
}
