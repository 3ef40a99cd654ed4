/// IMF-fixdate (RFC 9110 §5.6.7), counted day by day.
enum ModelDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func length(_ month: Int, of year: Int) -> Int {
        month == 1 && isLeap(year) ? 29 : lengths[month]
    }

    /// - Parameter seconds: Since 1970, not negative.
    static func print(_ seconds: Int64) -> String {
        let days = Int(seconds / 86_400)
        var year = 1970
        var day = days
        while day >= (isLeap(year) ? 366 : 365) {
            day -= isLeap(year) ? 366 : 365
            year += 1
        }
        var month = 0
        while day >= length(month, of: year) {
            day -= length(month, of: year)
            month += 1
        }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = Int(seconds % 86_400)
        let clock = "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
        return "\(self.days[days % 7]), \(two(day + 1)) \(months[month]) \(year) \(clock) GMT"
    }

    /// Ignores case (RFC 9111 §4.2); `nil` for any other deviation.
    static func parse(_ text: String) -> Int64? {
        let parts = text.lowercased().split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 6, parts[0].hasSuffix(","), parts[5] == "gmt", parts[1].utf8.count == 2,
            days.contains(where: { $0.lowercased() + "," == parts[0] }), let day = Int(parts[1]),
            let month = months.firstIndex(where: { $0.lowercased() == parts[2] }), let year = Int(parts[3]),
            year >= 1970, day >= 1, day <= length(month, of: year)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { $0.utf8.count == 2 ? Int64($0) : nil }
        guard clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] < 60 else { return nil }
        var whole = day - 1
        for past in 1970..<year { whole += isLeap(past) ? 366 : 365 }
        for past in 0..<month { whole += length(past, of: year) }
        return Int64(whole) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}
