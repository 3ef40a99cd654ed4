import CacheTesting
import HTTPCacheSemantics
import Testing

@Suite("draft-ietf-httpbis-no-vary-search-10 §6 Comparing")
struct NoVarySearchMatchingTests {
    struct Pair: Sendable, CustomStringConvertible {
        var field, stored, presented: String

        /// Of `https://example.com/`, unless absolute.
        init(_ field: String, _ stored: String, _ presented: String) {
            func absolute(_ reference: String) -> String {
                reference.contains("://") ? reference : "https://example.com/" + reference
            }
            (self.field, self.stored, self.presented) = (field, absolute(stored), absolute(presented))
        }

        var description: String { "\(stored) and \(presented) under \"\(field)\"" }
    }

    static let rows: [Row<Pair, Bool>] = [
        // The default config.
        Row(Pair("", "?a=1", "?a=1"), true, "step 2: equal queries"),
        Row(Pair("", "?a=1&b=2", "?b=2&a=1"), false, "step 2: equal queries only"),
        Row(Pair("", "a", "a?"), false, "step 2 \"will be treated as inequivalent\""),
        Row(Pair("", "foo?a=b&&&c", "foo?a=b&c="), false, "step 2 \"will be treated as inequivalent\""),
        Row(Pair("params=()", "a", "a?"), false, "step 2: equivalent to the default"),
        // §6.1, the table of examples.
        Row(Pair("key-order", "", "?"), true, "§6.1: a null query is parsed as an empty one"),
        Row(Pair("key-order", "?a=x", "?%61=%78"), true, "§6.1: percent-decoding"),
        Row(Pair("key-order", "?a=é", "?a=%C3%A9"), true, "§6.1: percent-decoding"),
        Row(Pair("key-order", "?a=%f6", "?a=%ef%bf%bd"), true, "§6.1: both are U+FFFD"),
        Row(Pair("key-order", "?a=x&&&&", "?a=x"), true, "§6.1: empty strings are discarded"),
        Row(Pair("key-order", "?a=", "?a"), true, "§6.1: an empty value"),
        Row(Pair("key-order", "?a=%20", "?a= &"), true, "§6.1: a space"),
        Row(Pair("key-order", "?a=+", "?a= &"), true, "§6.1: a space"),
        Row(Pair("key-order", "?a=%C3%A9", "?a=e%CC%81"), false, "§6.1 \"no Unicode normalization\""),
        // The parser.
        Row(Pair("key-order", "?a=%2B", "?a=+"), false, "URL §5.1: an encoded plus is a plus"),
        Row(Pair("key-order", "?a=b=c", "?a=b%3Dc"), true, "URL §5.1: the first \"=\" separates"),
        Row(Pair("key-order", "?a%3Db", "?a=b"), false, "URL §5.1: decoded after the split"),
        Row(Pair("key-order", "?a%26b", "?a&b"), false, "URL §5.1: decoded after the split"),
        Row(Pair("key-order", "?=", "?"), false, "URL §5.1: \"=\" is an empty name with an empty value"),
        Row(Pair("key-order", "?a;b", "?a&b"), false, "URL §5.1: a semicolon separates nothing"),
        Row(Pair("key-order", "?a=%zz", "?a=%25zz"), true, "URL §1.3: no two digits, no octet"),
        Row(Pair("key-order", "?%F0%9F%92=1", "?%EF%BF%BD=1"), true, "Encoding §4.1: a cut sequence is one U+FFFD"),
        Row(Pair("key-order", "?a=%C0%80", "?a=%EF%BF%BD%EF%BF%BD"), true, "Encoding §8.1.1: never a lead, then two"),
        Row(Pair("key-order", "?a=%EF%BB%BFx", "?a=x"), false, "§5.3 \"without BOM\": none is looked for"),
        Row(Pair("key-order", "?A=1", "?a=1"), false, "names have their case"),
        Row(Pair("key-order", "?a=1", "?a=%31?"), false, "a question mark is part of the query"),
        // key-order
        Row(Pair("key-order", "?a=1&b=2", "?b=2&a=1"), true, "step 8: sorted by name"),
        Row(Pair("key-order", "?a=1&b=2&a=3", "?a=1&a=3&b=2"), true, "step 8: sorted by name"),
        Row(Pair("key-order", "?a=1&a=3", "?a=3&a=1"), false, "step 8: a stable sort"),
        Row(Pair("key-order", "?b=2&a=1&a=3", "?a=3&b=2&a=1"), false, "step 8: a stable sort"),
        Row(Pair("key-order", "?a=1&b=2", "?a=2&b=1"), false, "step 11: values too"),
        Row(Pair("key-order", "?a=1", "?a=1&a=1"), false, "step 9: sizes"),
        Row(Pair("key-order", "?ab=&a=", "?a&ab"), true, "step 8: a name is longer than its start"),
        // params
        Row(Pair("params=(\"utm\")", "?id=1&utm=x", "?id=1"), true, "step 6: no-vary params"),
        Row(Pair("params=(\"utm\")", "?utm=x", "?utm=y&utm=z"), true, "step 6: no-vary params"),
        Row(Pair("params=(\"utm\")", "", "?utm=z"), true, "step 6, without any query"),
        Row(Pair("params=(\"utm\")", "?id=1", "?id=2"), false, "step 6: others vary"),
        Row(Pair("params=(\"utm\")", "?id=1&utm=x", "?utm=x"), false, "step 6: others vary"),
        Row(Pair("params=(\"utm\")", "?utm_x=1", "?"), false, "step 6: whole names"),
        Row(Pair("params=(\"utm\")", "?utm%00=1", "?"), false, "step 6: whole names"),
        Row(Pair("params=(\"utm\")", "?a=1&utm=1&b=2", "?b=2&a=1"), false, "step 8: order matters"),
        Row(Pair("params=(\"utm\"), key-order", "?a=1&utm=1&b=2", "?b=2&a=1"), true, "steps 6 and 8"),
        Row(Pair("params=(\"%C3%A9+%E6%B0%97\")", "?é 気=1", "?%C3%A9%20気=3"), true, "§5.3.1, two of the URIs"),
        Row(Pair("params=(\"%C3%A9+%E6%B0%97\")", "?é+気=2", "?%C3%A9+%E6%B0%97=4"), true, "§5.3.1, two of the URIs"),
        Row(Pair("params=(\"%C3%A9\")", "?e%CC%81=1", "?"), false, "§6.1 \"no Unicode normalization\""),
        Row(Pair("params=(\"\")", "?=1&a=2", "?a=2"), true, "an empty name is a name"),
        // except
        Row(Pair("except=(\"id\")", "?id=1&x=2", "?y=3&id=1"), true, "step 7: vary params"),
        Row(Pair("except=(\"id\")", "?id=1", "?id=2"), false, "step 7: vary params"),
        Row(Pair("except=(\"id\")", "?id=1", ""), false, "step 7: vary params"),
        Row(Pair("except=()", "?id=1", "?x=2"), true, "step 7: nothing varies"),
        Row(Pair("except=()", "?id=1", ""), true, "step 7: nothing varies"),
        Row(Pair("except=(\"a\" \"b\")", "?a=1&b=2", "?b=2&a=1"), false, "step 8: order matters"),
        // The rest of the URI.
        Row(Pair("except=()", "a?x", "b?x"), false, "step 1: path"),
        Row(Pair("except=()", "https://a.example/?x", "https://b.example/?x"), false, "step 1: host"),
        Row(Pair("except=()", "https://a.example/", "http://a.example/"), false, "step 1: scheme"),
        Row(Pair("except=()", "https://a.example/", "https://a.example:8443/"), false, "step 1: port"),
        Row(Pair("except=()", "https://a.example/?x", "HTTPS://A.EXAMPLE:443?y#z"), true, "RFC 9110 §4.2.3"),
        Row(Pair("except=()", "https://u@a.example/", "https://a.example/"), true, "step 1: userinfo is not in it"),
        Row(Pair("except=()", "A", "a"), false, "RFC 3986 §6.2.2.1: a path has its case"),
        Row(Pair("except=()", "a?x#y", "a#?z"), true, "a fragment is no query"),
        Row(Pair("except=()", "a%3Fb", "a?b"), false, "an encoded question mark is part of the path"),
        Row(Pair("except=()", "https:///?x", "https:///?x"), false, "RFC 9110 §4.2.1: no host"),
    ]

    @Test("URIs match but for what does not vary", arguments: rows)
    func match(_ row: Row<Pair, Bool>) {
        let config = NoVarySearch(lines: [row.given.field])
        #expect(config.match(row.given.stored, row.given.presented) == row.expected)
        #expect(config.match(row.given.presented, row.given.stored) == row.expected, "the other way round")
    }

    @Test("texts that are no absolute URI match nothing", arguments: ["", "/a?b", "example.com/a", "https:a"])
    func noURI(text: String) {
        #expect(!NoVarySearch().match(text, text))
        #expect(!NoVarySearch(parameters: .only([])).match(text, text))
    }

    /// A query whose parameters stand in an order of its own, but values of one name in theirs.
    private static func shuffled(
        _ parameters: [(name: String, value: String)], _ generator: inout SplitMix64
    ) -> String {
        var names = parameters.map(\.name)
        names.shuffle(using: &generator)
        var rest = parameters
        return names.compactMap { name in
            rest.firstIndex { $0.name == name }.map { rest.remove(at: $0) }
        }.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    @Test("a match is one for any order and any noise, and no other", arguments: [1, 2, 3] as [UInt64])
    func noise(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let config = NoVarySearch(ignoresKeyOrder: true, parameters: .allBut(.named("noise", "é")))
        for _ in 0..<500 {
            let kept = generator.values(1...6) {
                (name: $0.text(of: "abc", count: 1...2), value: $0.text(of: "01", count: 0...2))
            }
            func presented(_ parameters: [(name: String, value: String)]) -> String {
                let noise = generator.values(0...3) { _ in (name: "noise", value: "1") }
                let accents = generator.values(0...3) { _ in (name: "%C3%A9", value: "2") }
                return "https://example.com/?" + Self.shuffled(parameters + noise + accents, &generator)
            }
            #expect(config.match(presented(kept), presented(kept)), "\(kept)")
            var changed = kept
            changed[Int.random(in: 0..<kept.count, using: &generator)].value += "2"
            #expect(!config.match(presented(kept), presented(changed)), "\(kept) and \(changed)")
        }
    }
}
