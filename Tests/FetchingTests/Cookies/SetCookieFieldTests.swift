import HTTPCacheSemantics
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("RFC 6265bis §5.6 The Set-Cookie Header Field")
struct SetCookieFieldTests {
    static let pairs: [CookieRow<[String]>] = [
        CookieRow("a=b", ["a", "b"], "§5.6 step 3"),
        CookieRow("a=b=c", ["a", "b=c"], "§5.6 step 3: up to the first ="),
        CookieRow("a", ["", "a"], "§5.6 step 3: without = the name is empty"),
        CookieRow("=a", ["", "a"], "§5.6 step 3: possibly empty name"),
        CookieRow("=a=b", ["", "a=b"], "§5.6 step 3"),
        CookieRow("a=", ["a", ""], "§5.6 step 3: possibly empty value"),
        CookieRow(" \ta \t=\t b c\t ;x", ["a", "b c"], "§5.6 step 4: WSP around, not within"),
        CookieRow("a=\"b; c\"", ["a", "\"b"], "§5.6 step 2: quotes do not protect a semicolon"),
        CookieRow("a=\"b\"", ["a", "\"b\""], "§5.6: quotes belong to the value"),
        CookieRow("a=%3B%0D", ["a", "%3B%0D"], "§5.6: MUST NOT decode"),
        CookieRow("a=b\tc", ["a", "b\tc"], "§5.6 step 1: TAB is allowed"),
        CookieRow("a=grün", ["a", "grün"], "§5.6: octets beyond ASCII"),
        CookieRow("a=b;;; ;", ["a", "b"], "§5.6: empty attributes"),
        CookieRow("a=1,b=2", ["a", "1,b=2"], "RFC 9110 §5.3: commas do not separate cookies"),
        CookieRow(";a=b", ["", ""], "§5.6 step 2"),
    ]

    @Test("name and value", arguments: pairs)
    func pair(_ row: CookieRow<[String]>) {
        let field = SetCookieField(row.given)
        #expect([field.name, field.value] == row.expected)
    }

    static let lifetimes: [CookieRow<Duration?>] = [
        CookieRow("", nil, "§5.7 step 6: a session's cookie"),
        CookieRow("Max-Age=60", .seconds(60), "§5.6.2"),
        CookieRow("MAX-AGE = 60 ", .seconds(60), "§5.6.2: case-insensitively; §5.6 step 5"),
        CookieRow("Max-Age=007", .seconds(7), "§5.6.2 step 4: base 10"),
        CookieRow("Max-Age=\"60\"", nil, "§5.6.2 step 2"),
        CookieRow("Max-Age=+60", nil, "§5.6.2 step 2"),
        CookieRow("Max-Age=60s", nil, "§5.6.2 step 3"),
        CookieRow("Max-Age=6 0", nil, "§5.6.2 step 3"),
        CookieRow("Max-Age=-", nil, "§5.6.2 step 2"),
        CookieRow("Max-Age=", nil, "§5.6.2 step 1"),
        CookieRow("Max-Age", nil, "§5.6.2 step 1"),
        CookieRow("Max-Age=34560000", .seconds(34_560_000), "§5.5: 400 days"),
        CookieRow("Max-Age=34560001", .seconds(34_560_000), "§5.5: MUST be reduced to the limit"),
        CookieRow("Max-Age=99999999999999999999999999", .seconds(34_560_000), "§5.5, beyond 64 bits"),
        CookieRow("Max-Age=60; Max-Age=70", .seconds(70), "§5.7 step 6: the last attribute"),
        CookieRow("Max-Age=60; Max-Age=x", .seconds(60), "§5.6.2: the bad one is ignored"),
        CookieRow("Expires=Sat, 21 Nov 2026 00:01:00 GMT", .seconds(60), "§5.6.1"),
        CookieRow("expires=Sat, 21-Nov-26 00:01:00 GMT", .seconds(60), "§5.6.1 with §5.1.1"),
        CookieRow("Expires=never", nil, "§5.6.1 step 2"),
        CookieRow("Expires=21 Nov 2026 00:01:00; Expires=x", .seconds(60), "§5.6.1 step 2: the bad one is ignored"),
        CookieRow("Expires=Fri, 31 Dec 9999 23:59:59 GMT", .seconds(34_560_000), "§5.6.1 step 4"),
        CookieRow("Expires=21 Nov 2026 00:01:00; Expires=21 Nov 2026 00:02:00", .seconds(120), "§5.7 step 6"),
        CookieRow("Max-Age=60; Expires=21 Nov 2026 00:02:00", .seconds(60), "§5.7 step 6: Max-Age over Expires"),
        CookieRow("Expires=21 Nov 2026 00:02:00; Max-Age=60", .seconds(60), "§5.7 step 6: Max-Age over Expires"),
        CookieRow("Expires=21 Nov 2026 00:02:00; Max-Age=x", .seconds(120), "§5.6.2: the bad one is ignored"),
        CookieRow("Max-Age=60;" + "Max-Age=" + String(repeating: "1", count: 1_025), .seconds(60), "§5.6 step 6"),
    ]

    @Test("lifetime", arguments: lifetimes)
    func lifetime(_ row: CookieRow<Duration?>) throws {
        let cookie = try #require(decided("a=b;" + row.given))
        #expect(cookie.expires.map { $0 - cookieNow } == row.expected)
        #expect(!cookie.isExpired(at: cookieNow))
    }

    @Test(
        "a lifetime of zero or less, or a past date, expires the cookie at once",
        arguments: [
            "Max-Age=0", "Max-Age=-0", "Max-Age=-1", "Max-Age=-99999999999999999999999999", "Expires=1 Jan 1970 0:0:0",
            "Expires=1 Jan 1601 0:0:0", "Expires=Fri, 20 Nov 2026 23:59:59 GMT", "Max-Age=0; Expires=1 Jan 2027 0:0:0",
        ])
    func expired(_ attributes: String) throws {
        #expect(try #require(decided("a=b;" + attributes)).isExpired(at: cookieNow))
    }

    @Test("Max-Age can't overflow, whatever the clock says")
    func oddClock() throws {
        for seconds in [Int64.min / 4, -1, 0, Int64.max / 4] {
            let now = WallInstant(unixSeconds: seconds)
            let cookie = Cookie.accepted("a=b; Max-Age=9223372036854775807", for: .sameSite(), at: now)
            #expect(try #require(cookie).expires == now + .seconds(34_560_000))
        }
    }

    static let paths: [CookieRow<String>] = [
        CookieRow("", "/dir", "§5.1.4: default-path"),
        CookieRow("Path=/x", "/x", "§5.6.4"),
        CookieRow("pAtH= /x ", "/x", "§5.6.4; §5.6 step 5"),
        CookieRow("Path=/x; Path=/y", "/y", "§5.7 step 11: the last"),
        CookieRow("Path=/x; Path", "/dir", "§5.6.4 step 1: the last is the default-path"),
        CookieRow("Path=x", "/dir", "§5.6.4 step 1"),
        CookieRow("Path=\"/x\"", "/dir", "§5.6.4 step 1: begins with a quote"),
        CookieRow("Path=/x; Path=/" + String(repeating: "y", count: 1_024), "/x", "§5.6 step 6: 1025 octets"),
    ]

    @Test("path", arguments: paths)
    func path(_ row: CookieRow<String>) throws {
        #expect(try #require(decided("a=b;" + row.given)).path == row.expected)
    }

    @Test("an attribute value of 1024 octets counts")
    func longestAttribute() throws {
        let path = "/" + String(repeating: "y", count: 1_023)
        #expect(try #require(decided("a=b; Path=\(path)")).path == path)
    }

    @Test(
        "default-path",
        arguments: [
            CookieRow("https://site.example", "/", "§5.1.4 step 2"),
            CookieRow("https://site.example?/a/b", "/", "§5.1.4 step 2: the path ends at the query"),
            CookieRow("https://site.example/page", "/", "§5.1.4 step 3"),
            CookieRow("https://site.example/dir/", "/dir", "§5.1.4 step 4"),
            CookieRow("https://site.example/dir/sub/page?/x/y", "/dir/sub", "§5.1.4 step 4"),
            CookieRow("https://site.example//", "/", "§5.1.4 step 4"),
        ])
    func defaultPath(_ row: CookieRow<String>) throws {
        // "//" gives "/", the octets before its last slash.
        #expect(try #require(decided("a=b", from: row.given)).path == row.expected)
    }

    static let flags: [CookieRow<[Bool]>] = [
        CookieRow("", [false, false, false], "§5.7 steps 12, 14"),
        CookieRow("Secure; HttpOnly; Partitioned", [true, true, true], "§5.6.5, §5.6.6"),
        CookieRow("sEcUrE;hTTPonly", [true, true, false], "case-insensitively"),
        CookieRow("Secure=false; HttpOnly=no", [true, true, false], "§5.6.5: the value does not matter"),
        CookieRow("\u{17F}ecure; HttpOnl\u{FF59}; Secure\u{301}", [false, false, false], "ASCII names only"),
        CookieRow("Secured; Http-Only; X", [false, false, false], "§5.6 step 7: unrecognized names"),
        CookieRow("=Secure; Secure Only", [false, false, false], "§5.6 step 4"),
    ]

    @Test("flags", arguments: flags)
    func flag(_ row: CookieRow<[Bool]>) throws {
        let cookie = try #require(decided("a=b;" + row.given))
        let isPartitioned = SetCookieField("a=b;" + row.given).isPartitioned
        #expect([cookie.isSecure, cookie.isHTTPOnly, isPartitioned] == row.expected)
    }

    @Test(
        "SameSite",
        arguments: [
            CookieRow("", .unset, "§5.7 step 17"),
            CookieRow("SameSite=Lax", .lax, "§5.6.7"), CookieRow("samesite=sTRICT", .strict, "§5.6.7"),
            CookieRow("SameSite=None; Secure", .none, "§5.6.7"),
            CookieRow("SameSite", .unset, "§5.6.7 step 1"), CookieRow("SameSite=Strict1", .unset, "§5.6.7 step 1"),
            CookieRow("SameSite=Strict; SameSite=Lax", .lax, "§5.7 step 17: the last"),
            CookieRow("SameSite=Strict; SameSite=what", .unset, "§5.7 step 17: the last, which says nothing"),
        ] as [CookieRow<Cookie.SameSite>])
    func sameSite(_ row: CookieRow<Cookie.SameSite>) throws {
        #expect(try #require(decided("a=b;" + row.given)).sameSite == row.expected)
    }
}
