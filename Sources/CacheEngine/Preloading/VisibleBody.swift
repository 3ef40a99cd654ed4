import HTTPTypes

/// The content of a page's exchange from the network, which counts as visible traffic until it ends.
final class VisibleBody: TrailerSource {
    private let source: any BodySource
    private let traffic: VisibleTraffic
    private let visit: VisibleTraffic.Visit

    init(_ source: any BodySource, _ traffic: VisibleTraffic, _ visit: VisibleTraffic.Visit) {
        (self.source, self.traffic, self.visit) = (source, traffic, visit)
    }

    deinit { traffic.end(visit) }

    var trailers: HTTPFields? { (source as? any TrailerSource)?.trailers }

    func next() async throws -> [UInt8]? {
        do {
            let bytes = try await source.next()
            if bytes == nil { traffic.end(visit) }
            return bytes
        } catch {
            traffic.end(visit)
            throw error
        }
    }

    func cancel() {
        source.cancel()
        traffic.end(visit)
    }
}
