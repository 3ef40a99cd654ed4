import HTTPTypes

/// The app's own page for a document when there is no network, or the origin can't be reached, and no stored response
/// may answer.
///
/// ```swift
/// let page = OfflinePage(Array(html.utf8))
/// configuration.offlinePage = { request in request.authority == "shop.example" ? page : nil }
/// ```
///
/// It is sent as it is, with the status 504 (RFC 9111 §5.2.1.7, RFC 9110 §15.6.5) and `no-store`, and it is never
/// stored. The web view shows it under the address that was requested, so its scripts run as that site's.
public struct OfflinePage: Hashable, Sendable {
    /// The content. Escape whatever you copy into it from the request.
    public var bytes: [UInt8]
    /// `text/html; charset=utf-8` unless set.
    public var contentType: String
    /// The `Content-Security-Policy` of the page, `nil` for none. The default allows styles, images and fonts inside
    /// the page, and neither scripts nor loads: scripts would have the rights of the site, and loads would fail anyway.
    /// A link to the same address is enough for "try again".
    public var contentSecurityPolicy: String?

    /// The default of ``contentSecurityPolicy``.
    public static let defaultPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'"

    /// A page with its own policy; the default one runs no scripts.
    public init(
        _ bytes: [UInt8], contentType: String = "text/html; charset=utf-8",
        contentSecurityPolicy: String? = OfflinePage.defaultPolicy
    ) {
        self.bytes = bytes
        self.contentType = contentType
        self.contentSecurityPolicy = contentSecurityPolicy
    }

    /// The page as an answer.
    var answer: (head: HTTPResponse, body: [UInt8]) {
        var fields: HTTPFields = [
            .contentType: contentType, .cacheControl: "no-store", .contentLength: String(bytes.count),
        ]
        fields[.contentSecurityPolicy] = contentSecurityPolicy
        return (HTTPResponse(status: .gatewayTimeout, headerFields: fields), bytes)
    }
}
