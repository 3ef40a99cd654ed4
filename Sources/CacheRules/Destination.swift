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
