/// RFC 9111 §4.2, in milliseconds, because a tenth of an interval may not be a whole second.
enum ModelFreshness {
    /// "defined as heuristically cacheable" by RFC 9110 §15 and RFC 7725 §3.
    static func isCacheable(_ status: Int) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 451, 501].contains(status)
    }

    /// §4.2.1: the first match of the list wins.
    static func lifetime(_ record: ModelRecord, _ cache: ModelKind) -> Int64 {
        let policy = record.policy(cache)
        if cache.isShared {
            switch policy.directives.seconds("s-maxage") {
            case .value(let seconds): return seconds * 1000
            case .unreadable: return 0
            case .absent: break
            }
        }
        switch policy.directives.seconds("max-age") {
        case .value(let seconds): return seconds * 1000
        case .unreadable: return 0
        case .absent: break
        }
        if let expires = policy.expires.first {
            // §5.3: "MUST interpret invalid date formats … as representing a time in the past".
            guard let expires = ModelDate.parse(expires) else { return 0 }
            return max(0, expires - record.date) * 1000
        }
        // §4.2.2, our choice: a tenth of the time since the last modification, at most seven days; nothing in a shared
        // cache where it may be one user's.
        guard isCacheable(record.status) || policy.directives.has("public"),
            !cache.isShared || !record.fields.has("set-cookie"),
            let modified = record.lastModified
        else { return 0 }
        return min(max(0, record.date - modified) * 100, 7 * 86_400_000)
    }

    /// §4.2.3 in seconds.
    static func age(_ record: ModelRecord, at now: Int64) -> Int64 {
        let apparent = max(0, record.responseTime - record.date)
        // §5.1: the first member of a list counts; a value that is no number is ignored.
        let value =
            record.fields.values("age").first.flatMap { ModelText.list($0).first ?? "" }
            .flatMap { ModelText.seconds($0) } ?? 0
        let corrected = value + (record.responseTime - record.requestTime)
        return max(apparent, corrected) + max(0, now - record.responseTime)
    }

    /// `response_is_fresh = (freshness_lifetime > current_age)`.
    static func isFresh(_ record: ModelRecord, at now: Int64, _ cache: ModelKind) -> Bool {
        !record.isMarkedStale && lifetime(record, cache) > age(record, at: now) * 1000
    }

    /// Whether the clock is so far behind the response's arrival that the age is unknown.
    static func isAgeUnknown(_ record: ModelRecord, at now: Int64) -> Bool {
        record.responseTime - now > 60
    }

    /// How long the response has been stale, in milliseconds.
    static func staleness(_ record: ModelRecord, at now: Int64, _ cache: ModelKind) -> Int64 {
        age(record, at: now) * 1000 - lifetime(record, cache)
    }

    /// §4.2.4: "prohibited by an explicit in-protocol directive".
    static func forbidsStale(_ record: ModelRecord, _ cache: ModelKind) -> Bool {
        let directives = record.policy(cache).directives
        return directives.hasUnqualified("no-cache") || directives.has("must-revalidate")
            || cache.isShared && (directives.has("proxy-revalidate") || directives.has("s-maxage"))
    }
}
