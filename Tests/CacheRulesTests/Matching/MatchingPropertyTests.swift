@testable import CacheRules
import CacheTesting
import HTTPTypes
import Testing

@Suite("Matching against slow models")
struct MatchingPropertyTests {
    /// By trying every length of every wildcard.
    private static func fits(_ glob: Substring, _ path: Substring) -> Bool {
        guard let first = glob.first else { return path.isEmpty }
        switch first {
        case "\\" where glob.count > 1:
            let rest = glob.dropFirst()
            return path.first == rest.first && fits(rest.dropFirst(), path.dropFirst())
        case "?": return path.first != nil && path.first != "/" && fits(glob.dropFirst(), path.dropFirst())
        case "*":
            let crosses = glob.dropFirst().first == "*"
            let rest = glob.drop { $0 == "*" }
            var tail = path
            while true {
                if fits(rest, tail) { return true }
                guard let next = tail.first, crosses || next != "/" else { return false }
                tail = tail.dropFirst()
            }
        default: return path.first == first && fits(glob.dropFirst(), path.dropFirst())
        }
    }

    /// A path that ends in `/**` means the folder itself as well; of `{a,b}` either is put in its place.
    private static func fitsPath(_ glob: Substring, _ path: Substring) -> Bool {
        if let start = glob.firstIndex(of: "{"), let end = glob.firstIndex(of: "}") {
            let words = glob[glob.index(after: start)..<end].split(separator: ",", omittingEmptySubsequences: false)
            return words.contains { fitsPath(glob[..<start] + $0 + glob[glob.index(after: end)...], path) }
        }
        let stars = glob.reversed().prefix { $0 == "*" }.count
        let endsInFolder = stars > 1 && glob.dropLast(stars).hasSuffix("/")
        return fits(glob, path) || endsInFolder && fits(glob, path + "/")
    }

    @Test("a glob fits what the model says", arguments: 0..<40)
    func globs(_ seed: Int) {
        var rules = RandomRules(seed: seed)
        for _ in 0..<100 {
            let glob = RandomRules.glob(&rules.random)
            for _ in 0..<5 {
                let path = rules.path()
                let expected = Self.fitsPath(Substring(glob), Substring(path))
                #expect(holds(.path(glob), for: exchange("https://a.test" + path)) == expected, "\(glob) \(path)")
            }
        }
    }

    /// Every pattern by itself.
    private static func truth(_ condition: When, _ exchange: Exchange) -> Bool? {
        switch condition.kind {
        case .all(let inner): return all(inner, exchange)
        case .not(let inner): return all(inner, exchange).map { !$0 }
        case .any(let inner):
            let truths = inner.map { truth($0, exchange) }
            return truths.contains(true) ? true : truths.contains(nil) ? nil : false
        case .path(let globs):
            return globs.contains { glob in
                fitsPath(Substring(glob.text), (exchange.request.path ?? "").prefix { $0 != "?" })
            }
        case .query(let item):
            let query = (exchange.request.path ?? "").split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
            return query.split(separator: "&").contains { part in
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard (pair.first ?? "").utf8.elementsEqual(item.name) else { return false }
                let value = pair.count > 1 ? String(pair[1]) : ""
                return item.values?.contains { fits(Substring($0.text), Substring(value)) } ?? true
            }
        default:
            let rule = Rule("x", .bypass, when: condition)
            if rule.verdict(for: exchange) != nil { return true }
            return condition.looksAtResponse && exchange.response == nil ? nil : false
        }
    }

    private static func all(_ conditions: [When], _ exchange: Exchange) -> Bool? {
        let truths = conditions.map { truth($0, exchange) }
        return truths.contains(false) ? false : truths.contains(nil) ? nil : true
    }

    @Test("a list rules as its rules do one by one, without what makes it fast", arguments: 0..<60)
    func lists(_ seed: Int) {
        var rules = RandomRules(seed: seed)
        for _ in 0..<20 {
            let list = rules.list()
            for _ in 0..<20 {
                let exchange = rules.exchange()
                let expected = (list.values ?? []).first { Self.all($0.conditions, exchange) == true }
                #expect(list.decision(for: exchange).rule == expected?.name)
            }
        }
    }
}
