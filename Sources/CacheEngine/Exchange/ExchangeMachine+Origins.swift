import HTTPCacheSemantics
import HTTPTypes

/// Which request's origin may read a stored response, if the context asks for this check; see
/// ``ExchangeContext/checksAllowedOrigin``.
extension ExchangeMachine {
    /// Whether the nominated fields and the request's origin let a stored response answer.
    func mayAnswer(_ response: StoredResponse) -> Bool {
        isNominated(response) && answersOrigin(response)
    }

    /// Whether the origin that a request names may read the response (Fetch §3.3.5, CORS check). A GET without `Origin`
    /// comes from no fetch that is checked; nor does one that names the response's own origin, as some clients do.
    func answersOrigin(_ response: StoredResponse) -> Bool {
        guard context.checksAllowedOrigin, let origin = fields[.origin] else { return true }
        if let allowed = response.fields[.accessControlAllowOrigin] { return allowed == "*" || allowed == origin }
        guard let own = key.flatMap({ TargetURI.split($0.uri) }) else { return true }
        return origin == "\(own.scheme)://\(own.authority)"
    }
}
