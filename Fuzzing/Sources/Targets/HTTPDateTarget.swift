import HTTPCacheSemantics

/// The three forms of a date, RFC 9110 §5.6.7: a line with the date, then a line with the current time in seconds.
enum HTTPDateTarget: FuzzTarget {
    static let name = "http-date"
    static let shapes = [
        HostileShape("S"), HostileShape("9", after: "Sun, "), HostileShape(" ", after: "Sun Nov "),
        HostileShape("Sun, 06 Nov 1994 08:49:37 GMT"), HostileShape("-", after: "Sunday, 06"),
    ]
    /// The years with four digits.
    private static let printable = Int64(-62_167_219_200)...253_402_300_799

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        let moment = FuzzInput.Message(lines.dropFirst()).number(0)
        let now = WallInstant(unixSeconds: moment)
        try roundTrip(WallInstant(unixSeconds: moment % 253_402_300_800))
        _ = HTTPDate.print(now)

        let text = lines[0]
        let date = HTTPDate.parse(text, now: now)
        try claim(HTTPDate.parse(text.lowercased(), now: now) == date, "case is forgiven (RFC 9111 §4.2)", [text])
        guard let date else { return }
        // `lowercased` turns some non-ASCII characters, such as the Kelvin sign, into letters: no date may have them.
        try claim(text.utf8.allSatisfy { $0 < 0x80 }, "a date is ASCII", [text])
        try claim(HTTPDate.parse(text.uppercased(), now: now) == date, "case is forgiven (RFC 9111 §4.2)", [text])
        try claim(HTTPDate.parse(text + " ", now: now) == nil, "nothing follows a date", [text])
        try claim(HTTPDate.parse(" " + text, now: now) == nil, "nothing precedes a date", [text])
        try roundTrip(date)
        if text.lowercased().contains("day,") {
            let limit = Int64(50 * 366 * 86_400)
            try claim(date.unixSeconds - now.unixSeconds <= limit, "never more than 50 years ahead", [text, now])
            if printable.contains(moment) {
                try claim(now.unixSeconds - date.unixSeconds <= limit + 86_400, "nor behind", [text, now])
            }
        } else {
            try claim(printable.contains(date.unixSeconds), "a year of four digits", [text])
        }
    }

    private static func roundTrip(_ moment: WallInstant) throws(BrokenClaim) {
        guard printable.contains(moment.unixSeconds) else { return }
        let text = HTTPDate.print(moment)
        try claim(text.utf8.count == 29, "an IMF-fixdate has 29 characters", [text])
        let again = HTTPDate.parse(text, now: WallInstant(unixSeconds: 0))
        try claim(again == moment, "what is printed is read again", [text, moment])
    }
}
