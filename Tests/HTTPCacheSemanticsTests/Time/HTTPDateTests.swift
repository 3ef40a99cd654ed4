import CacheTesting
import HTTPCacheSemantics
import Testing

@Suite("RFC 9110 §5.6.7 Date/Time Formats")
struct HTTPDateTests {
    /// Sat, 21 Nov 2026 00:00:00 GMT
    private static let now = WallInstant(unixSeconds: 1_795_219_200)

    static let accepted: [Row<String, Int64>] = [
        Row("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777, "IMF-fixdate"),
        Row("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777, "obsolete RFC 850 format"),
        Row("Sun Nov  6 08:49:37 1994", 784_111_777, "ANSI C's asctime() format"),
        Row("Wed Nov 16 08:49:37 1994", 784_975_777, "date3 = month SP ( 2DIGIT / ( SP 1DIGIT ))"),
        Row("Thu, 01 Jan 1970 00:00:00 GMT", 0, "the epoch"),
        Row("Wed, 31 Dec 1969 23:59:59 GMT", -1, "a year = 4DIGIT before the epoch"),
        Row("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600, "a leap year: 2000 is a multiple of 400"),
        Row("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199, "a leap year: 2024 is a multiple of 4"),
        Row("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400, "no leap year: 2100 is a multiple of 100"),
        Row("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648, "one second past 31 bits"),
        Row("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799, "the last year = 4DIGIT"),
        Row("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800, "the first year of the calendar"),
        Row("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800, "time-of-day \"00:00:00 - 23:59:60 (leap second)\""),
        Row(
            "SUN, 06 NOV 1994 08:49:37 gmt", 784_111_777, "RFC 9111 §4.2 \"SHOULD match the field value case-insens…\""),
        Row(
            "sunday, 06-nov-94 08:49:37 GMT", 784_111_777, "RFC 9111 §4.2 \"SHOULD match the field value case-insens…\""
        ),
        Row("sun nov  6 08:49:37 1994", 784_111_777, "RFC 9111 §4.2 \"SHOULD match the field value case-insens…\""),
    ]

    @Test("a recipient MUST accept all three HTTP-date formats", arguments: accepted)
    func accepts(_ row: Row<String, Int64>) {
        #expect(HTTPDate.parse(row.given, now: Self.now)?.unixSeconds == row.expected)
    }

    static let refused: [String] = [
        "", " ", "0", "-1", "now", "784111777", "1994-11-06T08:49:37Z", "GMT", ",", "Sun", "Sun,", "Sun, ",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 ", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GMT+1", "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 06 Nov 1994 08:49:37 GMT ",
        " Sun, 06 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,  6 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 November 1994 08:49:37 GMT",
        "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Okt 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov -994 08:49:37 GMT", "Sun, ०६ Nov 1994 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sunday Nov  6 08:49:37 1994", "Sun Nov 06 08:49:37 1994 GMT", "Sun Nov 6 08:49:37 1994",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Mon, 29 Feb 1900 00:00:00 GMT", "Sun, 29 Feb 2026 00:00:00 GMT",
        "Mon, 29 Feb 2100 00:00:00 GMT", "Sun, 30 Feb 2000 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
    ]

    @Test("what fits none of the three forms, or no calendar, is no date", arguments: refused)
    func refuses(_ value: String) {
        #expect(HTTPDate.parse(value, now: Self.now) == nil)
    }

    static let centuries: [Row<String, Int64>] = [
        Row("Friday, 20-Nov-76 00:00:00 GMT", 3_373_056_000, "less than 50 years ahead stays in the future"),
        Row("Saturday, 21-Nov-76 00:00:00 GMT", 3_373_142_400, "exactly 50 years is not \"more than 50 years\""),
        Row("Monday, 22-Nov-76 00:00:00 GMT", 217_468_800, "more than 50 years ahead is the year in the past"),
        Row("Saturday, 21-Nov-76 00:00:01 GMT", 217_382_401, "\"a timestamp that appears to be more than 50 years\""),
        Row("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800, "the year 2000 is the most recent 00"),
        Row("Thursday, 29-Feb-24 23:59:59 GMT", 1_709_251_199, "a leap day of the past"),
    ]

    @Test("a two-digit year lies at most fifty years ahead, else in the past", arguments: centuries)
    func century(_ row: Row<String, Int64>) {
        #expect(HTTPDate.parse(row.given, now: Self.now)?.unixSeconds == row.expected)
    }

    @Test("a two-digit year just ahead of a turn of the century is in the next one")
    func turnOfTheCentury() {
        let newYearsEve = WallInstant(unixSeconds: 946_598_400)
        #expect(HTTPDate.parse("Saturday, 01-Jan-00 00:00:00 GMT", now: newYearsEve)?.unixSeconds == 946_684_800)
    }

    @Test("a sender generates IMF-fixdate", arguments: accepted.filter { $0.given.hasSuffix(" GMT") })
    func prints(_ row: Row<String, Int64>) throws {
        let printed = HTTPDate.print(WallInstant(unixSeconds: row.expected))
        #expect(printed.utf8.count == "Sun, 06 Nov 1994 08:49:37 GMT".utf8.count)
        #expect(HTTPDate.parse(printed, now: Self.now)?.unixSeconds == row.expected)
    }

    @Test("fractions of a second are cut off towards the past: \"the nearest time equal to or earlier\"")
    func fractions() {
        let before = WallInstant(sinceEpoch: .milliseconds(-1))
        #expect(HTTPDate.print(before) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.print(.sample + .milliseconds(999)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("every moment of years 0 to 9999 survives printing and reading", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &generator)
            let text = HTTPDate.print(WallInstant(unixSeconds: seconds))
            #expect(HTTPDate.parse(text, now: Self.now)?.unixSeconds == seconds, "\(text)")
        }
    }

    @Test("the day name of consecutive days goes round the week")
    func weekdays() {
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        for day in -3_000..<3_000 {
            let text = HTTPDate.print(WallInstant(unixSeconds: Int64(day) * 86_400))
            #expect(text.hasPrefix(names[((day % 7) + 7) % 7] + ", "), "\(text)")
        }
    }
}
