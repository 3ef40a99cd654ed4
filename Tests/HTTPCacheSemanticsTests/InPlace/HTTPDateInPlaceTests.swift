import CacheTesting
import Testing

@testable import HTTPCacheSemantics

@Suite("Dates are read and printed as another reader and printer do")
struct HTTPDateInPlaceTests {
    private static let dates = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 29 Feb 2024 23:59:60 GMT", "Mon, 29 Feb 2023 00:00:00 GMT",
        "Wed, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0000 00:00:00 GMT", "Fri, 31 Apr 2026 24:00:00 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "tue, 01 JAN 2030 00:00:00 gmt",
        "Sun Nov  6 08:49:37 1994 GMT ", "Sun, 6 Nov 1994 08:49:37 GMT+1",
    ]
    private static let pieces = [
        "Sun", "Mon", "TUE", ",", ", ", " ", "06", "6", "31", "Nov", "feb", "1994", "2024", "-", ":", "08:49:37", "GMT",
        "\u{212A}", "\u{0}",
    ]

    @Test("usual dates, damaged", arguments: 1...8)
    func damaged(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var read = 0
        for _ in 0..<2_000 {
            let value = random.damaged(random.pick(Self.dates), upTo: 2)
            compare(value)
            if HTTPDate.parse(value, now: .sample) != nil { read += 1 }
        }
        // Otherwise nothing was compared.
        #expect(read > 100)
    }

    @Test("every octet in every place of a date", arguments: 0..<29)
    func everyOctet(place: Int) {
        var bytes = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
        for byte in UInt8.min...UInt8.max {
            bytes[place] = byte
            compare(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test("random texts, most of them too short", arguments: 1...4)
    func texts(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 { compare(random.text(of: Self.pieces, upTo: 12)) }
    }

    @Test("dates of every year are printed like those of the other printer, and are read again", arguments: 1...4)
    func printing(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            // From 1 December of the year -1 to 30 January of the year 10000.
            let moment = WallInstant(unixSeconds: .random(in: -62_169_897_600...253_404_892_800, using: &random))
            let text = HTTPDate.print(moment)
            let civil = CivilDate(unixSeconds: moment.unixSeconds)
            #expect(text == ReferenceDate.print(civil))
            if (0...9_999).contains(civil.year) { #expect(HTTPDate.parse(text, now: .sample) == moment) }
        }
    }

    @Test("years without four digits", arguments: [-62_167_219_201, -62_167_219_200, 253_402_300_799, 253_402_300_800])
    func years(seconds: Int64) {
        let moment = WallInstant(unixSeconds: seconds)
        #expect(HTTPDate.print(moment) == ReferenceDate.print(CivilDate(unixSeconds: seconds)))
    }

    private func compare(_ value: String) {
        #expect(
            HTTPDate.parse(value, now: .sample) == ReferenceDate.parse(value, now: .sample), "\(value.debugDescription)"
        )
    }
}

/// Another reader and printer of dates, over ``ByteScanner`` alone, to compare with.
private enum ReferenceDate {
    private static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longDayNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func parse(_ value: String, now: WallInstant) -> WallInstant? {
        var scanner = ByteScanner(value)
        guard let name = scanner.letters() else { return nil }
        let civil: CivilDate?
        if scanner.take(",") {
            guard scanner.take(" ") else { return nil }
            civil =
                index(of: name, in: longDayNames) != nil
                ? rfc850(&scanner, now: now) : index(of: name, in: dayNames) != nil ? imfFixdate(&scanner) : nil
        } else {
            civil = index(of: name, in: dayNames) != nil ? asctime(&scanner) : nil
        }
        guard let civil, scanner.isAtEnd, civil.isPossible else { return nil }
        return WallInstant(unixSeconds: civil.unixSeconds)
    }

    static func print(_ civil: CivilDate) -> String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = "\(padded(civil.day, 2)) \(monthNames[civil.month - 1]) \(padded(civil.year, 4))"
        let time = "\(padded(civil.hour, 2)):\(padded(civil.minute, 2)):\(padded(civil.second, 2))"
        return "\(dayNames[civil.weekday]), \(date) \(time) GMT"
    }

    /// `06 Nov 1994 08:49:37 GMT`
    private static func imfFixdate(_ scanner: inout ByteScanner) -> CivilDate? {
        guard let day = scanner.number(digits: 2), scanner.take(" "), let month = month(&scanner), scanner.take(" "),
            let year = scanner.number(digits: 4), scanner.take(" "), let time = time(&scanner), zone(&scanner)
        else { return nil }
        return CivilDate(year: year, month: month, day: day, hour: time.0, minute: time.1, second: time.2)
    }

    /// `06-Nov-94 08:49:37 GMT`
    private static func rfc850(_ scanner: inout ByteScanner, now: WallInstant) -> CivilDate? {
        guard let day = scanner.number(digits: 2), scanner.take("-"), let month = month(&scanner), scanner.take("-"),
            let short = scanner.number(digits: 2), scanner.take(" "), let time = time(&scanner), zone(&scanner)
        else { return nil }
        // "MUST interpret a timestamp that appears to be more than 50 years in the future as representing the most
        // recent year in the past that had the same last two digits": the latest candidate that is not so far ahead.
        var limit = CivilDate(unixSeconds: now.unixSeconds)
        let nextCentury = (limit.year / 100 + 1) * 100
        limit.year += 50
        var civil = CivilDate(
            year: nextCentury + short, month: month, day: day, hour: time.0, minute: time.1, second: time.2)
        while civil.unixSeconds > limit.unixSeconds { civil.year -= 100 }
        return civil
    }

    /// ` Nov  6 08:49:37 1994`
    private static func asctime(_ scanner: inout ByteScanner) -> CivilDate? {
        guard scanner.take(" "), let month = month(&scanner), scanner.take(" ") else { return nil }
        let day = scanner.take(" ") ? scanner.number(digits: 1) : scanner.number(digits: 2)
        guard let day, scanner.take(" "), let time = time(&scanner), scanner.take(" "),
            let year = scanner.number(digits: 4)
        else { return nil }
        return CivilDate(year: year, month: month, day: day, hour: time.0, minute: time.1, second: time.2)
    }

    private static func month(_ scanner: inout ByteScanner) -> Int? {
        scanner.letters().flatMap { index(of: $0, in: monthNames) }.map { $0 + 1 }
    }

    private static func index(of name: String, in names: [String]) -> Int? {
        let name = name.lowercased()
        return names.firstIndex { $0.lowercased() == name }
    }

    /// ` GMT`
    private static func zone(_ scanner: inout ByteScanner) -> Bool {
        scanner.take(" ") && scanner.letters()?.lowercased() == "gmt"
    }

    private static func time(_ scanner: inout ByteScanner) -> (Int, Int, Int)? {
        guard let hour = scanner.number(digits: 2), scanner.take(":"), let minute = scanner.number(digits: 2),
            scanner.take(":"), let second = scanner.number(digits: 2)
        else { return nil }
        return (hour, minute, second)
    }
}
