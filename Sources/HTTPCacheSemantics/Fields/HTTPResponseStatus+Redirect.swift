import HTTPTypes

extension HTTPResponse.Status {
    /// "Redirect status", Fetch §2.2.3: the content is elsewhere, if the response has a `Location` (RFC 9110 §15.4).
    package var isRedirect: Bool {
        switch code {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }
}
