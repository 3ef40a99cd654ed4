import CacheEngine
import Decoding
import Fetching
import HTTPCacheSemantics
import HTTPTypes

/// What a response is to the document or the stream that waits for it.
extension FetchExchange {
    /// HTML §9.2.3: an event stream that CORS refuses is closed for good, and one that fails otherwise is asked for again.
    /// Only the web view's own check tells it so, which an answer without content and without permission fails.
    static func closedStream(_ request: FetchRequest, _ error: FetchError) -> SchemeResponse? {
        guard error.code == .corsFailed, request.head.headerFields[.accept] == "text/event-stream" else { return nil }
        return SchemeResponse(
            head: HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]), body: .empty)
    }

    func isUntypedDocument(_ head: HTTPResponse) -> Bool {
        first.mode == .navigate && !head.headerFields.contains(.contentType)
    }

    /// A document whose server names no type gets the one that its first bytes show; see ``DocumentType``.
    static func typed(_ head: HTTPResponse, by bytes: [UInt8]) -> HTTPResponse {
        guard !bytes.isEmpty else { return head }
        var head = head
        head.headerFields[.contentType] = DocumentType.sniffed(
            bytes, mayBeScriptable: !SniffingCheck.hasNoSniff(head.headerFields))
        return head
    }

    /// What a page gets of a response, where its first bytes decide that.
    ///
    /// - Throws: For captions that are another origin's, as far as that can be told.
    func judged(
        _ head: HTTPResponse, _ content: ResponseBody
    ) async throws(SchemeTaskError) -> (HTTPResponse, ResponseBody) {
        guard isUntypedDocument(head) || mayBeForeignCaptions else { return (head, content) }
        let source = content.makeSource()
        var bytes: [UInt8] = []
        var failure: (any Error)?
        let wanted = isUntypedDocument(head) ? DocumentType.headerLength : CaptionCheck.headerLength
        do {
            while bytes.count < wanted, let piece = try await source.next() { bytes += piece }
        } catch {
            failure = error
        }
        if mayBeForeignCaptions, CaptionCheck.areCaptions(bytes) {
            source.cancel()
            throw SchemeTaskError(CaptionCheck.refusal)
        }
        let body = ResumedBody(bytes, source, failure: failure)
        return (
            isUntypedDocument(head) ? Self.typed(head, by: bytes) : head, .stream(body, length: content.length)
        )
    }

    /// Whether the request can be one for captions of another origin: WebKit asks for a `<track>` so, and at the app-cache scheme
    /// nothing tells it from one for a script, nor who asks. The page in the address bar gets its own.
    var mayBeForeignCaptions: Bool {
        guard case .page(usesAppScheme: true) = purpose, first.mode == .noCORS, first.origin == nil,
            first.head.method == .get, first.head.headerFields[values: .accept] == ["*/*"]
        else { return false }
        let page = first.topLevelURL.map { WebOrigin(url: $0).onNetwork }
        return page?.isSameOrigin(as: first.targetOrigin) != true
    }

    func isFramingRefused(_ response: HTTPResponse, _ request: FetchRequest) -> Bool {
        guard request.mode == .navigate, !request.isTopLevelNavigation, request.destination != .document else {
            return false
        }
        let ancestor = request.topLevelURL.map { WebOrigin(url: $0) }
        // A page at http has no frames at this scheme but to use what they may: what is within such a frame, ``MixedContentRules``
        // can't tell from what is the page's.
        if purpose == .page(usesAppScheme: true), ancestor?.scheme == "http" { return true }
        return FramingCheck.decide(response.headerFields, target: request.targetOrigin, ancestor: ancestor) == .refused
    }

    /// What a frame shows instead of a document that does not want to be there: nothing, of an origin of its own.
    static var emptyDocument: SchemeResponse {
        let fields: HTTPFields = [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: "sandbox"]
        return SchemeResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: .empty)
    }
}
