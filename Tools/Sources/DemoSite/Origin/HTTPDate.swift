/// An IMF-fixdate, the one form of date that senders may generate. RFC 9110 §5.6.7.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Writes a moment.
    ///
    /// - Parameter seconds: Since 1970-01-01 00:00 UTC; not negative.
    static func text(_ seconds: Int) -> String {
        let (day, second) = (seconds / 86_400, seconds % 86_400)
        var year = 1970
        var rest = day
        while rest >= daysIn(year: year) {
            rest -= daysIn(year: year)
            year += 1
        }
        var month = 0
        while rest >= daysIn(month: month, year: year) {
            rest -= daysIn(month: month, year: year)
            month += 1
        }
        let time = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(days[day % 7]), \(twoDigits(rest + 1)) \(months[month]) \(year) \(time) GMT"
    }

    /// Reads an IMF-fixdate; `nil` for anything else, also for the two obsolete forms, which a sample need not know.
    static func seconds(_ text: String) -> Int? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
        guard words.count == 8, words[7] == "GMT", let day = Int(words[1]), let month = months.firstIndex(of: words[2]),
            let year = Int(words[3]), year >= 1970, year < 10_000, let hour = Int(words[4]), let minute = Int(words[5]),
            let second = Int(words[6]), day >= 1, day <= daysIn(month: month, year: year)
        else { return nil }
        var total = (1970..<year).reduce(0) { $0 + daysIn(year: $1) } + day - 1
        total += (0..<month).reduce(0) { $0 + daysIn(month: $1, year: year) }
        return ((total * 24 + hour) * 60 + minute) * 60 + second
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private static func daysIn(year: Int) -> Int { isLeap(year) ? 366 : 365 }

    private static func daysIn(month: Int, year: Int) -> Int {
        month == 1 ? (isLeap(year) ? 29 : 28) : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
