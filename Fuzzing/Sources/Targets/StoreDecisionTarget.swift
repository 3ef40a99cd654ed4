import HTTPCacheSemantics
import HTTPTypes

/// Whether a response may be stored, RFC 9111 §3: a request with its method first, then a response with its status.
enum StoreDecisionTarget: FuzzTarget {
    static let name = "store-decision"
    static let shapes =
        HostileShape.list(after: "GET\n\n200\nCache-Control: ")
        + [
            HostileShape(",", after: "GET\nCache-Control: "), HostileShape("Vary: *\n", after: "GET\n\n200\n"),
            HostileShape("\n"),
        ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let messages = input.messages(2)
        let (asked, answered) = (messages[0], messages[1])
        let request = HTTPRequest(
            method: asked.method, scheme: "https", authority: "example.org", path: "/", headerFields: asked.fields)
        for kind in CacheKind.allCases {
            func decide(_ request: HTTPRequest, _ fields: HTTPFields) -> StoreDecision {
                StoreDecision.decide(request: request, status: answered.status, fields: fields, in: kind)
            }
            let decision = decide(request, answered.fields)
            guard decision == .store else { continue }
            let directives = CachingDirectives(answered.fields, in: kind).control
            try claim(answered.status.code >= 200, "§3: a final status", [answered.fields])
            try claim(
                request.method == .get || request.method == .post && answered.fields.contains(.contentLocation),
                "§3, RFC 9110 §9.3.3: the method", [answered.fields])
            try claim(![304, 412, 416].contains(answered.status.code), "no answer to a condition", [answered.fields])
            try claim(
                answered.status != .partialContent
                    || answered.fields[.contentRange].flatMap { ContentRange($0) } != nil, "a part has its place")
            try claim(!CacheControl(asked.fields).has("no-store"), "§5.2.1.5", [asked.fields])
            try claim(!directives.has("no-store") || directives.has("must-understand"), "§5.2.2.5", [directives])
            try claim(Vary(answered.fields) != .anything, "§4.1: it would match nothing", [answered.fields])
            if kind == .shared {
                try claim(!directives.has("private"), "§5.2.2.7", [directives])
                let isAllowed = ["public", "must-revalidate", "s-maxage"].contains { directives.has($0) }
                try claim(!asked.fields.contains(.authorization) || isAllowed, "§3.5", [asked.fields])
            }
            // RFC 9213 §2.2: a shared cache ignores Cache-Control if there is a valid targeted field.
            let isTargeted =
                kind == .shared && TargetedCacheControl.sharedCacheTargets.contains { answered.fields.contains($0) }
            let forbidden = answered.fields.adding(.cacheControl, "no-store")
            try claim(
                decide(request, forbidden) != .store || directives.has("must-understand") || isTargeted,
                "no-store is heard", [forbidden])
            var quiet = request
            quiet.headerFields.append(HTTPField(name: .cacheControl, value: "no-store"))
            try claim(decide(quiet, answered.fields) != .store, "also that of the request", [quiet])
        }
    }
}
