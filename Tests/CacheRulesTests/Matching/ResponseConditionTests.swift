import CacheRules
import HTTPTypes
import Testing

@Suite("Conditions on the response are silent until there is one")
struct ResponseConditionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var condition: When
        var fields: HTTPFields?
        var holds: Bool
        var why: String

        init(_ condition: When, _ fields: HTTPFields?, _ holds: Bool, _ why: String) {
            (self.condition, self.fields, self.holds, self.why) = (condition, fields, holds, why)
        }

        var testDescription: String { why }
    }

    private static let css: HTTPFields = [.contentType: "text/css; charset=utf-8"]
    private static func control(_ value: String) -> HTTPFields { [.cacheControl: value] }

    static let rows = [
        Row(.contentType("text/css"), css, true, "parameters do not count (RFC 9110 §8.3.1)"),
        Row(.contentType("TEXT/CSS"), [.contentType: "Text/Css"], true, "types do not tell A from a (§8.3.1)"),
        Row(.contentType("text/*"), css, true, "every subtype"),
        Row(.contentType("text/*"), [.contentType: "textual/css"], false, "another type"),
        Row(.contentType("text/c"), css, false, "not a part of one"),
        Row(.contentType("image/*", "text/css"), css, true, "alternatives"),
        Row(.contentType("image/*"), [.contentType: "image/"], false, "no subtype"),
        Row(.contentType("text/css"), [:], false, "no Content-Type"),
        Row(.contentType("text/css"), nil, false, "no response: silent"),
        Row(.not(.contentType("text/css")), [:], true, "no Content-Type is not that one"),
        Row(.not(.contentType("text/css")), nil, false, "no response: silent also under not"),
        Row(.not(.not(.contentType("text/css"))), nil, false, "and under two"),
        Row(.responseHeader(.server), [.server: "x"], true, "is there"),
        Row(.responseHeader(.server, "y*"), [.server: "x"], false, "does not fit"),
        Row(.responseHeader(.server), nil, false, "no response: silent"),
        Row(.any(.contentType("text/css"), .host("a.test")), nil, true, "what is known decides"),
        Row(.any(.contentType("text/css"), .host("b.test")), nil, false, "what is not known could still"),
        Row(.not(.any(.contentType("text/css"), .host("b.test"))), nil, false, "so its opposite is silent too"),
        Row(.not(.any(.contentType("text/css"), .host("a.test"))), nil, false, "decided: no"),
        Row(.not(.contentType("text/css"), .host("b.test")), nil, true, "decided: one of two does not hold"),
        Row(.not(.contentType("text/css"), .host("a.test")), nil, false, "not decided"),
        Row(.freshness(.unstated), [:], true, "says nothing"),
        Row(.freshness(.unstated), control("public"), true, "public is no lifetime (RFC 9111 §5.2.2.9)"),
        Row(.freshness(.unstated), control("max-age=0"), false, "a lifetime of zero is one (§5.2.2.1)"),
        Row(.freshness(.unstated), [.expires: "0"], false, "so is an Expires that has passed (§5.3)"),
        Row(.freshness(.unstated), control("no-cache"), false, "§5.2.2.4"),
        Row(.freshness(.unstated), control("no-cache=\"set-cookie\""), true, "a field of it, not the response"),
        Row(.freshness(.unstated), control("s-maxage=9"), true, "for shared caches alone (§5.2.2.10)"),
        Row(.freshness(.unstated), control("must-revalidate"), true, "it gives no lifetime (§5.2.2.2)"),
        Row(.freshness(.unstated), control("private, must-revalidate"), true, "nor does this"),
        Row(.freshness(.noCache), control("must-revalidate"), false, "nothing about what is fresh"),
        Row(.freshness(.explicit), control("max-age=60, must-revalidate"), true, "once the lifetime is over"),
        Row(.freshness(.explicit), control("max-age=60"), true, "states one"),
        Row(.freshness(.explicit), control("max-age=60, no-cache"), false, "and takes it back"),
        Row(.freshness(.noCache), control("max-age=60, no-cache"), true, "§5.2.2.4"),
        Row(.freshness(.explicit), nil, false, "no response: silent"),
    ]

    @Test("content type, fields, freshness", arguments: rows)
    func row(_ row: Row) {
        #expect(holds(row.condition, for: exchange("https://a.test/x", response: row.fields)) == row.holds)
    }

    @Test("a list says whether it is worth asking again")
    func looksAtResponse() {
        #expect(!RuleList.protocolOnly.looksAtResponse)
        #expect(!RuleList([Rule("a", .bypass, when: .host("a.test"))]).looksAtResponse)
        #expect(RuleList([Rule("a", .bypass, when: .contentType("text/css"))]).looksAtResponse)
        #expect(RuleList([Rule("a", .bypass, when: .not(.any(.freshness(.explicit))))]).looksAtResponse)
        #expect(RuleList([Rule("a", .bypass, when: .all(.responseHeader(.server)))]).looksAtResponse)
    }

    @Test("a rule that waits for a response leaves it to the next until then")
    func waiting() {
        let list = RuleList {
            Rule("css", .cacheFirst, when: .contentType("text/css"))
            Rule("rest", .revalidate)
        }
        #expect(list.decision(for: exchange("https://a.test/x")).rule == "rest")
        #expect(list.decision(for: exchange("https://a.test/x", response: Self.css)).rule == "css")
    }
}
