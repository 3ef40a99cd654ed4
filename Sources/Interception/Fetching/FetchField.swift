import HTTPTypes

/// Field names of the Fetch, Fetch Metadata and Referrer Policy standards that `HTTPTypes` has no constant for.
enum FetchField {
    static let link = name("Link")
    static let policyReportOnly = name("Content-Security-Policy-Report-Only")
    static let referrerPolicy = name("Referrer-Policy")
    static let secFetchDest = name("Sec-Fetch-Dest")
    static let secFetchMode = name("Sec-Fetch-Mode")
    static let secFetchSite = name("Sec-Fetch-Site")
    static let secFetchUser = name("Sec-Fetch-User")
    static let upgradeInsecureRequests = name("Upgrade-Insecure-Requests")
    static let xFrameOptions = name("X-Frame-Options")

    /// "A request-body-header name" of Fetch §2.2.2, and the framing that belongs to the same body.
    static let ofRequestBody: [HTTPField.Name] = [
        .contentEncoding, .contentLanguage, .contentLocation, .contentType, .contentLength, .transferEncoding,
    ]

    private static func name(_ text: StaticString) -> HTTPField.Name {
        // Only the literals above come here, and each is a token.
        HTTPField.Name("\(text)") ?? .cacheControl
    }
}
