import WebVisit

/// The user name and password for the view's proxy, in answer to its challenges.
struct ProxyLogin {
    private let credentials: (user: String, password: String)?
    /// Whether the proxy has let the view in.
    private var isAdmitted = false
    private var retries = 0

    /// How often an answer is given again before the proxy has let the view in: as often as a load is redirected.
    private static let retryLimit = 20

    init(_ request: VisitRequest) {
        credentials = request.proxyUser.map { ($0, request.proxyPassword ?? "") }
    }

    /// Notes the status of a response.
    mutating func answered(_ status: Int) {
        // With 407 the proxy is who answered, for want of credentials.
        if status > 0, status != 407 { isAdmitted = true }
    }

    /// - Parameter isRetry: Whether what was sent before was refused.
    /// - Returns: `nil` where there is nothing to answer, or where the proxy has only ever refused it.
    mutating func answer(isRetry: Bool) -> (user: String, password: String)? {
        if isRetry, !isAdmitted {
            retries += 1
            guard retries <= Self.retryLimit else { return nil }
        }
        return credentials
    }
}
