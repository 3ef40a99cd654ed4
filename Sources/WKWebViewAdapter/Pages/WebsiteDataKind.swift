/// The data that web views keep for pages by themselves.
public enum WebsiteDataKind: String, CaseIterable, Hashable, Sendable {
    case cookies, diskCache, memoryCache, sessionStorage, localStorage, indexedDB, fetchCache, serviceWorkers

    /// Copies of the network's answers: all that a page can have again.
    public static let caches: Set<WebsiteDataKind> = [.diskCache, .memoryCache, .fetchCache]
}
