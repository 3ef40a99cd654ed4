import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9213 Targeted HTTP Cache Control")
struct TargetedCacheControlTests {
    typealias Directive = CacheControl.Directive

    private static func directives(_ lines: [String], _ names: [HTTPField.Name]) -> [Directive]? {
        TargetedCacheControl.directives(HTTPFields(lines: lines), names: names)?.directives
    }

    static let values: [Row<String, [Directive]?>] = [
        Row("max-age=60", [Directive(name: "max-age", argument: "60")], "§2.1 \"an integer value\""),
        Row(
            "max-age=600, must-revalidate",
            [Directive(name: "max-age", argument: "600"), Directive(name: "must-revalidate")], "§2.1"),
        Row("no-store", [Directive(name: "no-store")], "§2.1 \"always has a Boolean true value\""),
        Row("no-store=?1", [Directive(name: "no-store")], "RFC 9651 §4.1.2: true, spelt out"),
        Row("no-store=?0", [], "§2.1: false is not true"),
        Row(
            "no-cache=\"Set-Cookie, X-Id\"", [Directive(name: "no-cache", argument: "Set-Cookie, X-Id")],
            "§2.1 \"a string containing a comma-delimited list of field names\""),
        Row("community=UCI", [Directive(name: "community", argument: "UCI")], "§2.1: a Token"),
        Row("x=\"\"", [Directive(name: "x", argument: "")], "§2.1: a String"),
        Row("x=5", [Directive(name: "x", argument: "5")], "§2.1: an Integer of an extension"),
        Row("max-age=007", [Directive(name: "max-age", argument: "7")], "§2.1: an Integer is a number"),
        Row("max-age=-0", [Directive(name: "max-age", argument: "0")], "§2.1: an Integer is a number"),
        Row("max-age=-1", [], "RFC 9111 §1.2.2: no negative delta-seconds"),
        Row("max-age=1.0", [], "§2.1: a Decimal is not coerced"),
        Row("max-age=\"60\"", [], "§2.1 \"SHOULD NOT consume values that violate these inferred constraints\""),
        Row("s-maxage=ten", [], "§2.1: the same type as max-age"),
        Row("max-age", [], "§2.1: the same type as max-age"),
        Row("stale-if-error=\"60\", stale-while-revalidate=a", [], "§2.1: the same type as max-age"),
        Row("x=:YQ==:, y=@5, z=%\"a\", w=(a b), v=1.5", [], "§2.1: types that no directive has"),
        Row(
            "max-age=60;ext=1, no-store;x", [Directive(name: "max-age", argument: "60"), Directive(name: "no-store")],
            "§2.1 \"Parameters … are to be ignored\""),
        Row(
            "max-age=1, public, max-age=2", [Directive(name: "max-age", argument: "2"), Directive(name: "public")],
            "RFC 9651 §4.2.2: \"all but the last instance are ignored\""),
        Row("", nil, "§2.1 \"If a targeted field … is empty … MUST be ignored\""),
        Row("max-age=60, &&&&&", nil, "§2.1 \"a parsing error … MUST be ignored\""),
        Row("max-age =60", nil, "§2.1: a parsing error"),
        Row("Max-Age=60", nil, "§2.1: a parsing error: a key is in lower case"),
        Row("max-age=60, no-cache=\"é\"", nil, "§2.1: a parsing error"),
    ]

    @Test("members of the Dictionary are directives", arguments: values)
    func value(_ row: Row<String, [Directive]?>) {
        let lines = ["CDN-Cache-Control: " + row.given, "Cache-Control: max-age=5"]
        #expect(Self.directives(lines, TargetedCacheControl.sharedCacheTargets) == row.expected)
    }

    static let choices: [Row<[String], String?>] = [
        Row(["Cache-Control: max-age=5"], nil, "§2.2: falls back"),
        Row(["CDN-Cache-Control: max-age=1"], "1", "§2.2: the only one"),
        Row(["CDN-Cache-Control: max-age=1", "Example-Cache-Control: max-age=2"], "2", "§2.2 \"target-list order\""),
        Row(["CDN-Cache-Control: max-age=1", "Example-Cache-Control:"], "1", "§2.2 \"valid, non-empty value\""),
        Row(["CDN-Cache-Control: max-age=1", "Example-Cache-Control: =2"], "1", "§2.2 \"valid, non-empty value\""),
        Row(["Other-Cache-Control: max-age=1"], nil, "§2.2 \"not on a cache's target list MUST NOT change …\""),
        Row(["CDN-Cache-Control: public", "CDN-Cache-Control: max-age=1"], "1", "RFC 9651 §4.2: lines are combined"),
    ]

    @Test("the first valid field of the target list decides alone", arguments: choices)
    func choice(_ row: Row<[String], String?>) throws {
        let example = try #require(HTTPField.Name("Example-Cache-Control"))
        let found = Self.directives(row.given, [example] + TargetedCacheControl.sharedCacheTargets)
        #expect(found?.first { $0.name == "max-age" }?.argument == row.expected)
    }

    @Test("a cache without a target list has no targeted field")
    func noTargets() {
        #expect(Self.directives(["CDN-Cache-Control: max-age=1"], []) == nil)
    }
}
