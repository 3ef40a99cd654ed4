import HTTPTypes

extension HTTPField.Name {
    /// RFC 9211.
    static let cacheStatus = Self(constant: "Cache-Status")
    static let keepAlive = Self(constant: "Keep-Alive")
    static let proxyConnection = Self(constant: "Proxy-Connection")
    static let proxyAuthenticationInfo = Self(constant: "Proxy-Authentication-Info")

    fileprivate init(constant: StaticString) {
        // Only literals above come here, and each is a token.
        self = HTTPField.Name("\(constant)") ?? .cacheControl
    }
}
