import CWebKitGTK
import Fetching
import WebVisit

/// The user name and password for one origin, in answer to its challenges.
struct SiteLogin: Sendable {
    private let origin: WebOrigin
    private let credentials: BasicCredentials

    /// - Returns: `nil` if the request names none, or none that can be sent.
    init?(_ request: VisitRequest) {
        guard let user = request.siteUser,
            let credentials = BasicCredentials(user: user, password: request.sitePassword ?? "")
        else { return nil }
        self.credentials = credentials
        origin = WebOrigin(url: request.url)
    }

    /// The answer to a scheme handler's question.
    func answer(to question: CredentialQuestion) -> CredentialAnswer {
        question.origin.isSameOrigin(as: origin) ? .use(credentials) : .showResponse
    }

    /// The answer to the view's own network; `nil` for another origin and after a refusal.
    func answer(
        to challenge: UnsafeMutablePointer<WebKitAuthenticationRequest>
    ) -> (user: String, password: String)? {
        guard webkit_authentication_request_is_retry(challenge) == 0, let authority = origin.authority,
            String(copying: webkit_authentication_request_get_host(challenge)) == authority.host,
            Int(webkit_authentication_request_get_port(challenge))
                == authority.port ?? (origin.scheme == "https" ? 443 : 80)
        else { return nil }
        return (credentials.user, credentials.password)
    }
}
