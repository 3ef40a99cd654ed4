import Fetching

/// A way by which the requests of web views reach the cache, with what an adapter does differently in it.
///
/// A new one is one more value here.
public struct InterceptionMode: RawRepresentable, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
    /// The name in reports, in `--through` and in docs/modes.md.
    public let rawValue: String
    /// The schemes that a scheme handler answers; empty where none does.
    package let schemes: [String]
    /// Whether a web view hands over these schemes only once its own checks are replaced.
    package let needsUnlocking: Bool

    private init(_ name: String, schemes: [String] = [], needsUnlocking: Bool = false) {
        (rawValue, self.schemes, self.needsUnlocking) = (name, schemes, needsUnlocking)
    }

    /// Through a proxy on loopback.
    public static let proxy = InterceptionMode("proxy")
    /// Through a scheme handler for `app-cache-https`, at which the page itself is opened.
    public static let appScheme = InterceptionMode("appScheme", schemes: [AppCacheScheme.name])
    /// Through a scheme handler for `https` and `http` themselves. On Linux only test hosts have it: WebKitGTK offers
    /// no way to it.
    public static let httpsScheme = InterceptionMode("httpsScheme", schemes: ["https", "http"], needsUnlocking: true)
    /// Not at all: navigations are watched over.
    public static let navigation = InterceptionMode("navigation")
    /// Not at all: the web view asks origins itself.
    package static let none = InterceptionMode("none")

    /// The modes of the tool, which watches over navigations in each.
    public static let allCases = [proxy, appScheme, httpsScheme, none]

    /// The mode with this name.
    public init?(rawValue: String) {
        guard let mode = (Self.allCases + [.navigation]).first(where: { $0.rawValue == rawValue }) else { return nil }
        self = mode
    }

    /// The name.
    public var description: String { rawValue }

    /// Whether a scheme handler answers.
    package var hasHandler: Bool { !schemes.isEmpty }
    /// Whether pages are at the app-cache scheme, so that addresses are turned, and plain http is kept from them by
    /// rules.
    package var usesAppScheme: Bool { schemes.contains(AppCacheScheme.name) }
    /// Whether requests of web views have `Sec-Fetch-*`, which WebKit sends at its own schemes alone.
    package var sendsFetchMetadata: Bool { !usesAppScheme }
}
