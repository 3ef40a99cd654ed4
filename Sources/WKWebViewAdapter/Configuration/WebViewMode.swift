/// The way by which a web view's requests reach the cache; docs/modes.md says what each carries.
public enum WebViewMode: Sendable {
    /// ``proxy`` where the trait `Proxy` and the system have it (iOS 17, macOS 14), else ``navigation``.
    case automatic
    /// A proxy on this device. It carries everything, and the page is at its own URL.
    case proxy
    /// Pages of these hosts are loaded at `app-cache-https://host/…`; for pages of one's own. Hosts with a port where it is
    /// not 443, such as `shop.example:8443`.
    case appScheme(hosts: [String])
    /// The scheme `https` itself is answered. Only with the product `LarderHTTPSScheme`, which replaces a method of WebKit's
    /// and gives the permission.
    case httpsScheme(HTTPSSchemePermission)
    /// Nothing is answered from the cache; navigations are watched over. What ``automatic`` falls back to.
    case navigation

    /// What is in use where this is had.
    package var name: InstalledMode.Name {
        switch self {
        case .automatic, .proxy: .proxy
        case .appScheme: .appScheme
        case .httpsScheme: .httpsScheme
        case .navigation: .navigation
        }
    }
}

/// What the product `LarderHTTPSScheme` gives once WebKit lets a handler have `https`.
public struct HTTPSSchemePermission: Sendable {
    /// Calls its argument while WebKit lets a handler have `https`; `false` where it can't be had.
    package let during: @MainActor @Sendable (_ register: @MainActor () -> Void) -> Bool

    package init(during: @escaping @MainActor @Sendable (_ register: @MainActor () -> Void) -> Bool) {
        self.during = during
    }
}
