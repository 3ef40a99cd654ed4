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
    ///   - isForgiving: See ``ContentDecoding``.
    package func decode(
        _ body: ResponseBody, limits: DecodingLimits = DecodingLimits(), isForgiving: Bool = false
    ) -> ResponseBody {
        guard !codings.isEmpty else { return body }
        if case .empty = body { return .empty }
        if case .bytes(let bytes) = body, bytes.count <= Self.atOnce {
            var short = limits
            short.total = min(limits.total, Self.mostAtOnce)
            // Longer content is streamed, and damaged content as far as it goes.
            if let decoded = try? ContentDecoding.decode(bytes, codings, limits: short) { return .bytes(decoded) }
        }
        let decoding = DecodingBody(body.makeSource(), codings: codings, limits: limits, isForgiving: isForgiving)
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

/// The type of a document that its server does not name: WHATWG MIME Sniffing §7.1, "rules for identifying an unknown
/// MIME type". A web view's own network does so; what a scheme handler answers without a type it opens as nothing.
package enum DocumentType {
    /// Whether a response is to be saved: "Unknown or unhandled disposition types SHOULD be handled … the same way as
    /// attachment" (RFC 6266 §4.2). A value that begins with no type says nothing.
    package static func isAttachment(_ fields: HTTPFields) -> Bool {
        let type = fields[.contentDisposition].map { value in
            FetchText.lowercased(ListField.trimmed(Substring(value.utf8.prefix { $0 != 0x3B })))
        }
        guard let type, HTTPField.Name(type) != nil else { return false }
        return type != "inline"
    }

    /// As many bytes as decide, "resource header".
    package static let headerLength = 1_445

    /// The type that a server names, with its parameters: the last one of several (Fetch §2.2.2, "extract a MIME
    /// type").
    ///
    /// - Returns: `nil` for none, and for what says as much (MIME Sniffing §7).
    package static func named(by fields: HTTPFields) -> String? {
        guard let essence = fields.mediaType, essence != "unknown/unknown", essence != "application/unknown" else {
            return nil
        }
        let values = fields[values: .contentType].flatMap { $0.split(separator: ",") }.map {
            ListField.trimmed($0)
        }
        return values.count > 1 ? values.last { MediaTypeKind.essence($0) == essence } : fields[.contentType]
    }

    /// - Parameters:
    ///   - header: The first bytes of the content, up to ``headerLength``.
    ///   - mayBeScriptable: Whether it may be a type that runs scripts: not with `nosniff`.
    package static func sniffed(_ header: some Collection<UInt8>, mayBeScriptable: Bool) -> String {
        let bytes = Array(header.prefix(headerLength))
        if mayBeScriptable {
            let text = bytes.drop { isSpace($0) }
            if htmlStarts.contains(where: { isMarkup($0, at: text) }) || starts(text, with: "<!--") {
                return "text/html"
            }
            if starts(text, with: "<?xml") { return "text/xml" }
        }
        if starts(bytes[...], with: "%PDF-") { return "application/pdf" }
        if marks.contains(where: { bytes.starts(with: $0) }) { return "text/plain" }
        for (type, start) in images where bytes.starts(with: start) { return type }
        if bytes.count >= 14, starts(bytes[...], with: "RIFF"), starts(bytes[8...], with: "WEBPVP") {
            return "image/webp"
        }
        return bytes.contains(where: isBinary) ? "application/octet-stream" : "text/plain"
    }

    /// Before a space or `>`, in any case.
    private static let htmlStarts = [
        "<!DOCTYPE HTML", "<HTML", "<HEAD", "<SCRIPT", "<IFRAME", "<H1", "<DIV", "<FONT", "<TABLE", "<A", "<STYLE",
        "<TITLE", "<B", "<BODY", "<BR", "<P",
    ]
    /// Byte order marks.
    private static let marks: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE], [0xEF, 0xBB, 0xBF]]
    /// §6.1.
    private static let images: [(type: String, start: [UInt8])] = [
        ("image/x-icon", [0, 0, 1, 0]), ("image/x-icon", [0, 0, 2, 0]), ("image/bmp", Array("BM".utf8)),
        ("image/gif", Array("GIF87a".utf8)), ("image/gif", Array("GIF89a".utf8)),
        ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), ("image/jpeg", [0xFF, 0xD8, 0xFF]),
    ]

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte) }

    /// §3, "binary data byte".
    private static func isBinary(_ byte: UInt8) -> Bool {
        byte <= 0x08 || byte == 0x0B || (0x0E...0x1A).contains(byte) || (0x1C...0x1F).contains(byte)
    }

    private static func isMarkup(_ start: String, at text: ArraySlice<UInt8>) -> Bool {
        let next = text.dropFirst(start.utf8.count).first
        guard next == 0x20 || next == 0x3E else { return false }
        return zip(start.utf8, text).allSatisfy { wanted, found in
            wanted == ((0x61...0x7A).contains(found) ? found - 0x20 : found)
        }
    }

    private static func starts(_ bytes: ArraySlice<UInt8>, with text: String) -> Bool { bytes.starts(with: text.utf8) }
}
