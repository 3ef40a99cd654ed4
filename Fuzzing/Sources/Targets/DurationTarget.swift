import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// Durations of rules and of `Cache-Control`, and the freshness computed from them: a line with a duration, then
/// fields.
enum DurationTarget: FuzzTarget {
    static let name = "duration"
    static let shapes = [
        HostileShape("9"), HostileShape("1s"), HostileShape("9", after: "1w"),
        HostileShape("9", after: "\nCache-Control: max-age="),
        HostileShape("9", after: "\nAge: 1\nCache-Control: max-age=1, stale-while-revalidate="),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let message = FuzzInput.Message(input.lines[...])
        if let duration = DurationText.parse(message.start) {
            try claim(duration >= .zero && duration <= .seconds(2_147_483_648), "within its limit", [duration])
            let printed = DurationText.print(duration)
            try claim(printed.flatMap { DurationText.parse($0) } == duration, "printed and read again", [duration])
        }
        for instant in [0, 1_700_000_000, Int64.max / 1_000, -Int64.max / 1_000] {
            try check(message.fields, at: WallInstant(unixSeconds: instant))
        }
    }

    private static func check(_ fields: HTTPFields, at time: WallInstant) throws(BrokenClaim) {
        let response = StoredResponse(
            status: .ok, fields: StorableFields.select(from: fields), requestTime: time, responseTime: time)
        let freshness = FreshnessInfo(of: response, in: .private)
        for now in [time, WallInstant(unixSeconds: .max / 1_000), WallInstant(unixSeconds: -.max / 1_000)] {
            try claim(response.currentAge(at: now) >= .zero, "an age is none before zero", [fields, now])
            try claim(freshness.currentAge(at: now) >= .zero, "an age is not negative", [fields, now])
            _ = freshness.timeToLive(at: now)
        }
        try claim(freshness.lifetime.duration >= .zero, "a lifetime is not negative", [fields])
    }
}
