/// A line from the web-view process to the tool.
///
/// Each line is an object with one member, named after the case:
///
///     {"trusted": {"id": 1}}
///     {"finished": {"requestedURL": "https://shop.test/", …}}
///     {"cleared": {}}
///     {"failed": {"code": "noDisplay", "message": "…"}}
///     {"ready": {}}
///     {"stepped": {"id": 1, "seen": {…}, …}}
///     {"exchange": {"url": "https://shop.test/", "outcome": "hit", …}}
///     {"notice": {"external": {"url": "tel:+4912345", "isNewWindow": false}}}
///
/// `finished`, `cleared` or `failed` is the last line, and the process then ends with status 0 or 1. So does a session
/// when its commands end. A process that ends otherwise without any has crashed.
package enum VisitEvent: Hashable, Sendable, Codable {
    /// A certificate is accepted from now on, in the process that opens connections too.
    case trusted(id: Int)
    /// The visit has a result; a page that did not load is one.
    case finished(VisitResult)
    /// The data to be removed is gone.
    case cleared
    /// The session takes steps.
    case ready
    /// A step has ended; a page that did not load is a result.
    case stepped(SessionResult)
    /// The cache has answered a request, or given up.
    case exchange(ExchangeLine)
    case notice(SessionNotice)
    /// There was no visit, or nothing was removed, and why.
    case failed(VisitFailure)

    private enum Key: String, CodingKey { case trusted, finished, cleared, failed, ready, stepped, exchange, notice }
    private struct Acknowledgement: Codable { var id: Int }
    private struct Empty: Codable {}

    /// Decodes the one member of a line.
    package init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: Key.self)
        switch line.allKeys.first {
        case .trusted: self = .trusted(id: try line.decode(Acknowledgement.self, forKey: .trusted).id)
        case .finished: self = .finished(try line.decode(VisitResult.self, forKey: .finished))
        case .cleared: self = .cleared
        case .ready: self = .ready
        case .stepped: self = .stepped(try line.decode(SessionResult.self, forKey: .stepped))
        case .exchange: self = .exchange(try line.decode(ExchangeLine.self, forKey: .exchange))
        case .notice: self = .notice(try line.decode(SessionNotice.self, forKey: .notice))
        case .failed: self = .failed(try line.decode(VisitFailure.self, forKey: .failed))
        case nil:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: "Expected the name of an event."))
        }
    }

    /// Encodes the event as an object with one member.
    package func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: Key.self)
        switch self {
        case .trusted(let id): try line.encode(Acknowledgement(id: id), forKey: .trusted)
        case .finished(let result): try line.encode(result, forKey: .finished)
        case .cleared: try line.encode(Empty(), forKey: .cleared)
        case .ready: try line.encode(Empty(), forKey: .ready)
        case .stepped(let result): try line.encode(result, forKey: .stepped)
        case .exchange(let exchange): try line.encode(exchange, forKey: .exchange)
        case .notice(let notice): try line.encode(notice, forKey: .notice)
        case .failed(let failure): try line.encode(failure, forKey: .failed)
        }
    }
}
