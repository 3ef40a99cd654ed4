/// The mode that a page is opened in, without the values that only the page has.
public enum PageMode: String, CaseIterable, Codable, Hashable, Identifiable, Sendable {
    case automatic, proxy, appScheme, navigation

    public var id: Self { self }

    public var title: String {
        switch self {
        case .automatic: "Automatic"
        case .proxy: "Proxy"
        case .appScheme: "App scheme"
        case .navigation: "No cache"
        }
    }
}
