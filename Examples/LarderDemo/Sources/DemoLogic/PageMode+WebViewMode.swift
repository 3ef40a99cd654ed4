#if canImport(WebKit)
import LarderKit

extension PageMode {
    /// The same for pages that can share a configuration: all of a mode, but by host where the mode names hosts.
    public func configurationName(for url: URL) -> String {
        self == .appScheme ? "\(rawValue) \(PageAddress.host(of: url) ?? "")" : rawValue
    }

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
