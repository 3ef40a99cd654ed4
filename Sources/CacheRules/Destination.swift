/// What a request's response is for: the request destinations of the Fetch standard, §2.2.5.
public enum Destination: String, Hashable, Sendable, CaseIterable {
    case document, iframe, script, style, image, font, audio, video, track, worker
    case sharedWorker = "sharedworker"
    case serviceWorker = "serviceworker"
    case manifest, object, embed, report
    /// `fetch()`, `XMLHttpRequest`, beacons, `EventSource`: the empty destination.
    case fetch = "empty"
    /// Not known: the client sent no `Sec-Fetch-Dest`.
    case unknown

    /// - Parameter secFetchDest: The value of `Sec-Fetch-Dest` (Fetch Metadata, §2.1).
    public init(secFetchDest: String?) {
        self = secFetchDest.flatMap { Destination(rawValue: $0) } ?? .unknown
    }

    /// - Parameter name: As ``description`` has it.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.description == name }) else { return nil }
        self = found
    }

    /// Whether a person sees the response as a page, so that an error should be one too.
    public var isPage: Bool { self == .document || self == .iframe }
}

/// The name in a rules file: that of the Fetch standard, and `fetch` for the destination that is empty there.
extension Destination: CustomStringConvertible {
    public var description: String { self == .fetch ? "fetch" : rawValue }
}
