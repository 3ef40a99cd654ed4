import HTTPCacheSemantics

/// The cookie-date of `Expires`, RFC 6265bis §5.1.1: four tokens in any order, unlike the strict `HTTP-date`.
enum CookieDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Returns: `nil` if the text is not a cookie-date, or names a day that no calendar has.
    static func parse(_ text: some Collection<UInt8>) -> WallInstant? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: String?
        var year: Int?
        for token in text.split(whereSeparator: isDelimiter) {
            let token = Array(token)
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1_900 }
        if (0...69).contains(year) { year += 2_000 }
        guard year >= 1_601, time.hour <= 23, time.minute <= 59, time.second <= 59 else { return nil }
        // HTTPDate knows the calendar, and does not compare the weekday with the date.
        let date =
            "Sun, \(padded(day)) \(month) \(year) \(padded(time.hour)):\(padded(time.minute)):\(padded(time.second)) GMT"
        return HTTPDate.parse(date, now: WallInstant(unixSeconds: 0))
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// `hms-time [ non-digit *OCTET ]`
    private static func time(_ token: [UInt8]) -> (Int, Int, Int)? {
        let fields = token.split(separator: 0x3A, maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].allSatisfy(isDigit), fields[1].allSatisfy(isDigit),
            let hour = number(Array(fields[0]), digits: 1...2), let minute = number(Array(fields[1]), digits: 1...2),
            let second = number(Array(fields[2]), digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// `2DIGIT [ non-digit *OCTET ]` and its like: the leading digits, if there are as many as allowed.
    private static func number(_ token: [UInt8], digits: ClosedRange<Int>) -> Int? {
        let leading = token.prefix(while: isDigit)
        guard digits.contains(leading.count) else { return nil }
        return leading.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func month(_ token: [UInt8]) -> String? {
        let letters = token.prefix(3).map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        return months.first { $0.lowercased().utf8.elementsEqual(letters) }
    }
}
