import HTTPCacheSemantics
import HTTPTypes

/// Invalidation, RFC 9111 §4.4: a request whose start line is its method and URI, then a response.
enum InvalidationTarget: FuzzTarget {
    static let name = "invalidation"
    static let shapes = [
        HostileShape("../", after: "POST http://a/\n\n200\nLocation: "), HostileShape("a", after: "POST http://a/"),
        HostileShape("Location: /a\n", after: "POST http://a/\n\n200\n"), HostileShape("@:", after: "POST http://"),
        HostileShape("a,", after: "POST http://a/\n\n200\nContent-Location: "),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let messages = input.messages(2)
        let (asked, answered) = (messages[0], messages[1])
        let uri = String(asked.start.drop { $0 != " " }.dropFirst())
        let targets = Invalidation.targets(
            method: asked.method, uri: uri, status: answered.status, fields: answered.fields)
        let isDue = !Invalidation.isSafe(asked.method) && (200..<400).contains(answered.status.code)
        try claim(targets.isEmpty == !isDue, "after an unsafe method and a non-error status", [targets])
        guard let first = targets.first else { return }
        try claim(Set(targets).count == targets.count && targets.count <= 3, "each once", [targets])
        let isURI = TargetURI.split(uri) != nil
        try claim(isURI || (targets.count == 1 && first.isSame(as: uri)), "no URI has no others", [targets])
        for target in targets.dropFirst() {
            try claim(TargetURI.haveSameOrigin(target, uri), "of the same origin only (§4.4)", [target, uri])
        }
    }
}
