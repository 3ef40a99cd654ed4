/// A line from the tool to the web-view process.
///
/// Each line is an object with one member, named after the case:
///
///     {"visit": {"url": "https://shop.test/", "proxy": "http://127.0.0.1:4711"}}
///     {"trust": {"id": 1, "host": "cdn.test", "certificatePEM": "-----BEGIN CERTIFICATE-----…"}}
///     {"clear": {"kinds": ["cookies", "localStorage"], "dataDirectory": "/home/me/web-data"}}
///     {"cancel": {}}
///
/// The first line is the visit or the clearing, and there is only one. The end of the input means `cancel`.
public enum VisitCommand: Hashable, Sendable, Codable {
    /// Open a page.
    case visit(VisitRequest)
    /// Accept a certificate from now on.
    case trust(TrustRequest)
    /// Remove what a data directory holds, and open no page.
    case clear(WebsiteDataClearing)
    /// Give up; the process ends at once.
    case cancel

    private enum Key: String, CodingKey { case visit, trust, clear, cancel }
    private struct Empty: Codable {}

    /// Decodes the one member of a line.
    public init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: Key.self)
        switch line.allKeys.first {
        case .visit: self = .visit(try line.decode(VisitRequest.self, forKey: .visit))
        case .trust: self = .trust(try line.decode(TrustRequest.self, forKey: .trust))
        case .clear: self = .clear(try line.decode(WebsiteDataClearing.self, forKey: .clear))
        case .cancel: self = .cancel
        case nil:
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "Expected visit, trust, clear or cancel."))
        }
    }

    /// Encodes the command as an object with one member.
    public func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: Key.self)
        switch self {
        case .visit(let request): try line.encode(request, forKey: .visit)
        case .trust(let request): try line.encode(request, forKey: .trust)
        case .clear(let clearing): try line.encode(clearing, forKey: .clear)
        case .cancel: try line.encode(Empty(), forKey: .cancel)
        }
    }
}
