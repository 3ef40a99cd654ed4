import CacheEngine
import CacheRules
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import PageRewriting

/// A response to a page at the app-cache scheme, classified for turning its addresses.
struct RewrittenContent {
    let kind: PageRewriter.Kind
    /// Whether it is surely UTF-8.
    let isUTF8: Bool

    /// - Parameters:
    ///   - request: Where `Sec-Fetch-Dest` is missing, as WebKit has none at an app's own scheme, `Accept` tells what
    ///     scripts fetch, which has to come unchanged: WebKit asks for style sheets with `text/css`.
    /// - Returns: `nil` for what is delivered as it is: other types, parts, encodings in which a byte of ASCII may mean
    ///   something else, and what a script reads.
    init?(_ response: HTTPResponse, to request: FetchRequest) {
        guard response.status != .partialContent, request.head.method != .head, request.head.scheme == "https",
            let type = response.headerFields.mediaType
        else { return nil }
        let charset = Self.charset(in: response.headerFields)
        switch type {
        case "text/html" where request.mode == .navigate:
            guard charset.map(Self.isASCIIBased) ?? true else { return nil }
            (kind, isUTF8) = (.document, charset.map(Self.isUTF8) ?? false)
        case "text/css" where Self.isStyle(request):
            // In the others a second byte may be a backslash.
            guard charset.map({ Self.isASCIIBased($0) && !Self.multibyte.contains($0) }) ?? true else { return nil }
            (kind, isUTF8) = (.styleSheet, charset.map(Self.isUTF8) ?? false)
        default: return nil
        }
    }

    private static func isStyle(_ request: FetchRequest) -> Bool {
        guard request.destination == .unknown else { return request.destination == .style }
        return request.head.headerFields[.accept]?.hasPrefix("text/css") == true
    }

    // MARK: Encodings

    /// The `charset` of the media type, in lower case; `nil` without one.
    private static func charset(in fields: HTTPFields) -> String? {
        let charset = FetchText.parameter("charset", of: fields[.contentType] ?? "")
        return charset.map { FetchText.lowercased($0.filter { $0 != "'" }) }
    }

    private static func isUTF8(_ charset: String) -> Bool {
        ["utf-8", "utf8", "us-ascii", "ascii"].contains(charset)
    }

    private static let multibyte: Set<String> = ["shift_jis", "sjis", "shift-jis", "big5", "gbk", "gb2312", "gb18030"]

    /// The labels of the Encoding standard that pages use, of encodings over ASCII.
    private static func isASCIIBased(_ charset: String) -> Bool {
        isUTF8(charset) || multibyte.contains(charset)
            || ["iso-8859-", "iso8859-", "windows-", "cp125", "koi8-", "euc-", "latin", "l1"].contains {
                charset.hasPrefix($0)
            }
    }
}

/// Content whose addresses are turned while it is read. An actor, because what it guards belongs to whoever reads.
actor RewritingBody: BodySource {
    private let source: any BodySource
    /// `nil` once the content is complete.
    private var rewriter: PageRewriter?
    private let noteHashed: @Sendable ([(address: String, base: String?)]) -> Void

    /// - Parameter noteHashed: Told of what a document names with a hash, before the bytes that name it are given out.
    init(
        _ source: any BodySource, _ rewriter: PageRewriter,
        noteHashed: @escaping @Sendable ([(address: String, base: String?)]) -> Void
    ) {
        (self.source, self.rewriter, self.noteHashed) = (source, rewriter, noteHashed)
    }

    func next() async throws -> [UInt8]? {
        while rewriter != nil {
            let piece = try await source.next()
            let output = piece.map { rewriter?.rewrite($0) ?? [] } ?? rewriter?.finish() ?? []
            if let hashed = rewriter?.takeHashedAddresses(), !hashed.isEmpty { noteHashed(hashed) }
            if piece == nil { rewriter = nil }
            if !output.isEmpty { return output }
        }
        return nil
    }

    nonisolated func cancel() {
        source.cancel()
    }
}
