/// Redirects of documents: what the web view is to ask for next, with what the chain so far means for that request.
struct MovedDocuments {
    struct Moved {
        var following: RedirectFollowing
        var body: [UInt8]?
    }

    /// A page can start as many navigations as it likes; only the latest ones can still be under way.
    private static let limit = 16
    private var moved: [(url: String, document: Moved)] = []

    mutating func add(_ document: Moved) {
        let url = document.following.request.url
        moved.removeAll { $0.url == url }
        if moved.count >= Self.limit { moved.removeFirst() }
        moved.append((url, document))
    }

    /// The redirect that led to a URL; used once.
    mutating func take(_ url: String) -> Moved? {
        guard let place = moved.firstIndex(where: { $0.url == url }) else { return nil }
        return moved.remove(at: place).document
    }
}
