import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("W3C Clear Site Data §3.1 Clear-Site-Data")
struct ClearSiteDataTests {
    static let values: [Row<[String], Bool>] = [
        Row([], false, "absent"),
        Row([""], false, "1#( quoted-string )"),
        Row(["\"cache\""], true, "\"cache\": the network cache"),
        Row(["\"*\""], true, "\"*\": \"the same effect as specifying all types\""),
        Row(
            ["\"cookies\", \"storage\", \"executionContexts\", \"clientHints\""], false, "none of them is the cache"),
        Row(["\"cookies\", \"cache\",\"storage\" ,"], true, "RFC 9110 §5.6.1: a list"),
        Row(["\"cookies\"", "\"cache\""], true, "RFC 9110 §5.3: several lines are one list"),
        Row(["\"prefetch\", \"cache\""], true, "\"MUST ignore unknown types\""),
        Row(["cache"], false, "quoted-string: no token"),
        Row(["cache, \"cookies\""], false, "quoted-string: no token"),
        Row(["*"], false, "quoted-string: no token"),
        Row(["'cache'"], false, "quoted-string: double quotes"),
        Row(["\"Cache\""], false, "types compare with case"),
        Row(["\" cache\""], false, "a space inside the quotes is part of the type"),
        Row(["\"cache\"; x=1"], false, "a quoted-string, and nothing behind it"),
        Row(["\"cache\" \"cookies\""], false, "a comma separates"),
        Row(["\"cache, \"cookies\""], false, "RFC 9110 §5.6.4: quotes end where they end"),
        Row(["\"cache"], false, "RFC 9110 §5.6.4: an open quote"),
        Row(["{\"types\": [\"cache\"]}"], false, "JSON was the syntax of an early draft"),
    ]

    @Test("stored responses go with the quoted types for the cache and for everything", arguments: values)
    func clearsCache(_ row: Row<[String], Bool>) {
        let fields = HTTPFields(lines: row.given.map { "Clear-Site-Data: " + $0 })
        #expect(ClearSiteData.clearsCache(fields) == row.expected)
    }
}
