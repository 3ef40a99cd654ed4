import CacheTesting

/// Makes short histories of few URIs, which often request stored responses again.
struct RandomHistory {
    private var random: SplitMix64
    private let isShared: Bool
    private let hasDisconnectedRule: Bool
    private var partitions = [""]
    private var places: [Place] = []

    /// A resource and its origin's usual behaviour.
    private struct Place {
        var authority: String
        var path: String
        var habit: OriginPlan

        /// The lifetime that the habit states; `nil` when it states none.
        var lifetime: Int64? {
            ModelDirectives(habit.fields.values("cache-control")).seconds("max-age").value.map { min($0, 1_000_000) }
        }
    }

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        isShared = random.chance(40)
        hasDisconnectedRule = random.chance(30)
    }

    mutating func plan() -> HistoryPlan {
        if random.chance(25) { partitions.append("second") }
        for _ in 0...random.below(3) {
            let place = Place(
                authority: random.pick(["a.example", "a.example", "b.example"]),
                path: random.pick(["/one", "/two", "/three?q=1"]), habit: origin())
            places.append(place)
        }
        let steps = 5 + random.below(26)
        return HistoryPlan(
            isShared: isShared, hasDisconnectedRule: hasDisconnectedRule, steps: (0..<steps).map { _ in step() })
    }

    private mutating func step() -> HistoryPlan.Step {
        let place = random.pick(places)
        var plan = random.chance(60) ? place.habit : origin()
        settleDown(&plan)
        let wait = wait(for: place)
        let request = request(for: place, after: wait)
        if request.method == "POST", random.chance(50) {
            // RFC 9110 §9.3.3 demands this of a POST response that answers later GETs.
            plan.status = 200
            plan.fields.removeAll { $0.name == "content-location" }
            plan.fields.append(ModelField("Content-Location", place.path))
            plan.fields.append(ModelField("Cache-Control", "max-age=600"))
        }
        return HistoryPlan.Step(wait: wait, request: request, origin: plan)
    }

    private mutating func wait(for place: Place) -> Int64 {
        if random.chance(4) { return -random.pick([1, 30, 60, 61, 600, 100_000]) }
        // At the end of freshness one second decides.
        if let lifetime = place.lifetime, random.chance(20) { return max(0, lifetime + random.pick([-1, 0, 0, 1])) }
        let usual: [Int64] = [0, 0, 0, 1, 1, 2, 5, 9, 10, 11, 59, 60, 61, 300, 599, 600, 3600, 86_400]
        return random.chance(90) ? random.pick(usual) : random.pick([604_799, 604_800, 604_801, 700_000])
    }

    // MARK: The request

    private mutating func request(for place: Place, after wait: Int64) -> RequestPlan {
        var plan = RequestPlan(
            partition: random.pick(partitions), method: "GET", authority: place.authority, path: place.path,
            fields: [])
        if random.chance(12) {
            plan.method = random.pick(["HEAD", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PROPTEST"])
        }
        if random.chance(5) { plan.authority = random.pick([place.authority.uppercased(), place.authority + ":80"]) }
        var choices = FieldChoices(random: random)
        plan.fields = choices.requestFields()
        random = choices.random
        if random.chance(10) {
            // Directives that the age since the last step only just satisfies, or misses.
            let edge = wait + random.pick([-1, 0, 0, 1])
            let left = (place.lifetime ?? 0) - edge
            plan.fields.removeAll { $0.name == "cache-control" }
            let limits = ["max-age=\(max(0, edge))", left > 0 ? "min-fresh=\(left)" : "max-stale=\(-left)"]
            plan.fields.append(ModelField("Cache-Control", random.pick(limits)))
        }
        if random.chance(12) {
            plan.ifNoneMatch = random.pick([.current, .weakCurrent, .currentAmongOthers, .other, .any])
        }
        if random.chance(6) { plan.ifModifiedSince = random.pick([.modified, .ago(0), .ago(5000), .broken]) }
        if random.chance(2) { plan.ifMatch = random.pick([.current, .other, .any]) }
        if random.chance(1) { plan.ifUnmodifiedSince = .ago(0) }
        if plan.fields.has("range"), random.chance(30) { plan.ifRange = random.pick([.current, .weakCurrent, .other]) }
        if hasDisconnectedRule, random.chance(12) { plan.isDisconnected = true }
        return plan
    }

    // MARK: The origin

    /// Sets what changes between answers even if the origin keeps its habits.
    private mutating func settleDown(_ plan: inout OriginPlan) {
        plan.changes = random.chance(20)
        plan.modifiedAgo = random.pick([0, 1, 100, 1000, 100_000, 5_000_000, 50_000_000])
        if random.chance(12) { plan.delay = random.pick([1, 2, 10]) }
        if random.chance(8) { plan.manner = .failure(random.pick(ModelFailure.allCases)) }
        if random.chance(4) {
            plan.manner = random.pick([.needlessNotModified, .foreignTag, .bareNotModified, .weakenedTag])
        }
        if random.chance(5) {
            plan.status = random.pick([500, 502, 503, 504])
            if random.chance(70) { plan.fields = [] }
            plan.expires = []
        }
        plan.ignoresConditions = random.chance(5)
        plan.honoursRange = random.chance(80)
        plan.truncates = random.chance(4)
        if random.chance(20) { plan.contentType = random.pick(["text/plain", "text/html"]) }
        plan.misstatesLength = random.chance(5)
    }

    private static let statuses =
        [203, 204, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 404, 405, 410, 414, 418, 451, 501]
        + [299, 399, 499, 599, 500, 503, 201, 205]

    private mutating func origin() -> OriginPlan {
        var plan = OriginPlan()
        if random.chance(25) { plan.status = random.pick(Self.statuses) }
        if random.chance(25) {
            plan.date = random.pick([.none, .literal("today"), .ago(-3600), .ago(1), .ago(5), .ago(60), .ago(90_000)])
        }
        if random.chance(25) { plan.expires = [expires()] }
        if random.chance(3) { plan.expires.append(expires()) }
        let tags: [OriginPlan.Tag] = [.strong, .strong, .strong, .weak, .broken("unquoted"), .none, .none]
        plan.tag = random.pick(tags)
        plan.sendsLastModified = random.chance(45)
        if random.chance(4) { plan.brokenLastModified = random.pick(["never", "0"]) }
        plan.statesLength = random.chance(80)
        if random.chance(50) { plan.contentType = "text/plain" }
        var choices = FieldChoices(random: random)
        plan.fields = choices.responseFields()
        random = choices.random
        return plan
    }

    private mutating func expires() -> OriginPlan.Moment {
        let moments: [OriginPlan.Moment] = [
            .ago(-10), .ago(-60), .ago(-600), .ago(-100_000), .ago(0), .ago(60), .literal("0"), .literal("-1"),
            .literal("Thu, 01 Jan 2099 00:00:00"), .literal("Fri, 32 Jan 2099 00:00:00 GMT"),
            .literal("thu, 01 jan 2099 00:00:00 gmt"), .literal("Thu, 01 Jan 2099 00:00:00 EST"),
        ]
        return random.pick(moments)
    }
}
