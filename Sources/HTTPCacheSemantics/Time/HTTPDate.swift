/// An `HTTP-date` in the three forms of RFC 9110 §5.6.7, read strictly.
///
/// A sender generates IMF-fixdate only; a recipient accepts all three. Anything else, such as another zone, a missing
/// comma or a second space, is not a date, and RFC 9111 §5.3 then counts an `Expires` as past. Only case is ignored: "a
/// cache recipient SHOULD match the field value case-insensitively" (RFC 9111 §4.2).
package enum HTTPDate {
    private static let days: StaticString = "SunMonTueWedThuFriSat"
    private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"
    private static let longDayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// The moment that a field value names.
    ///
    /// - Parameters:
    ///   - value: The whole field value; surrounding white space is not part of a date.
    ///   - now: Decides the century of an rfc850-date: a date more than 50 years ahead is in the past (§5.6.7).
    /// - Returns: `nil` if the value is not an `HTTP-date`.
    package static func parse(_ value: String, now: WallInstant) -> WallInstant? {
        // The shortest form, asctime-date, has 24 octets. `Expires: 0` and `Expires: -1` are common.
        guard value.utf8.count >= 24 else { return nil }
        var value = value
        return value.withUTF8(fixdate) ?? obsolete(value, now: now)
    }

    /// The IMF-fixdate of a moment, for example `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Only years from 0 to 9999 give an `HTTP-date`: IMF-fixdate has four digits for the year. Others are printed with
    /// more digits or a sign, which no recipient takes for a date.
    package static func print(_ instant: WallInstant) -> String {
        let civil = CivilDate(unixSeconds: instant.unixSeconds)
        let digits = String(civil.year)
        let year = String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        return String(unsafeUninitializedCapacity: 25 + year.utf8.count) { bytes in
            func append(_ text: StaticString, at start: Int) -> Int {
                text.withUTF8Buffer { bytes[start...].initialize(from: $0).index }
            }
            func put(_ number: Int, endingAt end: Int) {
                bytes[end - 1] = 0x30 + UInt8(number % 10)
                bytes[end - 2] = 0x30 + UInt8(number / 10)
            }
            func put(_ names: StaticString, _ index: Int, at start: Int) {
                names.withUTF8Buffer { names in
                    for place in 0..<3 { bytes[start + place] = names[index * 3 + place] }
                }
            }
            let afterMonth = append("---, -- --- ", at: 0)
            let afterYear = bytes[afterMonth...].initialize(from: year.utf8).index
            let end = append(" --:--:-- GMT", at: afterYear)
            put(days, civil.weekday, at: 0)
            put(civil.day, endingAt: 7)
            put(months, civil.month - 1, at: 8)
            put(civil.hour, endingAt: afterYear + 3)
            put(civil.minute, endingAt: afterYear + 6)
            put(civil.second, endingAt: afterYear + 9)
            return end
        }
    }

    // MARK: IMF-fixdate

    /// Reads an IMF-fixdate, the one form that senders generate: 29 octets at fixed positions.
    ///
    /// ```
    /// Sun, 06 Nov 1994 08:49:37 GMT
    /// 0    5  8   12   17 20 23 26
    /// ```
    private static func fixdate(_ bytes: UnsafeBufferPointer<UInt8>) -> WallInstant? {
        guard bytes.count == 29, bytes[3] == 0x2C, bytes[4] == 0x20, bytes[7] == 0x20, bytes[11] == 0x20,
            bytes[16] == 0x20, bytes[19] == 0x3A, bytes[22] == 0x3A, bytes[25] == 0x20,
            position(of: bytes[0..<3], in: days) != nil, let month = position(of: bytes[8..<11], in: months),
            position(of: bytes[26..<29], in: "GMT") != nil
        else { return nil }
        guard let day = number(bytes[5..<7]), let year = number(bytes[12..<16]), let hour = number(bytes[17..<19]),
            let minute = number(bytes[20..<22]), let second = number(bytes[23..<25])
        else { return nil }
        let civil = CivilDate(
            year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
        return civil.isPossible ? WallInstant(unixSeconds: civil.unixSeconds) : nil
    }

    /// The index of these three letters, in any case, among names of three letters without gaps.
    private static func position(of letters: Slice<UnsafeBufferPointer<UInt8>>, in names: StaticString) -> Int? {
        names.withUTF8Buffer { names in
            let wanted = packed(letters)
            return stride(from: 0, to: names.count, by: 3).first { packed(names[$0..<$0 + 3]) == wanted }.map { $0 / 3 }
        }
    }

    /// Three octets as one number, letters in lower case. The added bit turns no other octet into a letter.
    private static func packed(_ letters: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
        letters.reduce(0) { $0 << 8 | UInt32($1 | 0x20) }
    }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var value = 0
        for digit in digits {
            guard ByteScanner.isDigit(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }

    // MARK: obs-date

    /// Reads an rfc850-date or an asctime-date.
    private static func obsolete(_ value: String, now: WallInstant) -> WallInstant? {
        var scanner = ByteScanner(value)
        guard let name = scanner.letters() else { return nil }
        let civil: CivilDate?
        if scanner.take(", ") {
            civil = longDayNames.contains(name.lowercased()) ? rfc850(&scanner, now: now) : nil
        } else {
            civil = index(of: name, in: days) != nil ? asctime(&scanner) : nil
        }
        guard let civil, scanner.isAtEnd, civil.isPossible else { return nil }
        return WallInstant(unixSeconds: civil.unixSeconds)
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
        scanner.letters().flatMap { index(of: $0, in: months) }.map { $0 + 1 }
    }

    private static func index(of name: String, in names: StaticString) -> Int? {
        guard name.utf8.count == 3 else { return nil }
        var name = name
        return name.withUTF8 { position(of: $0[0..<3], in: names) }
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
