/// An `HTTP-date` in the three forms of RFC 9110 §5.6.7, read strictly.
///
/// A sender generates IMF-fixdate only; a recipient accepts all three. Anything else, such as another zone, a missing
/// comma or a second space, is not a date, and RFC 9111 §5.3 then counts an `Expires` as past. Only case is ignored: "a
/// cache recipient SHOULD match the field value case-insensitively" (RFC 9111 §4.2).
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longDayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The moment that a field value names.
    ///
    /// - Parameters:
    ///   - value: The whole field value; surrounding white space is not part of a date.
    ///   - now: Decides the century of an rfc850-date: a date more than 50 years ahead is in the past (§5.6.7).
    /// - Returns: `nil` if the value is not an `HTTP-date`.
    package static func parse(_ value: String, now: WallInstant) -> WallInstant? {
        // The shortest form, asctime-date, has 24 octets. `Expires: 0` and `Expires: -1` are common.
        guard value.utf8.count >= 24 else { return nil }
        var scanner = ByteScanner(value)
        guard let name = scanner.letters() else { return nil }
        let isShort = index(of: name, in: days) != nil
        let civil: CivilDate?
        if scanner.take(", ") {
            let isLong = index(of: name, in: longDayNames) != nil
            civil = isShort ? fixdate(&scanner) : isLong ? rfc850(&scanner, now: now) : nil
        } else {
            civil = isShort ? asctime(&scanner) : nil
        }
        guard let civil, scanner.isAtEnd, civil.isPossible else { return nil }
        return WallInstant(unixSeconds: civil.unixSeconds)
    }

    /// The IMF-fixdate of a moment, for example `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Only years from 0 to 9999 give an `HTTP-date`: IMF-fixdate has four digits for the year. Others are printed with
    /// more digits or a sign, which no recipient takes for a date.
    package static func print(_ instant: WallInstant) -> String {
        let civil = CivilDate(unixSeconds: instant.unixSeconds)
        let (day, year) = (CivilDate.padded(civil.day), CivilDate.padded(civil.year, to: 4))
        return "\(days[civil.weekday]), \(day) \(months[civil.month - 1]) \(year) \(civil.time) GMT"
    }

    /// `06 Nov 1994 08:49:37 GMT`
    private static func fixdate(_ scanner: inout ByteScanner) -> CivilDate? {
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

    private static func month(_ scanner: inout ByteScanner) -> Int? { scanner.letters().flatMap { month(named: $0) } }

    /// The number of a month by three letters in any case.
    package static func month(named name: String) -> Int? { index(of: name, in: months).map { $0 + 1 } }

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

/// Days and times of day of the proleptic Gregorian calendar in UTC, without Foundation.
///
/// The day arithmetic counts from 1 March, so that the leap day is the last day of its year
/// (RFC 3339 appendix B computes weekdays the same way).
package struct CivilDate: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0

    /// Days from 1970-01-01 to the given day.
    static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: return 30
        case 2: return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: return 31
        }
    }

    package var unixSeconds: Int64 {
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        return Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// Whether date and time exist: false for a 30 February, a 25th hour, or a 61st second other than a leap second.
    package var isPossible: Bool {
        (1...12).contains(month) && day >= 1 && day <= Self.daysInMonth(month, year: year)
            && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
    }

    /// `08:49:37`
    package var time: String { [hour, minute, second].map { Self.padded($0) }.joined(separator: ":") }

    /// With zeros before the number.
    package static func padded(_ number: Int, to count: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    package init(unixSeconds: Int64) {
        var days = Int(unixSeconds / 86_400)
        var rest = Int(unixSeconds % 86_400)
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
    }

    /// 0 is Sunday.
    var weekday: Int {
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        return ((days % 7) + 11) % 7
    }
}
