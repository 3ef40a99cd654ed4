#if canImport(WebKit)
import LarderKit

extension PageMode {
    /// For pages of a URL's host.
    public func webViewMode(for url: URL) -> WebViewMode {
        switch self {
        case .automatic: .automatic
        case .proxy: .proxy
        case .appScheme: .appScheme(hosts: PageAddress.host(of: url).map { [$0] } ?? [])
        case .navigation: .navigation
        }
    }
}

extension InstalledMode {
    /// In one line.
    public var text: String { reason.map { "\(name.rawValue): \($0)" } ?? name.rawValue }
}
#endif
