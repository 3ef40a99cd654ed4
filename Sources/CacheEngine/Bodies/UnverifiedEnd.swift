import HTTPTypes

/// A body whose unverified end is an end to its reader, as it is to a web view without a cache.
///
/// RFC 9112 §9.8: "A response that has neither chunked transfer coding nor Content-Length is complete only if a valid
/// closure alert has been received"; many servers send none, and user agents show such responses all the same.
struct UnverifiedEnd: TrailerSource {
    private let source: any BodySource

    init(_ source: any BodySource) { self.source = source }

    static func isMeant(by error: any Error) -> Bool { (error as? TransportError)?.code == .endUnverified }

    func next() async throws -> [UInt8]? {
        do { return try await source.next() } catch  where Self.isMeant(by: error) { return nil }
    }

    var trailers: HTTPFields? { (source as? any TrailerSource)?.trailers }

    func cancel() { source.cancel() }
}
