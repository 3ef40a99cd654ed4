import HTTPTypes

/// Field names of the Fetch, Fetch Metadata and Referrer Policy standards that `HTTPTypes` has no constant for.
package enum FetchField {
    package static let link = name("Link")
    package static let policyReportOnly = name("Content-Security-Policy-Report-Only")
    package static let referrerPolicy = name("Referrer-Policy")
    package static let secFetchDest = name("Sec-Fetch-Dest")
    package static let secFetchMode = name("Sec-Fetch-Mode")
    package static let secFetchSite = name("Sec-Fetch-Site")
    package static let secFetchUser = name("Sec-Fetch-User")
    package static let upgradeInsecureRequests = name("Upgrade-Insecure-Requests")
    package static let xFrameOptions = name("X-Frame-Options")

    /// "A request-body-header name" of Fetch §2.2.2, and the framing that belongs to the same body.
    package static let ofRequestBody: [HTTPField.Name] = [
        .contentEncoding, .contentLanguage, .contentLocation, .contentType, .contentLength, .transferEncoding,
    ]

    private static func name(_ text: StaticString) -> HTTPField.Name {
        // Only the literals above come here, and each is a token.
        HTTPField.Name("\(text)") ?? .cacheControl
    }
}
