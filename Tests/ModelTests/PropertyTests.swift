import CacheTesting
import Testing

@Suite("Properties of freshness and storing")
struct PropertyTests {
    /// Two requests for one resource: the origin's fields at the first one, and the client's at the second.
    private struct Visits {
        var origin: OriginPlan
        var request: [ModelField]
        var elapsed: Int64

        init(seed: UInt64, without left: [String] = []) {
            var random = SplitMix64(seed: seed)
            var choices = FieldChoices(random: SplitMix64(seed: random.next()))
            origin = OriginPlan()
            origin.fields = choices.responseFields().map { field in
                guard field.name == "cache-control" else { return field }
                let kept = ModelText.list(field.value).filter { directive in
                    !left.contains { directive.lowercased().hasPrefix($0) }
                }
                return ModelField(field.name, kept.joined(separator: ", "))
            }
            origin.status = random.pick([200, 200, 200, 404, 302, 503, 299])
            origin.date = random.pick([.ago(0), .ago(0), .none, .ago(30), .ago(-100), .literal("today")])
            if random.chance(30) { origin.expires = [.ago(-random.pick([5, 60, 600]))] }
            origin.delay = random.pick([0, 0, 5])
            origin.sendsLastModified = random.chance(30)
            request = choices.requestFields()
            elapsed = random.pick([0, 1, 5, 59, 60, 61, 599, 600, 1000])
        }

        func plan(isShared: Bool) -> HistoryPlan {
            func step(_ wait: Int64, _ fields: [ModelField]) -> HistoryPlan.Step {
                let request = RequestPlan(
                    partition: "", method: "GET", authority: "a.example", path: "/one", fields: fields)
                return HistoryPlan.Step(wait: wait, request: request, origin: origin)
            }
            // The second request has the fields that Vary may nominate with the first one's values.
            let nominated = request.filter { ["accept-language", "x-foo", "accept-encoding"].contains($0.name) }
            return HistoryPlan(isShared: isShared, steps: [step(0, nominated), step(elapsed, request)])
        }

        /// Whether the second answer comes from the store, without asking the origin.
        func isReused(isShared: Bool) async throws -> Bool {
            let played = await HistoryPlay(plan(isShared: isShared)).run()
            try #require(played.complaint == nil, "\(HistoryText.lines(of: played))")
            let last = try #require(played.exchanges.last)
            return last.contacts.isEmpty && last.answer.failure == nil
        }
    }

    private static let rounds: UInt64 = 500

    @Test("a longer max-age never makes a usable response unusable", arguments: [false, true])
    func monotoneInMaxAge(isShared: Bool) async throws {
        var reused = 0
        for seed in 0..<Self.rounds {
            var random = SplitMix64(seed: ~seed)
            var visits = Visits(seed: seed, without: ["max-age"])
            let fields = visits.origin.fields
            let less = random.pick([0, 1, 5, 60, 61, 600])
            visits.origin.fields = fields + [ModelField("Cache-Control", "max-age=\(less)")]
            guard try await visits.isReused(isShared: isShared) else { continue }
            reused += 1
            visits.origin.fields =
                fields + [ModelField("Cache-Control", "max-age=\(less + random.pick([1, 10, 1000]))")]
            let isReused = try await visits.isReused(isShared: isShared)
            #expect(isReused, "max-age \(less), \(visits)")
        }
        #expect(reused > Self.rounds / 10)
    }

    @Test("a response that can't be used now can't be used later", arguments: [false, true])
    func monotoneInTime(isShared: Bool) async throws {
        var refused = 0
        for seed in 0..<Self.rounds {
            var visits = Visits(seed: seed)
            guard try await !visits.isReused(isShared: isShared) else { continue }
            refused += 1
            visits.elapsed += [1, 10, 1000][Int(seed % 3)]
            let isReused = try await visits.isReused(isShared: isShared)
            #expect(!isReused, "\(visits)")
        }
        #expect(refused > Self.rounds / 10)
    }

    /// RFC 9111 §3 gives a shared cache one more reason to store than a private one, s-maxage; RFC 9213 gives it one
    /// more field.
    @Test("except for s-maxage and CDN-Cache-Control, a private cache may store all that a shared one may")
    func sharedWithinPrivate() async throws {
        var stored = 0
        for seed in 0..<Self.rounds {
            var visits = Visits(seed: seed, without: ["s-maxage"])
            visits.origin.fields.removeAll { $0.name == "cdn-cache-control" }
            guard try await isStored(visits, isShared: true) else { continue }
            stored += 1
            let isStored = try await isStored(visits, isShared: false)
            #expect(isStored, "\(visits)")
        }
        #expect(stored > Self.rounds / 10)
    }

    @Test("s-maxage alone lets only a shared cache store, RFC 9111 §3")
    func sharedReason() async throws {
        var visits = Visits(seed: 0)
        visits.request = []
        visits.origin = OriginPlan(status: 302, fields: [ModelField("Cache-Control", "s-maxage=60")])
        #expect(try await isStored(visits, isShared: true))
        #expect(try await !isStored(visits, isShared: false))
    }

    @Test("CDN-Cache-Control counts for shared caches only, RFC 9213 §3")
    func targetedReason() async throws {
        var visits = Visits(seed: 0)
        visits.request = []
        visits.origin = OriginPlan(
            fields: [ModelField("Cache-Control", "no-store"), ModelField("CDN-Cache-Control", "max-age=60")])
        #expect(try await isStored(visits, isShared: true))
        #expect(try await !isStored(visits, isShared: false))
    }

    private func isStored(_ visits: Visits, isShared: Bool) async throws -> Bool {
        let played = await HistoryPlay(visits.plan(isShared: isShared)).run()
        try #require(played.complaint == nil, "\(HistoryText.lines(of: played))")
        return try #require(played.exchanges.first).answer.saysStored
    }
}
