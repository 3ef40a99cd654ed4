import ViewCare

/// The way by which a web view's requests reach the cache; docs/modes.md says what each carries.
public struct WebViewMode: Sendable {
    /// The mode in use where this one can be had.
    package let name: InterceptionMode
    /// The hosts of ``appScheme(hosts:)``.
    public private(set) var hosts: [String] = []
    package private(set) var permission: HTTPSSchemePermission?

    /// ``proxy`` where the trait `Proxy` and the system have it (iOS 17, macOS 14), else ``navigation``.
    public static let automatic = WebViewMode.proxy
    /// A proxy on this device. It carries everything, and the page is at its own URL.
    public static let proxy = WebViewMode(name: .proxy)
    /// Nothing is answered from the cache; navigations are watched over. What ``automatic`` falls back to.
    public static let navigation = WebViewMode(name: .navigation)

    /// Pages of these hosts are loaded at `app-cache-https://host/…`; for pages of one's own. Hosts with a port where
    /// it is not 443, such as `shop.example:8443`.
    public static func appScheme(hosts: [String]) -> WebViewMode { WebViewMode(name: .appScheme, hosts: hosts) }

    /// The scheme `https` itself is answered. Only with the product `LarderHTTPSScheme`, which replaces a method of
    /// WebKit's and gives the permission.
    public static func httpsScheme(_ permission: HTTPSSchemePermission) -> WebViewMode {
        WebViewMode(name: .httpsScheme, permission: permission)
    }
}

/// How a web view's requests are answered, and why not otherwise.
public struct InstalledMode: Hashable, Sendable {
    /// The mode in force.
    public var name: InterceptionMode
    /// Why another mode than the wanted one is in use, in one sentence; `nil` where the wanted one is.
    public var reason: String?

    /// A mode, for tests of an app that shows it.
    public init(_ name: InterceptionMode, reason: String? = nil) {
        self.name = name
        self.reason = reason
    }
}

/// Lets a handler have `https`; given by the product `LarderHTTPSScheme`.
public struct HTTPSSchemePermission: Sendable {
    /// Calls its argument while WebKit lets a handler have `https`; `false` where it can't be had.
    package let during: @MainActor @Sendable (_ register: @MainActor () -> Void) -> Bool

    package init(during: @escaping @MainActor @Sendable (_ register: @MainActor () -> Void) -> Bool) {
        self.during = during
    }
}
