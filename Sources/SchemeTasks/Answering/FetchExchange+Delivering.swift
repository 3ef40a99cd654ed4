import CacheEngine
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import Locking

/// Delivers a response to the page.
extension FetchExchange {
    func isUntypedDocument(_ head: HTTPResponse) -> Bool {
        first.mode == .navigate && !head.headerFields.contains(.contentType)
    }

    /// The head of a response of which the first bytes are known. A document whose server names no type gets the one
    /// that they show; see ``DocumentType``.
    ///
    /// - Throws: An error for captions that are another origin's, as far as that can be told.
    func head(of delivery: RedirectAction.Delivery, by bytes: [UInt8]) throws(SchemeTaskError) -> HTTPResponse {
        if mayBeForeignCaptions, CaptionCheck.areCaptions(bytes) { throw SchemeTaskError(CaptionCheck.refusal) }
        var head = delivery.response
        if isUntypedDocument(head) {
            head.headerFields[.contentType] = DocumentType.sniffed(
                bytes, mayBeScriptable: !SniffingCheck.hasNoSniff(head.headerFields))
        }
        return showingRedirect(head, delivery)
    }

    /// Whether the request can be one for captions of another origin: WebKit asks for a `<track>` so, and at the
    /// app-cache scheme nothing tells it from one for a script, nor who asks.
    var mayBeForeignCaptions: Bool {
        guard usesAppScheme, first.mode == .noCORS, first.origin == nil, first.head.method == .get,
            first.head.headerFields[values: .accept] == ["*/*"]
        else { return false }
        return first.topLevelOrigin?.onNetwork.isSameOrigin(as: first.targetOrigin) != true
    }

    func isFramingRefused(_ response: HTTPResponse, _ request: FetchRequest) -> Bool {
        guard request.mode == .navigate, !request.isTopLevelNavigation, request.destination != .document else {
            return false
        }
        let ancestor = request.topLevelOrigin
        // An http page would frame an app-scheme document only to borrow its rights: ``MixedContentRules`` can't tell
        // the frame's loads from the page's, so the frame is refused.
        if usesAppScheme, ancestor?.scheme == "http" { return true }
        return !FramingCheck.allows(response.headerFields, target: request.targetOrigin, ancestor: ancestor)
    }

    // MARK: Redirects

    /// A web view takes the response for that of the first URL. The injected script, which has asked for it, is told of
    /// the last one in the status text: it shows the page what belongs to that, and pages can't set it on their own.
    func showingRedirect(_ head: HTTPResponse, _ delivery: RedirectAction.Delivery) -> HTTPResponse {
        guard let redirectMark else { return head }
        var head = head
        var text = head.status.reasonPhrase
        // A server can't know it. If one does, it says nothing.
        if text.hasPrefix(redirectMark) { text = "" }
        // A user name and password in the URL are not part of a response's (Fetch §4.6), and the web view would show
        // them.
        if delivery.isRedirected || first.urlCredentials != nil {
            text = "\(redirectMark) \(address(delivery.url))\(WebViewResponder.endOfAddress)\(text)"
        } else if text == head.status.reasonPhrase {
            return head
        }
        head.status = HTTPResponse.Status(code: head.status.code, reasonPhrase: text)
        return head
    }

    /// As the page knows it: its own host is at the scheme of the page.
    private func address(_ url: String) -> String {
        guard usesAppScheme, let last = WebURL(url), let begun = WebURL(first.url),
            last.authority == begun.authority
        else { return url }
        return AppCacheScheme.pageURL(of: url) ?? url
    }

    // MARK: Answers of our own

    /// An empty document of its own origin, for a frame whose document does not want to be there.
    static var emptyDocument: LoadResponse {
        let fields: HTTPFields = [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: "sandbox"]
        return LoadResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: .empty)
    }

    /// A document that sends its frame on: only the main frame can be navigated from outside.
    ///
    /// A script does so at once. A refresh waits until the page around it is loaded, and a sandbox without scripts
    /// ignores one in markup, but not in a field: seen in WebKitGTK 2.50, and WebCore's code for all platforms.
    func refresh(to url: String) -> LoadResponse {
        let escaped = url.reduce(into: "") { text, character in
            switch character {
            case "\"", "\\": text += "\\\(character)"
            case "<": text += "\\u003C"
            default: text.append(character)
            }
        }
        var head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/html; charset=utf-8"])
        head.headerFields[FetchField.refresh] = "0; url=\(url)"
        let page = Array("<!doctype html><script>location.replace(\"\(escaped)\")</script>".utf8)
        return LoadResponse(head: head, body: .stream(OpenDocument(page, clock: responder.clock), length: nil))
    }
}

/// The content of a document that is about to be left. A web view that reads its end before it goes on fires a load
/// event for it, so the end comes a second later; until then the web view has left, or runs no scripts.
private final class OpenDocument: BodySource {
    private let content: LockedBox<[UInt8]?>
    private let clock: EngineClock

    init(_ content: [UInt8], clock: EngineClock) { (self.content, self.clock) = (LockedBox(content), clock) }

    func next() async -> [UInt8]? {
        if let page = content.withLock({ $0.take() }) { return page }
        try? await clock.sleep(.seconds(1))
        return nil
    }

    func cancel() {}
}
