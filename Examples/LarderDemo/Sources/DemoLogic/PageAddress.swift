import Foundation

/// What people type where a URL is wanted.
public enum PageAddress {
    /// - Returns: https where no scheme was typed; `nil` for other schemes than http and https, without a host, and
    ///   with a user.
    public static func url(typed text: String) -> URL? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let whole = text.contains("://") ? text : "https://" + text
        guard var parts = URLComponents(string: whole), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty, parts.user == nil
        else { return nil }
        parts.scheme = scheme
        return parts.url
    }

    /// The host with its port, as `WebViewMode.appScheme(hosts:)` wants it: `shop.example`, `shop.example:8443`.
    public static func host(of url: URL) -> String? {
        guard let host = url.host else { return nil }
        guard let port = url.port, port != 443 else { return host }
        return "\(host):\(port)"
    }
}
