import HTTPTypes

/// What to do with a response, as ``RedirectFollowing`` decides.
package enum RedirectAction: Hashable, Sendable {
    /// Hand the response to the web view, with the fields as they are here, and its body.
    case deliver(Delivery)
    /// Discard the body and send the next request. Ask for its preflight first, and whether it takes cookies.
    case follow(NextRequest)
    /// End the scheme task, and let the web view navigate the same frame to the next request's URL.
    case navigate(NextRequest)
    /// End the scheme task; the URL is for another app, such as `tel:`. Only for navigations of the main frame. Whether
    /// the user is asked first is the app's decision, as in ``NavigationDecision``.
    case handToApp(url: String)
    /// Fail the scheme task.
    case refuse(FetchError)

    package struct Delivery: Hashable, Sendable {
        /// Without the fields that the page may not see.
        package var response: HTTPResponse
        package var tainting: ResponseTainting
        /// Without fragment.
        package var url: String
        package var isRedirected: Bool
    }

    package struct NextRequest: Hashable, Sendable {
        package var request: InterceptedRequest
        /// Whether the body of the request is to be sent again; otherwise there is none.
        package var keepsBody: Bool
        /// With the fragment, for a navigation.
        package var url: String
    }
}
