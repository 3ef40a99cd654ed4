import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("draft-ietf-httpbis-no-vary-search-10 §5 Parsing No-Vary-Search")
struct NoVarySearchTests {
    static let byDefault = NoVarySearch()

    static let values: [Row<[String], NoVarySearch>] = [
        Row([], byDefault, "§5.1 step 1: absent"),
        Row([""], byDefault, "§5.1: an empty Dictionary"),
        Row(["key-order"], NoVarySearch(ignoresKeyOrder: true), "§5.2.1, first example"),
        Row(["params=(\"a\")"], NoVarySearch(parameters: .allBut(.named("a"))), "§5.2.1, second example"),
        Row(["except=(\"x\")"], NoVarySearch(parameters: .only(.named("x"))), "§5.2.1, third example"),
        Row(["params=()"], byDefault, "§5.2.1, fourth example"),
        Row(["except=()"], NoVarySearch(parameters: .only([])), "§5.2.1, fifth example"),
        Row(
            ["params=(\"utm_source\" \"utm_medium\"), key-order"],
            NoVarySearch(ignoresKeyOrder: true, parameters: .allBut(.named("utm_source", "utm_medium"))),
            "§5.1: in any order"),
        Row(
            ["key-order", "except=(\"x\")"], NoVarySearch(ignoresKeyOrder: true, parameters: .only(.named("x"))),
            "RFC 9651 §4.2: lines are combined"),
        Row(["key-order=?1"], NoVarySearch(ignoresKeyOrder: true), "§5.2.1: unconventional"),
        Row(["key-order=?0"], byDefault, "§5.2.1: unconventional"),
        Row(["key-order=\"not a boolean\""], byDefault, "§5.2.1: expects a boolean"),
        Row(["params=\"not an inner list\""], byDefault, "§5.2.1: expects an inner list"),
        Row(["params=(not-a-string)"], byDefault, "§5.2.1: items must be strings"),
        Row(["params=(\"a\" b)"], byDefault, "§5.1: any item that is not a string"),
        Row(["params=?0"], byDefault, "draft 03 §4.2: nothing is ignored"),
        Row(["params=?1"], NoVarySearch(parameters: .only([])), "draft 03 §4.2: everything is ignored"),
        Row(["params"], NoVarySearch(parameters: .only([])), "draft 03 §4.2: everything is ignored"),
        Row(["params, except=(\"x\")"], NoVarySearch(parameters: .only(.named("x"))), "draft 03 §4.2: all but these"),
        Row(["except=(\"x\"), params"], NoVarySearch(parameters: .only(.named("x"))), "a Dictionary has no order"),
        Row(["params=?0, except=(\"x\")"], byDefault, "draft 03 §4.2: nothing to except from"),
        Row(["params=(\"a\"), except=(\"x\")"], byDefault, "§5.2.1: cannot both be present"),
        Row(["params=(), except=()"], byDefault, "§5.2.1: cannot both be present"),
        Row(["except=\"not an inner list\""], byDefault, "§5.2.1: expects an inner list"),
        Row(["except=(not-a-string)"], byDefault, "§5.2.1: items must be strings"),
        Row(["except=?1"], byDefault, "§5.2.1: not a boolean"),
        Row(["key-order=1, params=(\"a\")"], byDefault, "§5.1 step 4: one wrong value and all is default"),
        Row(["key-order, params=1"], byDefault, "§5.1 step 7: one wrong value and all is default"),
        Row(
            ["key-order;x=1, params=(\"a\";y \"b\");z"],
            NoVarySearch(ignoresKeyOrder: true, parameters: .allBut(.named("a", "b"))),
            "§5.1 \"ignoring any parameters\""),
        Row(["future=5, key-order"], NoVarySearch(ignoresKeyOrder: true), "§3 \"will ignore such entries\""),
        Row(
            ["params=(\"a\"), params=(\"b\")"], NoVarySearch(parameters: .allBut(.named("b"))),
            "RFC 9651 §4.2.2: of equal keys the last counts"),
        Row(["key-order,"], byDefault, "§5.2 \"If parsing fails\": a trailing comma"),
        Row(["Key-Order"], byDefault, "§5.2 \"If parsing fails\": a key is in lower case"),
        Row(["params=(\"é\")"], byDefault, "§5.2 \"If parsing fails\": a String is ASCII"),
        Row(
            ["params=(\"%C3%A9+%E6%B0%97\")"], NoVarySearch(parameters: .allBut(.named("é 気"))), "§5.3.1: the example"),
        Row(["params=(\"%2B+%26\")"], NoVarySearch(parameters: .allBut(.named("+ &"))), "§5.3: plus, then octets"),
        Row(["params=(\"%f6\")"], NoVarySearch(parameters: .allBut(.named("\u{FFFD}"))), "§5.3: UTF-8 decoding"),
        Row(["params=(\"%\" \"%4\" \"%zz\")"], NoVarySearch(parameters: .allBut(.named("%", "%4", "%zz"))), "URL §1.3"),
        Row(["params=(\"%61\" \"a\")"], NoVarySearch(parameters: .allBut(.named("a"))), "§5.3: the same name twice"),
    ]

    @Test("a field is a config, or the default", arguments: values)
    func parse(_ row: Row<[String], NoVarySearch>) {
        #expect(NoVarySearch(lines: row.given) == row.expected)
        #expect(NoVarySearch(HTTPFields(lines: row.given.map { "No-Vary-Search: " + $0 })) == row.expected)
    }
}

extension Set<[UInt8]> {
    static func named(_ names: String...) -> Self { Set(names.map { Array($0.utf8) }) }
}
