import HTTPCacheSemantics
import HTTPTypes
import Testing

/// Through `CDN-Cache-Control`, a Dictionary whose values may be of any type.
@Suite("RFC 9651 §4.2 Parsing Structured Fields")
struct StructuredFieldTests {
    private static func isDictionary(_ value: String) -> Bool {
        TargetedCacheControl.directives([.cdnCacheControl: value], names: [.cdnCacheControl]) != nil
    }

    static let bareItems: [Row<String, Bool>] = [
        Row("0", true, "§4.2.4"),
        Row("-0", true, "§4.2.4: a sign"),
        Row("007", true, "§4.2.4: leading zeros are digits"),
        Row("999999999999999", true, "§4.2.4: fifteen digits"),
        Row("1000000000000000", false, "§4.2.4 \"more than 15 characters, fail\""),
        Row("0000000000000001", false, "§4.2.4 \"more than 15 characters, fail\""),
        Row("-999999999999999", true, "§4.2.4: the sign is no digit"),
        Row("+1", false, "§4.2.3.1: no type starts with a plus"),
        Row("-", false, "§4.2.4: an empty integer"),
        Row("--1", false, "§4.2.4: a digit behind the sign"),
        Row("1.5", true, "§4.2.4: a Decimal"),
        Row("123456789012.125", true, "§4.2.4: twelve digits and three"),
        Row("1234567890123.1", false, "§4.2.4 \"more than 12 characters, fail\""),
        Row("1.2345", false, "§4.2.4 \"greater than three, fail\""),
        Row("1.", false, "§4.2.4 \"If the final character … is '.', fail\""),
        Row("-.5", false, "§4.2.4: a digit first"),
        Row("1.2.3", false, "§4.2.4: the second point ends the number"),
        Row("\"\"", true, "§4.2.5"),
        Row("\"a \\\"b\\\" \\\\ c\"", true, "§4.2.5: two escapes"),
        Row("\"\\a\"", false, "§4.2.5 \"If next_char is not DQUOTE or '\\', fail\""),
        Row("\"a", false, "§4.2.5: no closing quote"),
        Row("\"a\\", false, "§4.2.5: no end"),
        Row("\"a\tb\"", false, "§4.2.5: a tab is no VCHAR"),
        Row("\"é\"", false, "§4.2.5: ASCII"),
        Row("'a'", false, "§4.2.3.1: single quotes start nothing"),
        Row("a", true, "§4.2.6"),
        Row("*a!#$%&'*+-.^_`|~:/0", true, "§4.2.6: tchar, \":\" and \"/\""),
        Row("Aé", false, "§4.2.6: a Token ends at what is none of its characters"),
        Row("_a", false, "§4.2.6: ALPHA or \"*\" first"),
        Row("::", true, "§4.2.7: nothing, in base64"),
        Row(":YQ==:", true, "§4.2.7"),
        Row(":YQ:", true, "§4.2.7 \"parsers SHOULD NOT fail when '=' padding is not present\""),
        Row(":YR==:", true, "§4.2.7 \"… when non-zero pad bits are present\""),
        Row(":YQ=:", false, "RFC 4648 §3.2: padding fills up to four"),
        Row(":YWJj=:", false, "RFC 4648 §3.2: nothing to fill up"),
        Row(":YWJjZA:", true, "§4.2.7: two digits of four"),
        Row(":Y:", false, "RFC 4648 §4: one digit holds no octet"),
        Row(":Y=Q=:", false, "RFC 4648 §3.3: padding is at the end"),
        Row(":Y Q=:", false, "RFC 4648 §3.1: no white space"),
        Row(":_-8=:", false, "§4.2.7: not the alphabet for URLs"),
        Row(":YQ==", false, "§4.2.7: no second colon"),
        Row("?1", true, "§4.2.8"),
        Row("?0", true, "§4.2.8"),
        Row("?2", false, "§4.2.8 \"No value has matched; fail\""),
        Row("?", false, "§4.2.8"),
        Row("?10", false, "§4.2.2: a comma behind the value"),
        Row("@1659578233", true, "§4.2.9"),
        Row("@-62135596800", true, "§4.2.9: a sign"),
        Row("@1.5", false, "§4.2.9 \"If output_date is a Decimal, fail\""),
        Row("@", false, "§4.2.9"),
        Row("%\"\"", true, "§4.2.10"),
        Row("%\"caf%c3%a9 \\ x\"", true, "§4.2.10: a backslash escapes nothing"),
        Row("%\"%C3%A9\"", false, "§4.2.10: lower-case digits"),
        Row("%\"%c3\"", false, "§4.2.10: no UTF-8"),
        Row("%\"%ed%a0%80\"", false, "§4.2.10: no UTF-8, but half of a surrogate pair"),
        Row("%\"%ef%bf%bd\"", true, "§4.2.10: U+FFFD itself is UTF-8"),
        Row("%\"%c\"", false, "§4.2.10: two digits"),
        Row("%\"a", false, "§4.2.10: no closing quote"),
        Row("%\"é\"", false, "§4.2.10: ASCII"),
        Row("%a", false, "§4.2.10: a quote behind the percent sign"),
        Row("", false, "§4.2.3.1: nothing is no type"),
        Row("é", false, "§4.2.3.1: no type starts so"),
        Row("()", true, "§4.2.1.2: an empty Inner List"),
        Row("( 1  \"a\" b;c )", true, "§4.2.1.2: spaces, and parameters of items"),
        Row("(1);a;b=2", true, "§4.2.1.2: parameters of the list"),
        Row("(1\t2)", false, "§4.2.1.2: a tab is no SP"),
        Row("(1,2)", false, "§4.2.1.2: SP or \")\" behind an item"),
        Row("(1\"a\")", false, "§4.2.1.2: SP or \")\" behind an item"),
        Row("((1))", false, "§4.2.1.2: no list within"),
        Row("(1", false, "§4.2.1.2 \"The end of the Inner List was not found; fail\""),
        Row("(1 ", false, "§4.2.1.2 \"The end of the Inner List was not found; fail\""),
        Row("(1);A", false, "§4.2.3.3: a broken parameter of the list"),
        Row("1;a=2;  b;*c", true, "§4.2.3.2: spaces behind the semicolon"),
        Row("1 ;a", false, "§4.2.3.2: none before it"),
        Row("1;\ta", false, "§4.2.3.2: SP only"),
        Row("1;a=(2)", false, "§4.2.3.2: a parameter is a bare item"),
        Row("1;a=", false, "§4.2.3.2: a value behind \"=\""),
        Row("1;", false, "§4.2.3.3: a key behind the semicolon"),
        Row("1;1", false, "§4.2.3.3: lcalpha or \"*\" first"),
        Row("1;a-b_c.d*0", true, "§4.2.3.3: what else a key has"),
    ]

    @Test("a value of each type, or of none", arguments: bareItems)
    func bareItem(_ row: Row<String, Bool>) {
        #expect(Self.isDictionary("before, x=" + row.given + ", after") == row.expected)
        #expect(Self.isDictionary("x=" + row.given) == row.expected)
    }

    @Test("a value of each type, or of none, as a parameter", arguments: bareItems.filter { !$0.given.hasPrefix("(") })
    func parameter(_ row: Row<String, Bool>) {
        #expect(Self.isDictionary("a; x=" + row.given + ", b") == row.expected)
        #expect(Self.isDictionary("a; x=" + row.given) == row.expected)
    }

    static let dictionaries: [Row<String, Bool>] = [
        Row("a", true, "§4.2.2: no \"=\" is Boolean true"),
        Row("a;b=1,c", true, "§4.2.2: with parameters"),
        Row("  a, b  ", true, "§4.2: SP around the value"),
        Row("a \t,\t b", true, "§4.2.2: OWS around a comma"),
        Row("a,", false, "§4.2.2 \"there is a trailing comma; fail\""),
        Row("a, ", false, "§4.2.2 \"there is a trailing comma; fail\""),
        Row(",a", false, "§4.2.3.3: a key first"),
        Row("a,,b", false, "§4.2.3.3: a key behind each comma"),
        Row("a b", false, "§4.2.2: a comma behind a member"),
        Row("a =1", false, "§4.2.2: no space before \"=\""),
        Row("a= 1", false, "§4.2.2: no space behind \"=\""),
        Row("A=1", false, "§4.2.3.3: lcalpha"),
        Row("1=1", false, "§4.2.3.3: lcalpha"),
        Row("a=1, a=2", true, "§4.2.2: a key again"),
        Row("*=1", true, "§4.2.3.3: or \"*\""),
        Row("a\u{301}", false, "§4.2: ASCII"),
        Row("a=1\u{301}", false, "§4.2: ASCII"),
    ]

    @Test("a Dictionary is whole or it is none", arguments: dictionaries)
    func dictionary(_ row: Row<String, Bool>) {
        #expect(Self.isDictionary(row.given) == row.expected)
    }
}

extension HTTPField.Name {
    static let cdnCacheControl = TargetedCacheControl.sharedCacheTargets[0]
}
