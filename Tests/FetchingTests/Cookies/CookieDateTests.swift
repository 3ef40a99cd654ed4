import HTTPCacheSemantics
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("RFC 6265bis §5.1.1 Dates")
struct CookieDateTests {
    static let rows: [CookieRow<Int64?>] = [
        CookieRow("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777, "IMF-fixdate"),
        CookieRow("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777, "rfc850-date"),
        CookieRow("Sun Nov  6 08:49:37 1994", 784_111_777, "asctime-date"),
        CookieRow("08:49:37 6 nov 1994", 784_111_777, "step 2: tokens in any order, any case"),
        CookieRow("1994/6/November_8:49:37", 784_111_777, "step 2.2: 1994 has too many digits for a day"),
        CookieRow("94/6/November_8:49:37", nil, "step 2.2: 94 is the day, and 6 is no year"),
        CookieRow("6/1994/November_8:49:37", 784_111_777, "delimiter: / and _"),
        CookieRow("6th 1994AD Novvvv 8:49:37pm", 784_111_777, "*OCTET after day, month, year and time"),
        CookieRow("6 Nov 1994 8:49:37 9:59:59 7 Dec 2001", 784_111_777, "step 2: the first of each kind counts"),
        CookieRow("\t;6 Nov 94 8:49:37~~", 784_111_777, "delimiters around"),
        CookieRow("1 Jan 70 0:0:0", 0, "step 3: 70 is 1970"),
        CookieRow("1 Jan 99 0:0:0", 915_148_800, "step 3: 99 is 1999"),
        CookieRow("1 Jan 69 0:0:0", 3_124_224_000, "step 4: 69 is 2069"),
        CookieRow("1 Jan 00 0:0:0", 946_684_800, "step 4: 00 is 2000"),
        CookieRow("1 Jan 100 0:0:0", nil, "step 5: the year-value is less than 1601"),
        CookieRow("1 Jan 1600 0:0:0", nil, "step 5"),
        CookieRow("1 Jan 1601 0:0:0", -11_644_473_600, "step 5"),
        CookieRow("31 Dec 9999 23:59:59", 253_402_300_799, "year = 2*4DIGIT"),
        CookieRow("31 Dec 10000 23:59:59", nil, "year = 2*4DIGIT"),
        CookieRow("0 Jan 2026 0:0:0", nil, "step 5: the day-of-month-value is less than 1"),
        CookieRow("32 Jan 2026 0:0:0", nil, "step 5"),
        CookieRow("1 Jan 2026 24:0:0", nil, "step 5: the hour-value is greater than 23"),
        CookieRow("1 Jan 2026 0:60:0", nil, "step 5"),
        CookieRow("1 Jan 2026 0:0:60", nil, "step 5: leap seconds cannot be represented"),
        CookieRow("29 Feb 2024 0:0:0", 1_709_164_800, "step 6"),
        CookieRow("29 Feb 2026 0:0:0", nil, "step 6: no such date"),
        CookieRow("1 Jan 2026 000:0:0", nil, "time-field = 1*2DIGIT"),
        CookieRow("1 Jan 2026 0:0", nil, "hms-time has three fields"),
        CookieRow("1 Jan 2026 :0:0:0", nil, "time-field = 1*2DIGIT"),
        CookieRow("001 Jan 2026 0:0:0", nil, "day-of-month = 1*2DIGIT; 001 is a year, 2026 is none"),
        CookieRow("1 Ja 2026 0:0:0", nil, "month = three letters"),
        CookieRow("1 Jän 2026 0:0:0", nil, "month = three letters"),
        CookieRow("1 Jan 2026", nil, "step 5: no time"),
        CookieRow("", nil, "step 5"), CookieRow("0", nil, "step 5"), CookieRow("-1", nil, "step 5"),
    ]

    @Test("four tokens in any order are a date, if a calendar has it", arguments: rows)
    func reads(_ row: CookieRow<Int64?>) {
        #expect(CookieDate.parse(row.given.utf8)?.unixSeconds == row.expected)
    }
}
