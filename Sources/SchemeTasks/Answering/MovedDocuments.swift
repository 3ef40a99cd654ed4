import Fetching

/// Redirects of documents: what the web view is to ask for next, with what the chain so far means for that request.
struct MovedDocuments {
    struct Moved {
        var following: RedirectFollowing
        var body: RequestContent?
        /// When the redirect came, on the uptime clock.
        var time: Duration
    }

    /// A page can start as many navigations as it likes; only the latest ones can still be under way.
    private static let limit = 16
    /// The web view navigates at once. A navigation that comes later is another one: it must not send a form again.
    private static let longest = Duration.seconds(60)
    /// A frame goes on at once, or is gone.
    private static let longestInFrame = Duration.seconds(5)
    private var moved: [Moved] = []

    mutating func add(_ document: Moved) {
        // Frames may be led to one address at once; the main frame goes to one place at a time.
        if document.isTopLevel { moved.removeAll { $0.url == document.url && $0.isTopLevel } }
        if moved.count >= Self.limit {
            // Frames push out no redirect of the main document.
            moved.remove(at: moved.firstIndex { !$0.isTopLevel } ?? 0)
        }
        moved.append(document)
    }

    /// The redirect that led to the URL of a navigation; used once. A frame never takes that of the main document,
    /// whose cookies and content are not for it, nor the other way round.
    mutating func take(_ request: FetchRequest, at now: Duration) -> Moved? {
        moved.removeAll { now - $0.time > ($0.isFormOfFrame ? Self.longestInFrame : Self.longest) }
        guard let place = place(of: request) else { return nil }
        return moved.remove(at: place)
    }

    /// Whether ``take(_:at:)`` may find one.
    func mayHave(_ request: FetchRequest) -> Bool { place(of: request) != nil }

    private func place(of request: FetchRequest) -> Int? {
        guard request.mode == .navigate, request.head.method == .get else { return nil }
        let url = request.url
        return moved.firstIndex { $0.url == url && $0.isTopLevel == request.isTopLevelNavigation }
    }
}

extension MovedDocuments.Moved {
    fileprivate var url: String { following.request.url }
    fileprivate var isTopLevel: Bool { following.request.isTopLevelNavigation }
    fileprivate var isFormOfFrame: Bool { !isTopLevel && body != nil }
}

/// A web view's task in place of showing a document that a scheme task asked for.
package enum DocumentMove: Hashable, Sendable {
    /// The document is redirected: navigate the main frame to this URL, which has the scheme of the page that asked.
    /// `referrer` is `Referer` of the request, by which the page knows what led to it; `nil` for none.
    case load(url: String, referrer: String? = nil)
    /// The document is redirected to another app's URL, such as `tel:`. Whether the user is asked first is the app's
    /// decision.
    case handToApp(url: String)
}

extension DocumentMove {
    /// The address to load, and the one to go to once its document is there.
    ///
    /// A web view goes to a fragment of the document that it shows without loading that anew (HTML §7.4.2.2), but a
    /// redirect loads it: as after a form that leads back to its page, `#comment-2`.
    ///
    /// - Parameter shown: The URL of the document that the web view shows.
    package static func loads(of url: String, shown: String?) -> (url: String, then: String?) {
        let document = url.withoutFragment
        return document != url && document == shown?.withoutFragment ? (document, url) : (url, nil)
    }
}
