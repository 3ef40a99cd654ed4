/// An `HTTP-date` in the three forms of RFC 9110 §5.6.7, read strictly.
///
/// A sender generates IMF-fixdate only; a recipient accepts all three. Anything else — another
/// zone, a missing comma, a second space — is no date, and RFC 9111 §5.3 then counts an `Expires` as past. Only case
/// is forgiven: "a cache recipient SHOULD match the field value case-insensitively" (RFC 9111 §4.2).
public enum HTTPDate {
    private static let dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longDayNames = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The moment that a field value names.
    ///
    /// - Parameters:
    ///   - value: The whole field value; surrounding white space is not part of a date.
    ///   - now: Decides the century of an rfc850-date: a date more than 50 years ahead is in the past (§5.6.7).
    /// - Returns: `nil` when the value is no `HTTP-date`.
    public static func parse(_ value: String, now: WallInstant) -> WallInstant? {
        // The shortest form is asctime-date. `Expires: 0` and `Expires: -1` are common.
        guard value.utf8.count >= 24 else { return nil }
        return parseFixdate(value) ?? parseAny(value, now: now)
    }

    /// Reads a value of whatever form.
    static func parseAny(_ value: String, now: WallInstant) -> WallInstant? {
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

    /// The IMF-fixdate of a moment, for example `Sun, 06 Nov 1994 08:49:37 GMT`.
    public static func print(_ instant: WallInstant) -> String {
        let civil = CivilDate(unixSeconds: instant.unixSeconds)
        return printFixdate(civil) ?? printAny(civil)
    }

    /// Prints a date of whatever year. IMF-fixdate knows four digits; more, or a sign, are no date to any recipient.
    static func printAny(_ civil: CivilDate) -> String {
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
