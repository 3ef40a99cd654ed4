import HTTPTypes
import Interception

/// The documents that WebKit has announced it will load, for requests that do not say themselves what they are for: at
/// schemes of an app's own there is no `Sec-Fetch-Mode`.
struct AnnouncedNavigations {
    /// A page can announce as many as it likes; only the latest can still be under way.
    private static let limit = 64
    private var urls: [String] = []

    mutating func add(_ url: String) {
        if urls.count >= Self.limit { urls.removeFirst() }
        urls.append(Self.withoutFragment(url))
    }

    /// Whether this request is one that was announced; each announcement counts once.
    ///
    /// - Parameter viewURL: What the view loads or shows. WebKitGTK does not say which frame navigates.
    mutating func take(
        _ url: String, method: HTTPRequest.Method, _ fields: HTTPFields, viewURL: String?
    ) -> ObservedRequest.Navigation {
        // Only scripts send `Origin` with GET, and they announce nothing.
        guard method != .get || !fields.contains(.origin) else { return .none }
        let url = Self.withoutFragment(url)
        guard let place = urls.lastIndex(of: url) else { return .none }
        urls.remove(at: place)
        return viewURL.map(Self.withoutFragment) == url ? .topLevel : .frame
    }

    private static func withoutFragment(_ url: String) -> String { String(url.prefix { $0 != "#" }) }
}
