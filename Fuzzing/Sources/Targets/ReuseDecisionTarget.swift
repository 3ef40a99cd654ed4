import HTTPCacheSemantics
import HTTPTypes

/// Whether a stored response may be reused, RFC 9111 §4: the presented request, its start line the present moment, then
/// the stored response, its start line `status requestTime responseTime`.
enum ReuseDecisionTarget: FuzzTarget {
    static let name = "reuse-decision"
    static let shapes =
        HostileShape.list(after: "0\n\n200 0 0\nCache-Control: ")
        + [
            HostileShape(",", after: "0\nCache-Control: "),
            HostileShape("1,", after: "0\n\n200 0 0\nAge: "), HostileShape("a", after: "0\n\n200 0 0\nExpires: "),
            HostileShape("no-cache,", after: "0\nPragma: "),
        ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let messages = input.messages(2)
        let (presented, stored) = (messages[0], messages[1])
        let response = stored.storedResponse
        let now = WallInstant(unixSeconds: presented.number(0))
        let later = now + .seconds(1)
        for kind in CacheKind.allCases {
            let caching = CachingDirectives(response.fields, in: kind)
            let directives = caching.control
            let freshness = FreshnessInfo(of: response, in: kind)
            let request = RequestDirectives(presented.fields)
            let basis = ReuseDecision.decide(freshness, request: request, at: now)
            let next = ReuseDecision.decide(freshness, request: request, at: later)
            try claim(basis.currentAge >= .zero, "an age is not negative (§4.2.3)", [basis])
            try claim(basis.lifetime.duration >= .zero, "nor is a lifetime (§4.2.1)", [basis])
            try claim(next.currentAge >= basis.currentAge, "nothing gets younger", [basis, next])
            try claim(next.lifetime == basis.lifetime, "a lifetime does not depend on the moment", [basis, next])
            switch basis.decision {
            case .reuse: try claim(basis.remaining > .zero, "fresh (§4.2)", [basis])
            case .reuseStale:
                try claim(!ReuseDecision.forbidsStale(directives, in: kind), "stale where allowed (§4.2.4)", [basis])
                try claim(CacheControl(presented.fields).has("max-stale"), "and asked for (§5.2.1.2)", [basis])
            case .reuseWhileRevalidating:
                try claim(!ReuseDecision.forbidsStale(directives, in: kind), "stale where allowed (§4.2.4)", [basis])
                try claim(directives.has("stale-while-revalidate"), "and offered (RFC 5861 §3)", [basis])
            case .validate: continue
            }
            try claim(!directives.hasUnqualified("no-cache"), "§5.2.2.4", [directives])
            try claim(!CacheControl(presented.fields).has("no-cache"), "§5.2.1.4", [presented.fields])
            let asking = ReuseDecision.decide(
                freshness, request: RequestDirectives(presented.fields.adding(.cacheControl, "no-cache")), at: now)
            try claim(asking.decision == .validate(.noCacheInRequest), "no-cache is heard", [presented.fields])
            // A targeted field replaces Cache-Control (RFC 9213 §2.2).
            guard !caching.isTargeted else { continue }
            var forbidding = response
            forbidding.fields.append(HTTPField(name: .cacheControl, value: "no-cache"))
            let forbidden = ReuseDecision.decide(
                FreshnessInfo(of: forbidding, in: kind), request: request, at: now)
            try claim(forbidden.decision == .validate(.noCacheInResponse), "also that of the response", [response])
        }
    }
}
