import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §3.1 Storing Header and Trailer Fields")
struct StorableFieldsTests {
    static let responses: [Row<[String], [String]>] = [
        Row(
            ["X-Unknown: 1", "Set-Cookie: a=1", "Set-Cookie: b=2", "Content-Type: text/html"],
            ["content-type: text/html", "set-cookie: a=1", "set-cookie: b=2", "x-unknown: 1"],
            "\"MUST include all received response header fields — including unrecognized ones\""),
        Row(
            ["Connection: X-Hop", "X-Hop: 1", "Keep-Alive: 5"], [],
            "\"The Connection header field and fields whose names are listed in it\""),
        Row(
            ["Connection: Cache-Control", "Cache-Control: no-cache"], ["cache-control: no-cache"],
            "RFC 9110 §7.6.1: Cache-Control can't be nominated away"),
        Row(
            ["Proxy-Authenticate: Basic", "Proxy-Authentication-Info: x", "Proxy-Authorization: y"], [],
            "\"fields that are specific to the proxy … MUST NOT be stored\""),
        Row(
            ["Cache-Control: no-cache=\"Set-Cookie, X-Id\"", "Set-Cookie: a=1", "X-Id: 1", "ETag: \"a\""],
            ["cache-control: no-cache=\"Set-Cookie, X-Id\"", "etag: \"a\""],
            "§5.2.2.4 \"if the listed header fields are excluded from the subsequent response\""),
        Row(
            ["Cache-Control: no-cache=\"A\"", "Cache-Control: no-cache=\"B\"", "A: 1", "B: 1"],
            ["cache-control: no-cache=\"A\"", "cache-control: no-cache=\"B\""], "§5.2.2.4, each occurrence"),
        Row(
            ["Cache-Control: no-cache=\"cache-control\", max-age=0"],
            ["cache-control: no-cache=\"cache-control\", max-age=0"],
            "§5.2.2.4: without its directives the response would follow other rules"),
        Row(
            ["Cache-Control: no-cache=\"Age\", max-age=5", "Age: 9"],
            ["age: 9", "cache-control: no-cache=\"Age\", max-age=5"],
            "§4.2.3: the age can't be computed without Age"),
        Row(
            ["Cache-Control: no-cache", "ETag: \"a\""], ["cache-control: no-cache", "etag: \"a\""],
            "§5.2.2.4 unqualified"),
        Row(
            ["Cache-Control: private=\"X-User\"", "X-User: 1"],
            ["cache-control: private=\"X-User\"", "x-user: 1"], "§5.2.2.7 restricts shared caches only"),
        Row(["Cache-Status: Origin; hit"], ["cache-status: Origin; hit"], "RFC 9211 §2: caches append their members"),
    ]

    @Test("everything is stored but what belongs to the connection, a proxy or no-cache", arguments: responses)
    func select(_ row: Row<[String], [String]>) {
        let selected = StorableFields.select(from: HTTPFields(lines: row.given))
        #expect(selected.linesByName == row.expected)
        #expect(StorableFields.select(from: selected) == selected, "selecting twice changes nothing")
    }
}
