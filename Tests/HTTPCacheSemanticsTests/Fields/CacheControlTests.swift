import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §5.2 Cache-Control")
struct CacheControlTests {
    static let directives: [Row<[String], [String]>] = [
        Row([], [], "an absent field has no directives"),
        Row([""], [], "#cache-directive may be empty"),
        Row(["no-store"], ["no-store"], "cache-directive = token"),
        Row(["max-age=60"], ["max-age=60"], "token \"=\" token"),
        Row(["max-age=60, public"], ["max-age=60", "public"], "#cache-directive"),
        Row(["max-age=60,public"], ["max-age=60", "public"], "RFC 9110 §5.6.1: OWS around the comma"),
        Row(["max-age=60\t,\t public"], ["max-age=60", "public"], "RFC 9110 §5.6.1: OWS around the comma"),
        Row(["max-age=60", "public"], ["max-age=60", "public"], "RFC 9110 §5.3: several lines are one list"),
        Row([", ,max-age=60,,, public,"], ["max-age=60", "public"], "RFC 9110 §5.6.1.2: empty elements are ignored"),
        Row(
            ["Max-Age=60, NO-STORE"], ["max-age=60", "no-store"],
            "§5.2 \"identified by a token, to be compared case-insensitively\""),
        Row(["max-age=\"60\""], ["max-age=60"], "§5.2 \"recipients ought to accept both forms\""),
        Row(["community=\"UCI\""], ["community=UCI"], "§5.2.3: an extension with an argument"),
        Row(["a=\"x\\\"y\\\\z\""], ["a=x\"y\\z"], "RFC 9110 §5.6.4: a quoted-pair stands for its octet"),
        Row(
            ["a=\"no-store, max-age=5\", public"], ["a=no-store, max-age=5", "public"],
            "RFC 9110 §5.6.4: commas in quotes"),
        Row(["a=\"\""], ["a="], "RFC 9110 §5.6.4: an empty quoted-string"),
    ]

    @Test("the list of directives is read as its grammar says", arguments: directives)
    func checkDirectives(_ row: Row<[String], [String]>) {
        let read = CacheControl(lines: row.given).directives.map { directive in
            directive.name + (directive.argument.map { "=" + $0 } ?? "")
        }
        #expect(read == row.expected)
    }

    static let seconds: [Row<String, CacheControl.Seconds>] = [
        Row("public", .absent, "§5.2.2.1"),
        Row("max-age=0", .value(.zero), "§5.2.2.1 delta-seconds"),
        Row("max-age=003600", .value(.seconds(3_600)), "§1.2.2 1*DIGIT"),
        Row("max-age=\"3600\"", .value(.seconds(3_600)), "§5.2 \"accept both forms\""),
        Row("max-age=99999999999999999999", .value(.seconds(2_147_483_648)), "§1.2.2 overflow"),
        Row("max-age=60, max-age=10", .value(.seconds(60)), "§4.2.1 \"either the first occurrence should be used\""),
        Row("x=\"max-age=10\", max-age=60", .value(.seconds(60)), "RFC 9110 §5.6.4: not inside a quoted-string"),
        Row("x-max-age=10", .absent, "a token is compared as a whole"),
        Row("max-age", .invalid, "§5.2.2.1 needs an argument"),
        Row("max-age=", .invalid, "§5.2: an argument is a token or a quoted-string"),
        Row("max-age=\"\"", .invalid, "§1.2.2 1*DIGIT"),
        Row("max-age='60'", .invalid, "§1.2.2 1*DIGIT"),
        Row("max-age=-60", .invalid, "§1.2.2 1*DIGIT"),
        Row("max-age=60.0", .invalid, "§1.2.2 1*DIGIT"),
        Row("max-age=60s", .invalid, "§1.2.2 1*DIGIT"),
        Row("max-age =60", .invalid, "§5.2: no space before \"=\""),
        Row("max-age= 60", .invalid, "§5.2: no space after \"=\""),
        Row("max-age=60 10", .invalid, "§5.2: one argument"),
        Row("max-age=60; public", .invalid, "§5.2: a comma separates, not a semicolon"),
        Row("max-age=\"60\"5", .invalid, "§5.2: nothing follows the quoted-string"),
        Row("max-age=\"60", .invalid, "RFC 9110 §5.6.4: a quoted-string ends"),
        Row("max-age==60", .invalid, "§5.2: \"=\" is no token character"),
    ]

    @Test("max-age is digits, quoted or not, and anything else is invalid", arguments: seconds)
    func checkSeconds(_ row: Row<String, CacheControl.Seconds>) {
        #expect(CacheControl(lines: [row.given]).seconds("max-age") == row.expected)
    }

    static let damaged: [Row<String, [String]>] = [
        Row("\"public\", no-store", ["no-store"], "a quoted-string is no directive"),
        Row("=5, no-store", ["no-store"], "a directive starts with a token"),
        Row("no store, no-store", ["no", "no-store"], "a token ends at a space"),
        Row("private=\"a, no-store", ["private", "no-store"], "an open quote hides nothing"),
        Row("no-store foo", ["no-store"], "a restriction counts in spite of what follows"),
        Row("é=1, no-store", ["no-store"], "a token is ASCII"),
        Row("no-store\u{301}, public", ["no-store", "public"], "a combining mark is no part of a token"),
        Row(",\u{301}no-store, public", ["public"], "a directive starts with a token"),
    ]

    @Test("damage to one directive leaves the others", arguments: damaged)
    func checkDamaged(_ row: Row<String, [String]>) {
        #expect(CacheControl(lines: [row.given]).directives.map(\.name) == row.expected)
    }

    static let qualified: [Row<[String], [String]?>] = [
        Row(["no-cache"], nil, "§5.2.2.4: the unqualified form"),
        Row(["public"], nil, "absent"),
        Row(["no-cache=\"Set-Cookie\""], ["set-cookie"], "§5.2.2.4 #field-name"),
        Row(["no-cache=Set-Cookie"], ["set-cookie"], "§5.2.2.4 \"a sender SHOULD NOT generate the token form\""),
        Row(["no-cache=\"Set-Cookie, X-Id\""], ["set-cookie", "x-id"], "§5.2.2.4 #field-name"),
        Row(["no-cache=\"A\", no-cache=\"B\""], ["a", "b"], "each occurrence restricts on its own"),
        Row(["no-cache=\"A\"", "no-cache=\"B\""], ["a", "b"], "each occurrence restricts on its own"),
        Row(["no-cache=\", A,,\""], ["a"], "RFC 9110 §5.6.1.2: empty elements are ignored"),
    ]

    @Test("the qualified form lists field names", arguments: qualified)
    func checkQualified(_ row: Row<[String], [String]?>) {
        let names = CacheControl(lines: row.given).qualifiedFieldNames("no-cache")
        #expect(names?.map(\.canonicalName) == row.expected)
    }

    static let unqualified: [Row<String, Bool>] = [
        Row("no-cache", true, "§5.2.2.4: the unqualified form"),
        Row("public", false, "absent"),
        Row("no-cache=\"Set-Cookie\"", false, "§5.2.2.4: the qualified form"),
        Row("no-cache=\"Set-Cookie\", no-cache", true, "§4.2.1 \"the most restrictive directive should be honored\""),
        Row("no-cache=\"\"", true, "a list of nothing lifts no restriction"),
        Row("no-cache=", true, "an argument that is none lifts no restriction"),
        Row("no-cache=\"Set Cookie\"", true, "a member that is no field name can't be excluded"),
        Row("no-cache=\"Set-Cookie", true, "an open quote lists nothing"),
        Row("no-cache=\"Cache-Control\"", true, "without Cache-Control the response would be reused by other rules"),
        Row("no-cache=\"X, Age\"", true, "without Age the response would look younger"),
    ]

    @Test("what can't be read as a list of fields covers the whole response", arguments: unqualified)
    func checkUnqualified(_ row: Row<String, Bool>) {
        #expect(CacheControl(lines: [row.given]).hasUnqualified("no-cache") == row.expected)
    }

    @Test("every line of the field counts, and other fields do not")
    func fields() {
        let fields = HTTPFields(lines: ["Cache-Control: max-age=5", "Pragma: no-cache", "cache-control: no-store"])
        #expect(CacheControl(fields).directives.map(\.name) == ["max-age", "no-store"])
    }
}
