/// IMF-fixdate of RFC 9110 §5.6.7, the one form that senders generate: 29 octets, each in a place of its own.
///
/// ```
/// Sun, 06 Nov 1994 08:49:37 GMT
/// 0    5  8   12   17 20 23 26
/// ```
extension HTTPDate {
    private static let days: StaticString = "SunMonTueWedThuFriSat"
    private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    /// Reads a date where it lies.
    ///
    /// - Returns: `nil` for any other value: ``parseAny(_:now:)`` tells whether it is a date of another form.
    static func parseFixdate(_ value: String) -> WallInstant? {
        guard value.utf8.count == 29 else { return nil }
        return value.utf8.withContiguousStorageIfAvailable(parseFixdate) ?? nil
    }

    private static func parseFixdate(_ bytes: UnsafeBufferPointer<UInt8>) -> WallInstant? {
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

    /// Which of the names of three letters, written without gaps, stands here; their case does not count.
    private static func position(of letters: Slice<UnsafeBufferPointer<UInt8>>, in names: StaticString) -> Int? {
        names.withUTF8Buffer { names in
            let wanted = packed(letters)
            return stride(from: 0, to: names.count, by: 3).first { packed(names[$0..<$0 + 3]) == wanted }.map { $0 / 3 }
        }
    }

    /// Three octets as one number, letters in lower case. No other octet becomes a letter by that bit.
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

    /// Prints a date in one allocation; `nil` where the year has not four digits at most.
    static func printFixdate(_ civil: CivilDate) -> String? {
        guard (0...9_999).contains(civil.year) else { return nil }
        return String(unsafeUninitializedCapacity: 29) { bytes in
            let outline: StaticString = "---, -- --- ---- --:--:-- GMT"
            _ = outline.withUTF8Buffer { bytes.initialize(from: $0) }
            func put(_ number: Int, endingAt end: Int, digits: Int) {
                var rest = number
                for place in 1...digits {
                    bytes[end - place] = 0x30 + UInt8(rest % 10)
                    rest /= 10
                }
            }
            func put(_ names: StaticString, _ index: Int, at start: Int) {
                names.withUTF8Buffer { names in
                    for place in 0..<3 { bytes[start + place] = names[index * 3 + place] }
                }
            }
            put(days, civil.weekday, at: 0)
            put(civil.day, endingAt: 7, digits: 2)
            put(months, civil.month - 1, at: 8)
            put(civil.year, endingAt: 16, digits: 4)
            put(civil.hour, endingAt: 19, digits: 2)
            put(civil.minute, endingAt: 22, digits: 2)
            put(civil.second, endingAt: 25, digits: 2)
            return 29
        }
    }
}
