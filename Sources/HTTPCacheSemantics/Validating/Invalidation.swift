import HTTPTypes

/// Which stored responses an unsafe request makes unusable, RFC 9111 §4.4.
package enum Invalidation {
    /// The URIs to invalidate after a response to a request.
    ///
    /// "A cache MUST invalidate the target URI when it receives a non-error status code in response to an unsafe
    /// request method (including methods whose safety is unknown)"; `Location` and `Content-Location` only where
    /// they have the target's origin.
    ///
    /// - Returns: Normalised URIs, the target first; empty if nothing must be invalidated.
    package static func targets(
        method: HTTPRequest.Method, uri: String, status: HTTPResponse.Status, fields: HTTPFields
    ) -> [String] {
        guard !isSafe(method), (200..<400).contains(status.code) else { return [] }
        let target = TargetURI.split(uri).map(TargetURI.normalized) ?? uri
        var targets = [target]
        for name in [.location, .contentLocation] as [HTTPField.Name] {
            guard let reference = fields[name], let other = TargetURI.resolve(reference, against: uri),
                TargetURI.haveSameOrigin(other, uri), !targets.contains(other)
            else { continue }
            targets.append(other)
        }
        return targets
    }

    /// RFC 9110 §9.2.1.
    package static func isSafe(_ method: HTTPRequest.Method) -> Bool {
        [.get, .head, .options, .trace].contains(method)
    }
}
