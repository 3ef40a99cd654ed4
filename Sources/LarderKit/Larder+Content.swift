import CacheEngine
import HTTPCacheSemantics
import HTTPTypes

/// What the app asks for itself, rather than a page of it.
extension Larder {
    /// As many redirects are followed one after the other, as in Fetch §4.4.
    static let mostRedirects = 20

    /// The content at an http or https URL, decoded, with redirects followed.
    ///
    /// The store answers as it would a web view: what one has stored as gzip or deflate is decoded here. Other codings can't
    /// be; the origin is then asked for the content as it is (`Accept-Encoding: identity`).
    ///
    /// - Parameters:
    ///   - fields: Of the request; `Authorization` and `Cookie` go no further than the URL's own origin. With an
    ///     `Accept-Encoding` among them, the content comes as it is encoded.
    ///   - limit: The most that is read into memory, decoded; 64 MiB unless set.
    /// - Throws: `EngineError`: no answer could be had, not the whole of one, one that can't be decoded, one longer than the
    ///   limit, or behind more than twenty redirects. A status such as 404 is no error; use
    ///   ``response(for:body:destination:mode:)`` to see it.
    public func data(
        for url: String, fields: HTTPFields = [:], upTo limit: ByteCount = .mebibytes(64)
    ) async throws -> [UInt8] {
        var head = try Self.get(url)
        head.headerFields = fields
        for _ in 0...Self.mostRedirects {
            let (answer, content) = try await content(for: head, upTo: limit)
            guard let location = Self.redirection(answer) else { return content }
            head = try Self.redirected(head, to: location)
        }
        throw EngineError(
            code: .redirectRefused, message: "'\(url)' leads to more than \(Self.mostRedirects) redirects.")
    }

    /// Where an answer says that the content is, where it is no content itself.
    private static func redirection(_ answer: HTTPResponse) -> String? {
        [301, 302, 303, 307, 308].contains(answer.status.code) ? answer.headerFields[.location] : nil
    }

    private static func redirected(_ head: HTTPRequest, to location: String) throws(EngineError) -> HTTPRequest {
        let base = "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "/")"
        guard let uri = TargetURI.resolve(location, against: base), let target = try? get(uri) else {
            throw EngineError(
                code: .redirectRefused, message: "'\(base)' leads to what is no http or https URL.")
        }
        var next = target
        next.headerFields = head.headerFields
        if next.scheme != head.scheme || next.authority?.lowercased() != head.authority?.lowercased() {
            // RFC 9110 §15.4: what was meant for one origin is not for another.
            for name in [.authorization, .cookie, .proxyAuthorization] as [HTTPField.Name] {
                next.headerFields[name] = nil
            }
        }
        return next
    }

    /// One answer and its content, decoded unless the request says which codings it takes.
    private func content(
        for head: HTTPRequest, upTo limit: ByteCount
    ) async throws(EngineError) -> (HTTPResponse, [UInt8]) {
        if head.headerFields.contains(.acceptEncoding) {
            let answer = await response(for: head)
            return (answer.head, try await Self.bytes(of: answer, upTo: limit))
        }
        var asked = engineRequest(head, nil, .unknown, .protocolDefault)
        let stored = await cache.variants(of: asked)
        asked.head.headerFields[.acceptEncoding] = "gzip"
        // As the stored response was asked for, if there is one that can be read.
        if let readable = stored.first(where: { ContentDecoder($0.response.fields) != nil }) {
            asked = readable.request
        }
        let answer = await cache.respond(to: asked)
        let bytes = try await Self.bytes(of: answer, upTo: limit)
        // What is said beside a redirect is for people.
        if Self.redirection(answer.head) != nil { return (answer.head, bytes) }
        if let decoder = ContentDecoder(answer.head.headerFields) {
            return (answer.head, try decoder.decode(bytes, upTo: limit))
        }
        var plain = head
        plain.headerFields[.acceptEncoding] = "identity"
        let again = await response(for: plain, mode: .reload)
        let content = try await Self.bytes(of: again, upTo: limit)
        guard let decoder = ContentDecoder(again.head.headerFields) else {
            throw EngineError(
                code: .contentUnreadable,
                message:
                    "The content has the coding '\(again.head.headerFields[.contentEncoding] ?? "")', which is not "
                    + "gzip or deflate; ask for it with an Accept-Encoding of your own to get it as it is.")
        }
        return (again.head, try decoder.decode(content, upTo: limit))
    }

    private static func bytes(of answer: EngineResponse, upTo limit: ByteCount) async throws(EngineError) -> [UInt8] {
        if let failure = answer.failure { throw failure }
        do {
            return try await answer.body.collect(upTo: limit)
        } catch {
            throw EngineError(whileReading: error)
        }
    }
}
