import HTTPTypes

/// What to do with a response, as ``RedirectFollowing`` decides.
public enum RedirectAction: Hashable, Sendable {
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

    public struct Delivery: Hashable, Sendable {
        /// Without the fields that the page may not see.
        public var response: HTTPResponse
        public var tainting: ResponseTainting
        /// Without fragment.
        public var url: String
        public var isRedirected: Bool
    }

    public struct NextRequest: Hashable, Sendable {
        public var request: FetchRequest
        /// Whether the body of the request is to be sent again; otherwise there is none.
        public var keepsBody: Bool
        /// With the fragment, for a navigation.
        public var url: String
    }
}
