import CacheRules
import CacheTesting
import HTTPTypes

/// Rules and addresses from few letters, so that they often meet.
struct RandomRules {
    var random: SplitMix64

    init(seed: Int) { random = SplitMix64(seed: seed) }

    mutating func list() -> RuleList {
        let count = random.below(6)
        return RuleList((0..<count).map { rule("rule-\($0)") })
    }

    private mutating func rule(_ name: String) -> Rule {
        let (verdict, expiry) = (verdict(), random.below(4) == 0 ? duration() : nil)
        let validation = random.pick(ValidationMethod.allCases)
        let ignoring = Set(random.list(upTo: 2) { $0.pick(OverridableDirective.allCases) })
        let tags = random.list(upTo: 2) { $0.pick(["a", "größe", "x/y", "\"q\""]) }
        let note = random.below(4) == 0 ? random.pick(["", "why\nnot", "\u{1F600} \\ \u{7F}"]) : nil
        let conditions = (0..<random.below(5)).map { _ in condition(depth: 0) }
        return Rule(
            name, verdict, ignoring: ignoring, expiry: expiry, validation: validation, tags: tags, note: note
        ) {
            for condition in conditions { condition }
        }
    }

    private mutating func duration() -> Duration {
        random.pick([
            .zero, .milliseconds(1_500), .seconds(90), .seconds(604_800), .milliseconds(random.below(1 << 40)),
        ])
    }

    private mutating func verdict() -> Verdict {
        switch random.below(14) {
        case 0: .neverStore
        case 1: .reload(random.pick(Verdict.Reach.allCases))
        case 2: .revalidate
        case 3: .fresh(for: duration())
        case 4: .permanent
        case 5: .cacheFirst
        case 6: .networkFirst(timeout: duration())
        case 7: .networkFirst(timeout: nil)
        case 8: .staleWhileRevalidate(for: duration())
        case 9: .staleWhileRevalidate(for: nil)
        case 10: .staleIfError(for: duration())
        case 11: .onlyIfStored
        case 12: .bypass
        default: random.pick([.storeOnlyIfExplicit, .followProtocol])
        }
    }

    mutating func condition(depth: Int) -> When {
        switch random.below(depth > 2 ? 13 : 16) {
        case 0: return .connectivity(random.list(upTo: 2) { $0.pick(Connectivity.Trait.allCases) })
        case 1: return .method(random.list(upTo: 2) { $0.pick([.get, .post, .head]) })
        case 2: return .destination(random.list(upTo: 3) { $0.pick(Destination.allCases) })
        case 3:
            return .host(
                random.list(upTo: 3) { $0.pick(["a.test", "b.test", "*.test", "*", "A.b.test", "*:80", "[::1]:9"]) })
        case 4: return .fileExtension(random.list(upTo: 2) { $0.pick(["js", "CSS", "é"]) })
        case 5: return .pathPrefix(random.list(upTo: 2) { $0.pick(["/", "/a", "/a/", "/é/", "/b/a/"]) })
        case 6: return .path(random.list(upTo: 2) { Self.glob(&$0) })
        case 7: return .query(random.pick(["a", "b", "", "é", "e\u{301}"]))
        case 8: return .query(random.pick(["a", "b"]), random.list(upTo: 2) { $0.pick(["", "*", "a?", #"\*"#]) })
        case 9:
            let name: HTTPField.Name = random.pick([.accept, .cookie])
            return .requestHeader(name, random.list(upTo: 2) { $0.pick(["a", "*b"]) })
        case 10: return .freshness(random.pick(StatedFreshness.allCases))
        case 11: return .contentType(random.list(upTo: 2) { $0.pick(["text/css", "image/*"]) })
        case 12:
            return random.pick([.responseHeader(.server), .requestHeader(.accept), .responseHeader(.server, "a*")])
        case 13: return .all((0..<random.below(4)).map { _ in condition(depth: depth + 1) })
        case 14: return .any((0..<random.below(4)).map { _ in condition(depth: depth + 1) })
        default: return .not((0..<random.below(4)).map { _ in condition(depth: depth + 1) })
        }
    }

    static func glob(_ random: inout SplitMix64) -> String {
        let parts = random.list(upTo: 6) {
            $0.pick(["a", "b", "/", "*", "**", "?", "ab", "/a/", #"\*"#, "{a/b,*}", "{,b?}/"])
        }
        return random.pick(["/", "**", "/a/"]) + parts.joined()
    }

    mutating func path() -> String {
        "/" + random.list(upTo: 8) { $0.pick(["a", "b", "/", "ab", "*", ".js"]) }.joined()
    }

    mutating func exchange() -> Exchange {
        let host = random.pick(["a.test", "b.test", "a.b.test", "a.test:80"])
        let query = random.list(upTo: 2) { $0.pick(["a", "b=", "a=ab", "b=*", "c"]) }.joined(separator: "&")
        let fields: HTTPFields? = random.pick([nil, [:], [.contentType: "text/css", .server: "a"]])
        return CacheRulesTests.exchange(
            random.pick(["http", "https"]) + "://" + host + path() + (random.below(2) == 0 ? "" : "?" + query),
            method: random.pick([.get, .post]), destination: random.pick([.script, .unknown]), response: fields)
    }
}
