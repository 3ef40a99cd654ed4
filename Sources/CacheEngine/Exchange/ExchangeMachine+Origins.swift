import HTTPCacheSemantics
import HTTPTypes

/// Whose origin a stored response is for, where its context wants that looked at; see
/// ``ExchangeContext/checksAllowedOrigin``.
extension ExchangeMachine {
    /// Whether a stored response may answer as far as its nominated fields and the request's origin go.
    func mayAnswer(_ response: StoredResponse) -> Bool {
        isNominated(response) && answersOrigin(response)
    }

    /// Whether the origin that a request names would be let read the response (Fetch §3.3.5, CORS check). A GET without
    /// `Origin` is of no fetch that is checked, and nor is one of the response's own origin, which some clients name.
    func answersOrigin(_ response: StoredResponse) -> Bool {
        guard context.checksAllowedOrigin, let origin = fields[.origin] else { return true }
        if let allowed = response.fields[.accessControlAllowOrigin] { return allowed == "*" || allowed == origin }
        guard let own = key.flatMap({ TargetURI.split($0.uri) }) else { return true }
        return origin == "\(own.scheme)://\(own.authority)"
    }
}
