import Fetching
import HTTPTypes

extension FetchExchange {
    /// A web view takes the response for that of the first URL. The injected script, which has asked for it, is told of the
    /// last one in the status text: it shows the page what belongs to that, and pages can't set it on their own.
    func showingRedirect(_ head: HTTPResponse, _ delivery: RedirectAction.Delivery) -> HTTPResponse {
        guard let redirectMark else { return head }
        var head = head
        var text = head.status.reasonPhrase
        // A server can't know it. If one does, it says nothing.
        if text.hasPrefix(redirectMark) { text = "" }
        // A user name and password in the URL are not part of a response's (Fetch §4.6), and the web view would show them.
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
        guard case .page(usesAppScheme: true) = purpose, let last = WebURL(url), let begun = WebURL(first.url),
            last.authority == begun.authority
        else { return url }
        return AppCacheScheme.pageURL(of: url) ?? url
    }
}
