#if Proxy
import HTTPTypes

extension HTTPField.Name {
    /// RFC 9211.
    static let cacheStatus = Self(constant: "Cache-Status")
    /// Fetch Metadata §2.1.
    static let secFetchDest = Self(constant: "Sec-Fetch-Dest")

    /// A literal that is a token, so that the name always exists.
    private init(constant: StaticString) {
        self = HTTPField.Name("\(constant)") ?? .via
    }
}
#endif
