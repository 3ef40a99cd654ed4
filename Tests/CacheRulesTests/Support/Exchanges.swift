import CacheRules
import HTTPTypes

/// An exchange for an address.
///
/// - Parameter url: `scheme://authority`, then path and query as they stand in the request.
func exchange(
    _ url: String, method: HTTPRequest.Method = .get, destination: Destination = .unknown,
    fields: HTTPFields = [:], connectivity: Connectivity = .connected, response: HTTPFields? = nil
) -> Exchange {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let request = HTTPRequest(
        method: method, scheme: String(parts[0].dropLast()), authority: parts.count > 2 ? String(parts[2]) : nil,
        path: parts.count > 3 ? "/" + parts[3] : nil, headerFields: fields)
    return Exchange(
        request: request, destination: destination, connectivity: connectivity,
        response: response.map { HTTPResponse(status: .ok, headerFields: $0) })
}

/// Whether a rule with this condition rules an exchange.
func holds(_ conditions: When..., for exchange: Exchange) -> Bool {
    let rule = Rule("rule", .bypass) { for condition in conditions { condition } }
    return RuleList([rule]).decision(for: exchange).rule == "rule"
}
