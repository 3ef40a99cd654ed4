import HTTPCacheSemantics
import HTTPTypes

/// An http or https URL, normalised as `TargetURI` does.
public struct WebURL: Hashable, Sendable {
    /// Absolute, without userinfo and fragment.
    public let url: String
    /// Without `#`; `nil` without one.
    public var fragment: String?
    /// Whether the text held a user name or a password. They are not part of ``url``.
    public var hasCredentials = false
    /// Those of the text; `nil` without any, and where they can't be sent.
    public var credentials: BasicCredentials?
    public let scheme: String
    public let authority: Authority
    /// Path and query.
    public let path: String

    /// - Parameter url: What `TargetURI` made.
    init?(normalized url: String, fragment: String?) {
        guard let parts = TargetURI.split(url), parts.scheme == "http" || parts.scheme == "https",
            let authority = Authority(parts.authority)
        else { return nil }
        self.url = url
        self.fragment = fragment
        scheme = parts.scheme
        path = parts.path
        self.authority = authority
    }

    /// - Parameter text: An absolute URL as the web view shows it. One of the app-cache scheme becomes its https URL.
    /// - Returns: `nil` if it is no http or https URL.
    public init?(_ text: String) {
        let (page, userinfo) = AppCacheScheme.split(text)
        guard case .web(let web) = URLReference.resolve(AppCacheScheme.networkURL(of: page) ?? page, against: nil)
        else {
            return nil
        }
        self = web
        if let userinfo { readCredentials(userinfo.utf8) }
    }

    /// - Parameter userinfo: Without `@`.
    mutating func readCredentials(_ userinfo: Substring.UTF8View) {
        hasCredentials = !userinfo.isEmpty && !userinfo.elementsEqual([0x3A])
        credentials = BasicCredentials(userinfo: userinfo)
    }

    public var origin: WebOrigin { WebOrigin(scheme: scheme, authority: authority) }

    public var urlWithFragment: String { fragment.map { "\(url)#\($0)" } ?? url }
}

extension HTTPRequest {
    /// Absolute and normalised; it has no fragment.
    package var targetURL: String {
        TargetURI.normalized(scheme: scheme ?? "", authority: authority ?? "", path: path ?? "/")
    }
}
