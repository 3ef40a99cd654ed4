import CacheEngine
import Decoding
import HTTPCacheSemantics
import HTTPTypes

/// The head of a response whose content codings are taken off, and the content that belongs to it.
package struct DecodedHead: Sendable {
    /// Content in memory of up to this size is decoded at once, so that a hit needs no `Task`: 32 KiB in, 256 KiB out.
    private static let (atOnce, mostAtOnce) = (32_768, ByteCount.kibibytes(256))

    /// Without `Content-Encoding`, and without what is true of the coded content only: its length, its digests
    /// and `Accept-Ranges`; the entity tag is weak.
    ///
    /// A response without codings keeps its head, but for `Content-Encoding: identity`; a name of no coding stays, as
    /// Fetch has it.
    package let head: HTTPResponse
    package let codings: ContentCodings

    /// - Returns: `nil` if the content can't be decoded: an unknown coding, too many of them, or a
    ///   part of coded content. Requests with ``ContentCodings/acceptEncoding(for:)`` avoid these.
    package init?(_ head: HTTPResponse) {
        guard let codings = ContentCodings(head.headerFields) else { return nil }
        guard codings.isEmpty || head.status != .partialContent else { return nil }
        var decoded = head
        if !codings.isEmpty { decoded.headerFields.describeOtherForm() }
        if !codings.saysNothing { decoded.headerFields[.contentEncoding] = nil }
        self.head = decoded
        self.codings = codings
    }

    /// - Parameters:
    ///   - body: The content that came with the head; read by what is returned.
    ///   - passesOnOthers: Whether content that is said to be gzip and does not begin so goes on as it is, as in
    ///     WebKitGTK.
    package func decode(
        _ body: ResponseBody, limits: DecodingLimits = DecodingLimits(), passesOnOthers: Bool = false
    ) -> ResponseBody {
        guard !codings.isEmpty else { return body }
        switch body {
        case .empty: return .empty
        case .bytes(let bytes) where bytes.count <= Self.atOnce:
            var short = limits
            short.total = min(limits.total, Self.mostAtOnce)
            if let decoded = try? ContentDecoding.decode(bytes, codings, limits: short) { return .bytes(decoded) }
            // Longer content is streamed, and damaged content as far as it goes.
            return stream(body, limits, passesOnOthers)
        case .bytes, .file, .stream: return stream(body, limits, passesOnOthers)
        }
    }

    private func stream(_ body: ResponseBody, _ limits: DecodingLimits, _ passesOnOthers: Bool) -> ResponseBody {
        let decoding = DecodingBody(
            body.makeSource(), codings: codings, limits: limits, passesOnOthers: passesOnOthers)
        return .stream(decoding, length: nil)
    }
}

extension EngineRequest {
    /// The request for content without codings, after a response whose content can't be decoded: a stored one without
    /// `Vary: Accept-Encoding` may have any coding, and comes back where the origin confirms it.
    ///
    /// - Returns: `nil` where the content is decoded or not read, and for what changes something at the origin: that is
    ///   not sent twice (RFC 9110 §9.2.2).
    package func withoutCodings(after response: EngineResponse) -> EngineRequest? {
        guard response.failure == nil, !response.head.status.isRedirect, DecodedHead(response.head) == nil,
            body == nil, head.method == .get || head.method == .head
        else { return nil }
        response.body.discard()
        var request = self
        request.head.headerFields[.acceptEncoding] = "identity"
        if context.mode != .onlyIfStored { request.context.mode = .reload }
        return request
    }
}
