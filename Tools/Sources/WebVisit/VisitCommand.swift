/// A line from the tool to the web-view process.
///
/// Each line is an object with one member, named after the case:
///
///     {"visit": {"url": "https://shop.test/", "proxy": "http://127.0.0.1:4711"}} {"trust": {"id": 1, "host":
///     "cdn.test", "certificatePEM": "-----BEGIN CERTIFICATE-----…"}} {"clear": {"kinds": ["cookies", "localStorage"],
///     "dataDirectory": "/home/me/web-data"}} {"session": {"view": {"url": "about:blank"}, "mode": "appScheme",
///     "cache": {"storeDirectory": "/tmp/store", …}, …}} {"step": {"id": 1, "step": {"open": {"url":
///     "https://shop.test/"}}}} {"end": {}}
///
/// The first line is the visit, the session or the clearing, and there is only one. Steps follow a session. The end of
/// the input ends a session, and cancels what else there is.
package enum VisitCommand: Hashable, Sendable, Codable {
    /// Open a page.
    case visit(VisitRequest)
    /// Accept a certificate from now on.
    case trust(TrustRequest)
    /// Remove what a data directory holds, and open no page.
    case clear(WebsiteDataClearing)
    /// Keep a web view for many steps.
    case session(SessionRequest)
    /// Do this in the session.
    case step(SessionCommand)
    /// End the session when its steps have ended.
    case end

    private enum Key: String, CodingKey { case visit, trust, clear, session, step, end }
    private struct Empty: Codable {}

    /// Decodes the one member of a line.
    package init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: Key.self)
        switch line.allKeys.first {
        case .visit: self = .visit(try line.decode(VisitRequest.self, forKey: .visit))
        case .trust: self = .trust(try line.decode(TrustRequest.self, forKey: .trust))
        case .clear: self = .clear(try line.decode(WebsiteDataClearing.self, forKey: .clear))
        case .session: self = .session(try line.decode(SessionRequest.self, forKey: .session))
        case .step: self = .step(try line.decode(SessionCommand.self, forKey: .step))
        case .end: self = .end
        case nil:
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "Expected visit, trust, clear, session, step or end."))
        }
    }

    /// Encodes the command as an object with one member.
    package func encode(to encoder: any Encoder) throws {
        var line = encoder.container(keyedBy: Key.self)
        switch self {
        case .visit(let request): try line.encode(request, forKey: .visit)
        case .trust(let request): try line.encode(request, forKey: .trust)
        case .clear(let clearing): try line.encode(clearing, forKey: .clear)
        case .session(let request): try line.encode(request, forKey: .session)
        case .step(let command): try line.encode(command, forKey: .step)
        case .end: try line.encode(Empty(), forKey: .end)
        }
    }
}
