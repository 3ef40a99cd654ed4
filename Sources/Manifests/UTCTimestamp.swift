import HTTPCacheSemantics

/// A date and time as manifests have it: RFC 3339 in UTC, to whole seconds, `2026-11-20T08:00:00Z`.
package enum UTCTimestamp {
    /// - Returns: `nil` for any other form, and for a day or time that does not exist. A 61st second is refused as well.
    package static func parse(_ text: String) -> WallInstant? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54, bytes[13] == 0x3A,
            bytes[16] == 0x3A, bytes[19] == 0x5A, let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), second < 60
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return date.isPossible ? WallInstant(unixSeconds: date.unixSeconds) : nil
    }

    /// Whole seconds, rounded down; the years 0 to 9999, and the nearest of these for others.
    package static func text(_ instant: WallInstant) -> String {
        let date = CivilDate(unixSeconds: min(max(instant.unixSeconds, -62_167_219_200), 253_402_300_799))
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return digits(date.year, 4) + "-" + digits(date.month, 2) + "-" + digits(date.day, 2) + "T"
            + digits(date.hour, 2) + ":" + digits(date.minute, 2) + ":" + digits(date.second, 2) + "Z"
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return number
    }
}
