/// Why a request of a page gets no response: what the Fetch standard calls a network error.
///
/// The page learns nothing but that the request failed. Messages name no field values and no URLs.
package struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: Code
    /// The failure and its remedy, for the app's log.
    package var message: String

    package var description: String { message }

    package enum Code: Hashable, Sendable {
        /// A request of mode `same-origin` leads to another origin.
        case crossOrigin
        /// The CORS check failed (Fetch §4.9).
        case corsFailed
        /// The server's answer to the preflight does not allow the request (Fetch §4.8).
        case preflightFailed
        /// A redirect led to another origin, and the web view would let the page read the bytes as its own.
        case unreadableRedirect
        /// `Cross-Origin-Resource-Policy` forbids the use (Fetch §3.7).
        case resourcePolicy
        /// More than 20 redirects, and one of their URLs came twice.
        case redirectLoop
        /// More than 20 redirects to different URLs.
        case tooManyRedirects
        /// The page asked for an error where there is a redirect.
        case redirectNotAllowed
        /// A redirect leads to a scheme that no response may lead to.
        case redirectScheme
        /// `Location` is no URL that can be read in one way only, or there are several.
        case malformedLocation
        /// A CORS request is redirected to a URL with a user name or a password.
        case credentialsInURL
        /// A 307 or 308 wants the body again, and it was a stream.
        case bodyNotReplayable
        /// A secure page's resource is redirected to plain http.
        case mixedContent
    }
}
