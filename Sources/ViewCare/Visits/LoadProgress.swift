import Fetching

/// How far a page's load is.
public struct LoadProgress: Hashable, Sendable {
    /// From 0 to 1, as the web view estimates it by bytes.
    public var fraction: Double
    /// Whether the page is loading.
    public var isLoading: Bool
    /// As people know it: https also where the page is loaded at the app-cache scheme. `nil` without a page.
    public var url: String?
    /// The page's title, once it has one.
    public var title: String?

    /// Progress, for previews and tests of an app that shows it.
    public init(fraction: Double = 0, isLoading: Bool = false, url: String? = nil, title: String? = nil) {
        self.fraction = fraction.isFinite ? min(max(0, fraction), 1) : 0
        self.isLoading = isLoading
        self.url = url.map { AppCacheScheme.networkURL(of: $0) ?? $0 }
        self.title = title
    }
}
