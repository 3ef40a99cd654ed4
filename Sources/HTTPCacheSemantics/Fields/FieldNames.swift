import HTTPTypes

extension HTTPField.Name {
    /// RFC 9211.
    package static let cacheStatus = Self(constant: "Cache-Status")
    /// RFC 9213 §3.
    static let cdnCacheControl = Self(constant: "CDN-Cache-Control")
    /// W3C Clear Site Data §3.1.
    static let clearSiteData = Self(constant: "Clear-Site-Data")
    static let keepAlive = Self(constant: "Keep-Alive")
    static let proxyConnection = Self(constant: "Proxy-Connection")
    /// draft-ietf-httpbis-no-vary-search.
    package static let noVarySearch = Self(constant: "No-Vary-Search")
    /// RFC 9111 §5.4.
    package static let pragma = Self(constant: "Pragma")
    static let proxyAuthenticationInfo = Self(constant: "Proxy-Authentication-Info")
    /// Fetch Metadata §2.1.
    package static let secFetchDest = Self(constant: "Sec-Fetch-Dest")

    fileprivate init(constant: StaticString) {
        // Only literals above come here, and each is a token.
        self = HTTPField.Name("\(constant)") ?? .cacheControl
    }
}
