import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("W3C Clear Site Data §3.1 Clear-Site-Data")
struct ClearSiteDataTests {
    static let values: [Row<[String], Set<ClearSiteData.DataType>>] = [
        Row([], [], "absent"),
        Row([""], [], "1#( quoted-string )"),
        Row(["\"cache\""], [.cache], "\"cache\""),
        Row(["\"cookies\""], [.cookies], "\"cookies\""),
        Row(["\"storage\""], [.storage], "\"storage\""),
        Row(["\"executionContexts\""], [.executionContexts], "\"executionContexts\""),
        Row(["\"clientHints\""], [.clientHints], "\"clientHints\""),
        Row(["\"*\""], [.everything], "\"*\" (wildcard)"),
        Row(["\"cache\", \"cookies\",\"storage\" ,"], [.cache, .cookies, .storage], "RFC 9110 §5.6.1: a list"),
        Row(["\"cache\"", "\"cookies\""], [.cache, .cookies], "RFC 9110 §5.3: several lines are one list"),
        Row(["\"cache\", \"cache\""], [.cache], "twice is once"),
        Row(["\"prefetch\", \"cache\""], [.cache], "\"MUST ignore unknown types\""),
        Row(["cache"], [], "quoted-string: no token"),
        Row(["cache, \"cookies\""], [.cookies], "quoted-string: no token"),
        Row(["*"], [], "quoted-string: no token"),
        Row(["'cache'"], [], "quoted-string: double quotes"),
        Row(["\"Cache\""], [], "types compare with case"),
        Row(["\" cache\""], [], "a space inside the quotes is part of the type"),
        Row(["\"cache\"; x=1"], [], "a quoted-string, and nothing behind it"),
        Row(["\"cache\" \"cookies\""], [], "a comma separates"),
        Row(["\"cache, \"cookies\""], [], "RFC 9110 §5.6.4: quotes end where they end"),
        Row(["\"cache"], [], "RFC 9110 §5.6.4: an open quote"),
        Row(["{\"types\": [\"cache\"]}"], [], "JSON was the syntax of an early draft"),
    ]

    @Test("types are quoted strings", arguments: values)
    func types(_ row: Row<[String], Set<ClearSiteData.DataType>>) {
        #expect(ClearSiteData(HTTPFields(lines: row.given.map { "Clear-Site-Data: " + $0 })).types == row.expected)
    }

    static let clearing: [Row<Set<ClearSiteData.DataType>, Bool>] = [
        Row([], false, "nothing is asked for"),
        Row([.cache], true, "\"cache\": the network cache"),
        Row([.everything], true, "\"*\": \"the same effect as specifying all types\""),
        Row([.cookies, .storage, .executionContexts, .clientHints], false, "none of them is the cache"),
        Row([.cookies, .cache], true, "\"cache\" among others"),
    ]

    @Test("stored responses go with the cache, and with everything", arguments: clearing)
    func clearsCache(_ row: Row<Set<ClearSiteData.DataType>, Bool>) {
        #expect(ClearSiteData(row.given).clearsCache == row.expected)
    }
}
