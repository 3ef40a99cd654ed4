/// Why a request of a page gets no response: what the Fetch standard calls a network error.
///
/// The page learns nothing but that the request failed. Messages name no field values and no URLs.
package struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: Code
    /// The failure and its remedy, for the app's log.
    package var message: String

    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    package struct Code: Hashable, Sendable {
        private enum Wrapped: String, Hashable {
            case crossOrigin = "cross-origin", corsFailed = "cors", preflightFailed = "preflight"
            case unreadableRedirect = "unreadable-redirect", resourcePolicy = "resource-policy"
            case redirectLoop = "redirect-loop", tooManyRedirects = "too-many-redirects"
            case redirectNotAllowed = "redirect-not-allowed", redirectScheme = "redirect-scheme"
            case malformedLocation = "location", credentialsInURL = "credentials-in-url"
            case bodyNotReplayable = "body-not-replayable", mixedContent = "mixed-content"
        }
        private var wrapped: Wrapped

        /// A request of mode `same-origin` leads to another origin.
        package static var crossOrigin: Self { .init(wrapped: .crossOrigin) }
        /// The CORS check failed (Fetch §4.9).
        package static var corsFailed: Self { .init(wrapped: .corsFailed) }
        /// The server's answer to the preflight does not allow the request (Fetch §4.8).
        package static var preflightFailed: Self { .init(wrapped: .preflightFailed) }
        /// A redirect led to another origin, and the web view would let the page read the bytes as its own.
        package static var unreadableRedirect: Self { .init(wrapped: .unreadableRedirect) }
        /// `Cross-Origin-Resource-Policy` forbids the use (Fetch §3.7).
        package static var resourcePolicy: Self { .init(wrapped: .resourcePolicy) }
        /// More than 20 redirects, and one of their URLs came twice.
        package static var redirectLoop: Self { .init(wrapped: .redirectLoop) }
        /// More than 20 redirects to different URLs.
        package static var tooManyRedirects: Self { .init(wrapped: .tooManyRedirects) }
        /// The page asked for an error where there is a redirect.
        package static var redirectNotAllowed: Self { .init(wrapped: .redirectNotAllowed) }
        /// A redirect leads to a scheme that no response may lead to.
        package static var redirectScheme: Self { .init(wrapped: .redirectScheme) }
        /// `Location` is no URL that can be read in one way only, or there are several.
        package static var malformedLocation: Self { .init(wrapped: .malformedLocation) }
        /// A CORS request is redirected to a URL with a user name or a password.
        package static var credentialsInURL: Self { .init(wrapped: .credentialsInURL) }
        /// A 307 or 308 wants the body again, and it was a stream.
        package static var bodyNotReplayable: Self { .init(wrapped: .bodyNotReplayable) }
        /// A secure page's resource is redirected to plain http.
        package static var mixedContent: Self { .init(wrapped: .mixedContent) }

        /// A short name in kebab case.
        package var name: String { wrapped.rawValue }
    }
}

extension FetchError: CustomDebugStringConvertible {
    package var debugDescription: String { "\(code.name): \(message)" }
}
